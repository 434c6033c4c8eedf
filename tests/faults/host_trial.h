// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "tests/faults/host_events.h"
#include "tests/faults/trials.h"

namespace slipstream::test {

/// The run that nothing happens to.
struct HostReference {
  std::string state;
  std::map<std::int64_t, double> losses;
  int steps = 0;
  double seconds = 0;  ///< from its first values that are seen to its end
};

/// Processes that stand still most of the time while it lives, as on a host that has too much to do.
class Pulses {
 public:
  explicit Pulses(std::vector<pid_t> processes) : processes_(std::move(processes)) {}
  ~Pulses();
  Pulses(const Pulses&) = delete;
  Pulses& operator=(const Pulses&) = delete;
  void beat();

 private:
  void send(int number) const;

  const std::vector<pid_t> processes_;
  const Stopwatch watch_;
  bool stands_ = false;
};

/// One run on the lab's hosts, to which one thing happens. What it refers to must outlive it.
class HostTrial {
 public:
  /// `reference`: null for the run that is left alone.
  HostTrial(HostLab& lab, const TrialSettings& settings, const HostEvent& event, std::string experiment,
            std::filesystem::path store, const HostReference* reference);
  /// After a failed trial too, the next one begins on tidy hosts.
  ~HostTrial();
  HostTrial(const HostTrial&) = delete;
  HostTrial& operator=(const HostTrial&) = delete;

  /// Empty, or what went wrong.
  std::string problem();
  /// Seconds until it was named; nothing where it passed.
  std::optional<double> namedAfter() const { return namedAfter_; }
  /// Whether the run ended too early for the event: nothing was tried, and it needs more steps.
  bool cameTooLate() const { return cameTooLate_; }
  /// Without any event.
  HostReference leaveAlone();

 private:
  Program start(const std::vector<std::string>& words) const;
  std::vector<std::string> wordsToRun() const;
  std::string run() const;
  std::map<std::int64_t, double> losses() const;
  /// False where nobody is left that it could happen to.
  bool strike();
  /// Puts the cable back or makes the host anew when it is time, or at once.
  void repair(bool atOnce);
  std::string follow(Program& program);
  /// Whoever looks next says that it is lost.
  void nameLost();
  void lookWhetherNamed();
  /// Seconds within which what happened has to be named.
  double namedWithin() const;
  std::string tooLate();
  std::string checkEnd(const ProgramResult& ended);
  /// Some seconds after the run's end, or after its link is back.
  std::string checkNothingLeft();
  std::string whatIsLeft() const;
  std::string checkLosses() const;
  std::string resume();
  std::string compare() const;
  /// With other sums, the same course.
  std::string compareShrunk() const;

  HostLab& lab_;
  const TrialSettings& settings_;
  const HostEvent& event_;
  const std::string experiment_;
  const std::filesystem::path store_;
  const HostReference* reference_;
  std::map<std::int64_t, double> before_;
  std::unique_ptr<Pulses> pulses_;
  std::int64_t struckAt_ = 0;
  bool broken_ = false;
  bool cameTooLate_ = false;
  std::string said_;
  std::optional<double> namedAfter_;
};

}  // namespace slipstream::test
