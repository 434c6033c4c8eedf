// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/delayed_signals.h"

#include <array>
#include <csignal>
#include <mutex>

namespace slipstream {
namespace {

constexpr std::array signalsThatEnd{SIGINT, SIGTERM, SIGHUP};

std::mutex guardsMutex;
int guards = 0;                                       // NOLINT: that live
std::array<bool, signalsThatEnd.size()> isDelayed{};  // NOLINT
volatile std::sig_atomic_t waitingSignal = 0;         // NOLINT: what a handler may write

void delay(int number) {
  waitingSignal = number;
}

void beginDelaying() {
  waitingSignal = 0;
  for (std::size_t i = 0; i < signalsThatEnd.size(); ++i) {
    struct sigaction present {};
    ::sigaction(signalsThatEnd[i], nullptr, &present);
    isDelayed[i] = (present.sa_flags & SA_SIGINFO) == 0 && present.sa_handler == SIG_DFL;
    if (isDelayed[i]) std::signal(signalsThatEnd[i], delay);
  }
}

void endDelaying() {
  for (std::size_t i = 0; i < signalsThatEnd.size(); ++i) {
    if (isDelayed[i]) std::signal(signalsThatEnd[i], SIG_DFL);
  }
  if (waitingSignal != 0) std::raise(waitingSignal);
}

}  // namespace

DelayedSignals::DelayedSignals() {
  const std::lock_guard<std::mutex> lock(guardsMutex);
  if (guards++ == 0) beginDelaying();
}

DelayedSignals::~DelayedSignals() {
  const std::lock_guard<std::mutex> lock(guardsMutex);
  if (--guards == 0) endDelaying();
}

bool DelayedSignals::came() {
  return waitingSignal != 0;
}

}  // namespace slipstream
