// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/host_trial.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <regex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "tests/faults/observed_run.h"

namespace slipstream::test {
namespace {

/// Of the time that a command may take: 30 s on a quiet machine, and 10 s until nothing is left.
constexpr double namedWithinTimeouts = 3;

double secondsSince(std::int64_t wall) {
  return static_cast<double>(wallNanoseconds() - wall) * 1e-9;
}

template <class Condition>
bool waitFor(Condition condition, double seconds) {
  for (const Stopwatch watch; !condition();) {
    if (watch.seconds() > seconds) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return true;
}

bool tells(const Event& event, bool isSlow) {
  return isSlow ? event.code == "host.slow" : event.code == "run.failed" || event.code == "run.restarted";
}

}  // namespace

Pulses::~Pulses() {
  send(SIGCONT);
}

void Pulses::beat() {
  constexpr double period = 0.25, still = 0.17;
  const bool stands = std::fmod(watch_.seconds(), period) < still;
  if (stands != stands_) send(stands ? SIGSTOP : SIGCONT);
  stands_ = stands;
}

void Pulses::send(int number) const {
  for (const pid_t process : processes_) ::kill(process, number);
}

HostTrial::HostTrial(HostLab& lab, const TrialSettings& settings, const HostEvent& event, std::string experiment,
                     std::filesystem::path store, const HostReference* reference)
    : lab_(lab),
      settings_(settings),
      event_(event),
      experiment_(std::move(experiment)),
      store_(std::move(store)),
      reference_(reference) {}

HostTrial::~HostTrial() {
  pulses_.reset();
  for (const char* part : {"supervisor", "mpirun"}) {
    for (const pid_t process : playing(lab_, 0, part)) ::kill(process, SIGKILL);
  }
  for (const pid_t process : processesOfRuns(lab_)) ::kill(process, SIGKILL);
  std::error_code ignored;
  std::filesystem::remove_all(store_, ignored);
  try {
    repair(true);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "fault_trials: %s\n", problem.what());
  }
}

std::string HostTrial::problem() {
  Program program = start(wordsToRun());
  const auto hasBegun = [&] { return event_.early ? !run().empty() : !losses().empty(); };
  waitFor([&] { return program.hasEnded() || hasBegun(); }, trainingSeconds);
  if (!hasBegun()) return "no run came up: " + program.end(0).errors;
  std::this_thread::sleep_for(std::chrono::duration<double>(event_.moment));
  before_ = losses();
  if (!strike()) return tooLate();
  return follow(program);
}

HostReference HostTrial::leaveAlone() {
  Program program = start(wordsToRun());
  waitFor([&] { return program.hasEnded() || !losses().empty(); }, trainingSeconds);
  const Stopwatch training;
  const ProgramResult ended = program.end(trainingSeconds);
  if (ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
  HostReference reference{newestState(store_, run()), losses()};
  reference.steps = static_cast<int>(reference.losses.size());
  reference.seconds = training.seconds();
  return reference;
}

std::vector<std::string> HostTrial::wordsToRun() const {
  const std::string table = (lab_.folder() / "work/table.json").string();
  return {"run", experiment_, "--rank-table", table, "--store", store_.string(), "--quiet"};
}

Program HostTrial::start(const std::vector<std::string>& words) const {
  return {words, settings_.folder, lab_.onHead()};
}

std::string HostTrial::run() const {
  return begunRunIn(store_);
}

std::map<std::int64_t, double> HostTrial::losses() const {
  const auto store = storeIn(store_);
  if (!store || store->heads().empty()) return {};
  return visibleLosses(*store, store->heads().back().id);
}

bool HostTrial::strike() {
  struckAt_ = wallNanoseconds();
  const HostEventKind& kind = event_.kind;
  broken_ = kind.cutSeconds > 0 || kind.isGone;
  if (kind.cutSeconds > 0) {
    lab_.cut(event_.host);
  } else if (kind.isGone) {
    lab_.lose(event_.host);
  } else if (kind.isSlow) {
    pulses_ = std::make_unique<Pulses>(playing(lab_, event_.host, "worker"));
  } else {
    std::vector<pid_t> victims;
    const auto isThere = [&] { return !(victims = playing(lab_, event_.host, kind.victim)).empty(); };
    if (!waitFor(isThere, event_.early ? settings_.timeout : 0)) return false;
    struckAt_ = wallNanoseconds();
    ::kill(victims[static_cast<std::size_t>(event_.moment * 1000) % victims.size()], kind.signal);
  }
  return true;
}

void HostTrial::repair(bool atOnce) {
  constexpr double comesBackAfter = 20;
  const double seconds = event_.kind.isGone ? comesBackAfter : event_.kind.cutSeconds;
  if (!broken_ || (!atOnce && secondsSince(struckAt_) < seconds)) return;
  broken_ = false;
  event_.kind.isGone ? lab_.make(event_.host) : lab_.mend(event_.host);
}

std::string HostTrial::follow(Program& program) {
  while (!program.hasEnded()) {
    if (event_.then != "shrink") repair(false);
    if (pulses_) pulses_->beat();
    lookWhetherNamed();
    if (namedAfter_) pulses_.reset();
    const double since = secondsSince(struckAt_);
    const bool late =
        !namedAfter_ && !event_.kind.mayPass && event_.kind.victim != "supervisor" && since > namedWithin();
    if (late)
      return fmt::format("it is not named within {:.0f} s{}{}", namedWithin(), said_.empty() ? "" : ": ", said_);
    if (since > trainingSeconds) return "the run does not end";
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  const ProgramResult ended = program.end(0);
  if (event_.kind.victim == "supervisor") nameLost();
  lookWhetherNamed();
  for (const std::string& problem : {checkEnd(ended), checkNothingLeft(), checkLosses()}) {
    if (!problem.empty()) return problem;
  }
  if (ended.exitCode != 0) return resume();
  return event_.then == "shrink" ? compareShrunk() : compare();
}

double HostTrial::namedWithin() const {
  return namedWithinTimeouts * settings_.timeout;
}

std::string HostTrial::tooLate() {
  cameTooLate_ = true;
  return "the run had ended before it was named: it needs more steps";
}

void HostTrial::nameLost() {
  start({"runs", "--store", store_.string()}).end(settings_.timeout);
  const auto store = storeIn(store_);
  const RunRecord record = store->heads().back();
  if (record.state == RunState::lost && !record.why.empty()) namedAfter_ = secondsSince(struckAt_);
}

void HostTrial::lookWhetherNamed() {
  const auto store = namedAfter_ ? nullptr : storeIn(store_);
  if (!store || store->heads().empty()) return;
  std::string pattern = event_.kind.named;
  if (const auto place = pattern.find("{}"); place != std::string::npos) {
    pattern.replace(place, 2, lab_.address(event_.host));
  }
  for (const Event& event : store->events(store->heads().back().id)) {
    if (!tells(event, event_.kind.isSlow) || event.wallNanoseconds < struckAt_) continue;
    said_ = event.text;
    if (!std::regex_search(event.text, std::regex(pattern))) continue;
    namedAfter_ = static_cast<double>(event.wallNanoseconds - struckAt_) * 1e-9;
    return;
  }
}

std::string HostTrial::checkEnd(const ProgramResult& ended) {
  if (!namedAfter_ && !said_.empty()) return "it is not what is named: " + said_;
  if (!namedAfter_ && ended.exitCode != 0) return "nothing is named: " + ended.errors;
  if (!namedAfter_ && !event_.kind.mayPass) return tooLate();
  if (namedAfter_ && *namedAfter_ > namedWithin()) return fmt::format("named after {:.1f} s: {}", *namedAfter_, said_);
  if (event_.then != "resume" && ended.exitCode != 0) return "it does not start again: " + ended.errors;
  return "";
}

std::string HostTrial::checkNothingLeft() {
  waitFor([&] { return !broken_ || secondsSince(struckAt_) > event_.kind.cutSeconds; }, trainingSeconds);
  repair(true);
  if (waitFor([&] { return whatIsLeft().empty(); }, settings_.timeout)) return "";
  return fmt::format("left after {:.0f} s:{}", settings_.timeout, whatIsLeft());
}

std::string HostTrial::whatIsLeft() const {
  std::string left;
  for (const pid_t process : processesOfRuns(lab_)) left += fmt::format(" {} ({})", nameOfProcess(process), process);
  for (int host = 1; host <= HostLab::hosts; ++host) {
    for (const std::string& folder : lab_.foldersOf(host)) left += fmt::format(" h{}:{}", host, folder);
  }
  return left;
}

std::string HostTrial::checkLosses() const {
  const auto after = losses();
  for (const auto& [step, loss] : before_) {
    const auto found = after.find(step);
    if (found == after.end()) return fmt::format("the loss of step {} was visible and is gone", step);
    if (event_.then == "shrink" || found->second == loss) continue;
    return fmt::format("the loss of step {} was {} and is {}", step, loss, found->second);
  }
  return "";
}

std::string HostTrial::resume() {
  const ProgramResult ended = start({"resume", run(), "--store", store_.string(), "--quiet"}).end(trainingSeconds);
  if (ended.exitCode != 0) return fmt::format("resume: exit {}: {}", ended.exitCode, ended.errors);
  if (const std::string left = checkNothingLeft(); !left.empty()) return "after the resume, " + left;
  return compare();
}

std::string HostTrial::compare() const {
  if (newestState(store_, run()) != reference_->state) return "other weights than the run that was left alone";
  if (losses() != reference_->losses) return "other losses than the run that was left alone";
  return "";
}

std::string HostTrial::compareShrunk() const {
  constexpr double tolerance = 1e-2;
  const auto store = storeIn(store_);
  const auto events = store->events(run());
  if (std::ranges::find(events, shrunkEvent, &Event::code) == events.end()) return "it did not shrink";
  const auto after = losses();
  if (after.size() != reference_->losses.size()) return "it has not done all steps";
  for (const auto& [step, loss] : reference_->losses) {
    if (std::abs(after.at(step) - loss) > tolerance) return fmt::format("the loss of step {} is another one", step);
  }
  return "";
}

}  // namespace slipstream::test
