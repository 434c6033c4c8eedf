// SPDX-License-Identifier: GPL-3.0-or-later
// A hub in a process of its own, so that a test can kill it: STORE RUN RANKS ENDPOINT. Ends when every rank has said
// its last word.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <sys/prctl.h>

#include "engine/hub/hub.h"
#include "tests/support/small_plan.h"

namespace {

class Nobody final : public slipstream::HubListener {
  void metrics(int, const slipstream::MetricBlock&) override {}
  void event(const slipstream::Event&) override {}
  void checkpoint(const slipstream::CheckpointRow&) override {}
};

void serve(char** arguments) {
  using namespace slipstream;
  const auto store = *RunStore::open(arguments[1], StoreAccess::write);
  const auto checkpoints = *CheckpointStore::openToWrite(arguments[1], arguments[2]);
  HubSettings settings;
  settings.runId = arguments[2];
  settings.ranks = std::atoi(arguments[3]);
  settings.address.endpoint = arguments[4];
  settings.planText = toJsonText(slipstream::test::smallPlan(settings.ranks, 1));
  Nobody nobody;
  Hub hub(settings, *store, *checkpoints, nobody);
  bool finished = false;
  while (!finished) {
    hub.serve(std::chrono::milliseconds{20});
    const auto ranks = hub.ranks();
    finished = std::all_of(ranks.begin(), ranks.end(), [](const RankStatus& rank) { return rank.finished; });
  }
  hub.serve(std::chrono::milliseconds{200});
}

}  // namespace

int main(int, char** arguments) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is aborted leaves nobody behind
  try {
    serve(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hub: %s\n", error.what());
    return 1;
  }
}
