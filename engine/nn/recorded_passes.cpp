// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/recorded_passes.h"

#include <utility>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/probe/environment_switches.h"

namespace slipstream {
namespace {

const char* nameOf(PassKey::Kind kind) {
  switch (kind) {
    case PassKey::Kind::evaluation:
      return "forward in evaluation";
    case PassKey::Kind::training:
      return "forward in training";
    case PassKey::Kind::backward:
      return "backward";
  }
  throw Error("a pass of an unknown kind");
}

}  // namespace

void RecordedPasses::run(const PassKey& key, std::uint64_t placement, const std::function<void()>& pass) {
  if (std::exchange(placement_, placement) != placement) known_.clear();
  const auto found = known_.find(key);
  if (found == known_.end()) {
    pass();
    known_.emplace(key, nullptr);
    return;
  }
  if (!found->second) found->second = record(key, pass);
  found->second->launch();
}

std::unique_ptr<RecordedWork> RecordedPasses::record(const PassKey& key, const std::function<void()>& pass) {
  try {
    return device_.record(pass);
  } catch (const Error& error) {
    throw Error(fmt::format("the pass {} of {} samples cannot be recorded: {}; with {}=off it is given call by call",
                            nameOf(key.kind), key.batch, error.what(), recordingVariable));
  }
}

}  // namespace slipstream
