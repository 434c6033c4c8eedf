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
    if (device) {
      list.push_back({{"name", name}, {"usable", true}, {"description", (*device)->name()}});
    } else {
      const Failure& why = device.error().front();
      list.push_back({{"name", name}, {"usable", false}, {"description", why.problem}, {"remedy", why.remedy}});
    }
  }
  std::cout << list << "\n";
  return 0;
}

}  // namespace slipstream::worker
