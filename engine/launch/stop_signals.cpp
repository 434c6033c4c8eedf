// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/stop_signals.h"

#include <array>
#include <csignal>

namespace slipstream {
namespace {

constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t terminated = 0;
volatile std::sig_atomic_t onceIsAll = 0;  ///< of SIGTERM
std::array<struct sigaction, numbers.size()> handlersBefore;

/// A closed terminal may say so twice (kernel and shell): that is one wish, not the second that means "now".
void onSignal(int number) {
  if (number == SIGHUP && caught > 0) return;
  if (number == SIGTERM && onceIsAll != 0 && terminated != 0) return;
  if (number == SIGTERM) terminated = 1;
  caught = caught + 1;
}

}  // namespace

StopSignals::StopSignals(bool insideJob) {
  caught = 0;
  terminated = 0;
  onceIsAll = insideJob ? 1 : 0;
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    ::sigaction(numbers[index], nullptr, &handlersBefore[index]);
    if (handlersBefore[index].sa_handler == SIG_IGN) continue;
    struct sigaction counting {};
    counting.sa_handler = onSignal;
    ::sigaction(numbers[index], &counting, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t index = 0; index < numbers.size(); ++index)
    ::sigaction(numbers[index], &handlersBefore[index], nullptr);
}

int StopSignals::count() {
  return caught;
}

bool StopSignals::wasTerminated() {
  return terminated != 0;
}

}  // namespace slipstream
