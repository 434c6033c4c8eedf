// SPDX-License-Identifier: GPL-3.0-or-later
// What the sanitizers ask the program for. It crashes on purpose, and tests look at what becomes of a signal that
// nobody catches. Leaks are Open MPI's, which ends with much of its memory held, and would be reported into the log
// that tests read. NOLINTBEGIN(bugprone-reserved-identifier): the sanitizers' names
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:detect_leaks=0";
}
extern "C" const char* __tsan_default_options() {
  return "handle_segv=0";
}
// NOLINTEND(bugprone-reserved-identifier)
