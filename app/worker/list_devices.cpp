// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/device_collectives.h"
#include "engine/devices/open_device.h"
#include "engine/nn/device_networks.h"
#include "engine/spec/device_kind.h"

namespace slipstream::worker {
namespace {

/// What a network cannot be trained on the device without.
Failures lackingOn(const DeviceKind& kind, int number) {
  MemoryMeter meter;
  const auto device = openDevice(kind, number, meter);
  if (!device) return device.error();
  Failures lacking;
  try {
    lacking = networksOf(kind).missingLibraries();
    trainingKernels(**device);
  } catch (const Error& error) {
    lacking.push_back({"device", "", error.what(), ""});
  }
  if (!lacking.empty()) offerTheCpu(lacking);
  return lacking;
}

/// The same sentence of every failure in one text.
std::string joined(const Failures& failures, std::string Failure::*sentence) {
  std::vector<std::string> texts;
  for (const Failure& failure : failures) {
    if (!(failure.*sentence).empty()) texts.push_back(failure.*sentence);
  }
  return join(texts, "; ");
}

void describeCollectives(nlohmann::json& entry, const DeviceKind& kind) {
  if (kind.collectives.empty()) return;
  const Status library = collectivesOf(kind)->isThere();
  entry[kind.collectives] = library.has_value();
  if (library) return;
  entry["without_" + kind.collectives] =
      fmt::format("no {}, so ranks exchange otherwise: {}", collectivesTitle(kind), trim(toText(library.error())));
}

nlohmann::json describe(const FoundDevice& device, const DeviceKind& kind) {
  const Failures lacking = lackingOn(kind, device.number);
  nlohmann::json entry{{"name", fmt::format("{}:{}", kind.name, device.number)},
                       {"usable", lacking.empty()},
                       {"description", device.model + ", " + sizeText(device.memoryBytes)},
                       {"memory_bytes", device.memoryBytes}};
  describeCollectives(entry, kind);
  if (!lacking.empty()) {
    entry["description"] = entry["description"].get<std::string>() + ": " + joined(lacking, &Failure::problem);
    entry["remedy"] = joined(lacking, &Failure::remedy);
  }
  return entry;
}

void addNumbered(nlohmann::json& list, const DeviceKind& kind) {
  auto devices = listDevices(kind);
  if (!devices) {
    offerTheCpu(devices.error());
    const Failure& why = devices.error().front();
    list.push_back({{"name", kind.name}, {"usable", false}, {"description", why.problem}, {"remedy", why.remedy}});
    return;
  }
  for (const FoundDevice& device : *devices) list.push_back(describe(device, kind));
}

/// The one that every machine has.
void addSingle(nlohmann::json& list, const DeviceKind& kind) {
  nlohmann::json entry{{"name", kind.name}, {"usable", true}, {"description", kind.name}};
  if (!kind.emulates.empty()) {
    entry["emulated"] = true;
    entry["description"] =
        fmt::format("emulated: {} kernels on this processor, for correctness, never for speed", kind.emulates);
  }
  list.push_back(std::move(entry));
}

Result<std::unique_ptr<Device>> open(const std::string& text, MemoryMeter& meter) {
  SLIPSTREAM_TRY(name, parseDeviceName(text, "device"));
  return openDevice(*name.kind, name.number.value_or(0), meter);
}

}  // namespace

int printDevices() {
  nlohmann::json list = nlohmann::json::array();
  for (const DeviceKind* kind : deviceKinds()) {
    if (kind->mostOfHost > 0) {
      addNumbered(list, *kind);
    } else {
      addSingle(list, *kind);
    }
  }
  std::cout << list << "\n";
  return 0;
}

int compareDevices(const std::vector<std::string>& names) {
  if (names.size() != 2) throw Error("--compare needs two devices");
  MemoryMeter meter;
  const auto one = open(names[0], meter);
  const auto other = open(names[1], meter);
  Failures failures;
  collect(one, failures);
  collect(other, failures);
  if (!failures.empty()) {
    std::cerr << toText(failures);
    return 2;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [kernel, largest] : slipstream::compareDevices(**one, **other)) {
    // JSON knows no NaN: null is a difference without bounds.
    list.push_back({{"kernel", kernel}, {"largest", largest}});
  }
  std::cout << list << "\n";
  return 0;
}

}  // namespace slipstream::worker
