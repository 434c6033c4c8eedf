// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/faults/host_lab.h"

namespace slipstream::test {

/// What happens to a run, or to one of its hosts.
struct HostEventKind {
  std::string name;
  /// Whom a signal is sent to: worker, orted, agent (the session's end on the host), sshd (which carries it), mpirun or
  /// supervisor; empty: it happens to the host itself.
  std::string victim = {};
  int signal = 0;
  double cutSeconds = 0;   ///< its cable is out for so long
  bool isGone = false;     ///< for good, until somebody makes it anew
  bool isSlow = false;     ///< its workers stand still most of the time
  bool mayPass = false;    ///< the run may go on as if nothing were
  std::string named = {};  ///< what the cause says, a regular expression; {} stands for the host's address
};

const std::vector<HostEventKind>& hostEventKinds();

/// One event of a trial: everything follows from the seed.
struct HostEvent {
  const HostEventKind& kind;
  std::string form;    ///< of smallTraining
  int host = 1;        ///< whom it happens to
  std::string then;    ///< train.on_lost: restart or shrink; or resume, by hand
  bool early = false;  ///< while the ranks start
  double moment = 0;   ///< seconds after the begin of the first attempt, else after the first values that are seen

  std::string text() const;
};
HostEvent hostEventOf(std::uint64_t seed);

/// The processes of a run on the lab's hosts that play a part: see HostEventKind::victim.
std::vector<pid_t> playing(const HostLab& lab, int host, const std::string& part);

/// Processes of any run on the hosts and the head, whatever they play.
std::vector<pid_t> processesOfRuns(const HostLab& lab);

}  // namespace slipstream::test
