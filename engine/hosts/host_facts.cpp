// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_facts.h"

#include <nlohmann/json.hpp>

namespace slipstream {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DataFacts, present, files, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFacts, name, build, openMpi, instructionSet, cores, memory, sharedMemory, gpus,
                                   npus, devices, wallNanoseconds, data, wayBack)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostRequest, data, supervisor, runId, devices, measures, folders, owner, programs)

namespace {

using Json = nlohmann::json;

template <class T>
std::string lineOf(const T& value) {
  return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
Result<T> parsed(const std::string& text, const char* what) {
  try {
    return Json::parse(text).get<T>();
  } catch (const Json::exception&) {
    return fail(what, "", "cannot be read: the worker programs of both hosts are of different builds",
                "install the same build on every host");
  }
}

}  // namespace

std::string toJsonLine(const HostFacts& facts) {
  return lineOf(facts);
}

std::string toJsonLine(const HostRequest& request) {
  return lineOf(request);
}

Result<HostFacts> parseHostFacts(const std::string& text) {
  return parsed<HostFacts>(text, "answer of a host");
}

Result<HostRequest> parseHostRequest(const std::string& text) {
  return parsed<HostRequest>(text, "question to a host");
}

}  // namespace slipstream
