#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/device/open_device.h"

namespace slipstream::worker {

int listDevices() {
  const auto meter = makeMemoryMeter();
  nlohmann::json list = nlohmann::json::array();
  for (const std::string name : {"cpu", "cuda"}) {
    const auto device = openDevice(name, 0, *meter);
    list.push_back({{"name", name},
                    {"usable", device.has_value()},
                    {"description", device ? std::string((*device)->name()) : toText(device.error().front())}});
  }
  std::cout << list << "\n";
  return 0;
}

}  // namespace slipstream::worker
