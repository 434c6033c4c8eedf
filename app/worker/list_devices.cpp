#include <iostream>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/backends/backends.h"

namespace slipstream::worker {

int listDevices() {
  nlohmann::json list = nlohmann::json::array();
  for (const DeviceReport& device : reportDevices()) {
    list.push_back({{"name", device.name}, {"usable", device.usable}, {"description", device.description}});
  }
  std::cout << list << "\n";
  return 0;
}

}  // namespace slipstream::worker
