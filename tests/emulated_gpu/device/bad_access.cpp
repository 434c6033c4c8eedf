// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/device/bad_access.h"

#include <csignal>
#include <vector>

#include "tests/emulated_gpu/device/block_thread.h"

namespace emulated_gpu {
namespace {

/// Ends the process as the signal does where no kernel is to blame. SIGILL: the compiler's check of alignment.
void name(int signal) {
  std::signal(signal, SIG_DFL);
  if (!isThreadRunning()) return;
  refuse(signal == SIGILL ? "an access to an address that is not aligned" : "an access to memory that is not there");
}

}  // namespace

/// On a stack of its own: the access may have been to what lies below a fiber's.
void nameBadAccesses() {
  thread_local std::vector<char> stack;
  if (!stack.empty()) return;
  stack.resize(64UL << 10U);
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = name;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  ::sigaction(SIGSEGV, &action, nullptr);
  ::sigaction(SIGBUS, &action, nullptr);
  ::sigaction(SIGILL, &action, nullptr);
}

}  // namespace emulated_gpu
