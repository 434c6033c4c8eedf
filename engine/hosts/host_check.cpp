// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_check.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/probe/processor.h"

namespace slipstream {
namespace {

/// Times of metrics are the workers'; a second is nothing beside a run's length.
constexpr double longestClockDifference = 1;
/// Measured: two segments of 4 MB for a rank that others of its host exchange with, and as much again for windows.
constexpr std::int64_t sharedMemoryPerRank = 16'000'000;

std::string placeOf(const CheckedHost& host) {
  return "host " + host.host;
}

void compareBuilds(const CheckedHost& host, const HostFacts& here, Failures& failures) {
  if (host.facts.build != here.build) {
    failures.push_back(
        {placeOf(host), host.facts.build.substr(0, 12),
         fmt::format("its worker program is of another build than this machine's ({})", here.build.substr(0, 12)),
         "install the same build on every host, or run with --stage"});
  }
  if (host.facts.openMpi != here.openMpi) {
    failures.push_back({placeOf(host), host.facts.openMpi,
                        "its Open MPI is another than this machine's (" + here.openMpi + ")",
                        "install the same version of Open MPI on every host"});
  }
}

std::string describe(const DataFacts& data) {
  if (data.files < 0) return "more than 20,000 files";
  return counted(data.files, "file") + ", " + sizeText(data.bytes);
}

void compareData(const CheckedHost& host, const HostFacts& here, Failures& failures) {
  for (const auto& [path, own] : here.data) {
    const auto found = host.facts.data.find(path);
    if (found == host.facts.data.end() || !found->second.present) {
      failures.push_back({placeOf(host), path, "the data are not there",
                          "copy them to the same place on every host, or share the folder"});
    } else if (found->second != own) {
      failures.push_back(
          {placeOf(host), path,
           fmt::format("its data are others ({}) than this machine's ({})", describe(found->second), describe(own)),
           "copy them again, so that every host has the same files"});
    }
  }
}

void checkRoom(const CheckedHost& host, const HostNeeds& needs, Failures& failures) {
  const std::int64_t memory = needs.memoryPerRank * host.ranks;
  if (memory > host.facts.memory) {
    failures.push_back({placeOf(host), sizeText(host.facts.memory),
                        fmt::format("its {} need {} of memory", counted(host.ranks, "rank"), sizeText(memory)),
                        "use smaller batches or fewer ranks there"});
  }
  const std::int64_t shared = host.ranks > 1 ? sharedMemoryPerRank * host.ranks : 0;
  if (host.facts.sharedMemory < shared) {
    failures.push_back({placeOf(host) + " /dev/shm", sizeText(host.facts.sharedMemory),
                        fmt::format("its {} need {} there", counted(host.ranks, "rank"), sizeText(shared)),
                        "make room (df /dev/shm), or enlarge it: mount -o remount,size=1G /dev/shm"});
  }
}

void checkBits(const CheckedHost& host, const HostNeeds& needs, Failures& failures) {
  const bool same = needs.instructionSet.empty() || host.facts.instructionSet == needs.instructionSet ||
                    (excludesMatrixUnit(needs.instructionSet) && host.facts.instructionSet == "avx512_amx");
  if (same) return;
  failures.push_back({placeOf(host), host.facts.instructionSet,
                      fmt::format("its processor computes other bits than the plan's ({})", needs.instructionSet),
                      "use hosts of one kind; where only some have a matrix unit, set SLIPSTREAM_MATRIX_UNIT=off"});
}

}  // namespace

Failures findHostProblems(const std::vector<CheckedHost>& hosts, const HostFacts& here, const HostNeeds& needs) {
  Failures failures;
  for (const CheckedHost& host : hosts) {
    compareBuilds(host, here, failures);
    compareData(host, here, failures);
    checkRoom(host, needs, failures);
    checkBits(host, needs, failures);
    if (host.facts.wayBack.empty()) continue;
    failures.push_back({placeOf(host), "", "it cannot reach the supervisor on this machine at " + host.facts.wayBack,
                        "open the way (a firewall?), or name another address of this machine in SLIPSTREAM_ADDRESS"});
  }
  return failures;
}

Failures findLinkProblems(const std::vector<HostLink>& links) {
  Failures failures;
  for (const HostLink& link : links) {
    if (link.problem.empty()) continue;
    failures.push_back({"host " + link.from, link.to, "its ranks cannot reach that host's: " + link.problem,
                        "make both hosts know each other by the names of the rank table, and open the ports between "
                        "them (Open MPI uses any)"});
  }
  return failures;
}

std::vector<std::string> findHostRemarks(const std::vector<CheckedHost>& hosts) {
  std::vector<std::string> remarks;
  for (const CheckedHost& host : hosts) {
    if (std::abs(host.clockAhead) > longestClockDifference) {
      remarks.push_back(
          fmt::format("host {}: its clock is {:.1f} s {} this machine's, so that times of its values differ", host.host,
                      std::abs(host.clockAhead), host.clockAhead > 0 ? "ahead of" : "behind"));
    }
    if (host.ranks > host.facts.cores) {
      remarks.push_back(fmt::format("host {}: {} share {}, so that they wait for each other", host.host,
                                    counted(host.ranks, "rank"), counted(host.facts.cores, "core")));
    }
  }
  return remarks;
}

}  // namespace slipstream
