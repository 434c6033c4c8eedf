// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_vote.h"

#include <array>

#include <fmt/format.h>

#include "engine/device/device.h"

namespace slipstream {

Vote voteOf(Communicator& communicator, const Ballot& mine) {
  const double behind = communicator.size() - communicator.rank();  // larger for lower ranks
  std::array<double, 4> words{static_cast<double>(mine.stop), mine.invalidLoss ? behind : 0.0,
                              mine.invalidLoss ? 0.0 : 1.0, mine.checkpointDue ? 1.0 : 0.0};
  communicator.allReduceMax(words);
  Vote vote{static_cast<StopKind>(static_cast<int>(words[0])), std::nullopt, words[2] == 0, words[3] > 0};
  if (words[1] > 0) vote.invalidRank = communicator.size() - static_cast<int>(words[1]);
  return vote;
}

std::string invalidLossText(const Vote& vote, std::int64_t done, std::int64_t stepsPerEpoch, int ranks) {
  const std::string text = fmt::format("epoch: {} step: {}. Invalid loss, terminating training.",
                                       (done - 1) / stepsPerEpoch + 1, (done - 1) % stepsPerEpoch + 1);
  if (ranks == 1) return text;
  if (vote.allInvalid) return text + fmt::format(" The losses of all {} ranks are invalid at once.", ranks);
  return text + fmt::format(" Rank {} of {} is the first whose loss is no finite number.", *vote.invalidRank, ranks);
}

void tellMemory(Link& link, Device& device) {
  const auto peak = device.memory().peak();
  std::map<std::string, std::int64_t> bytes;
  for (std::size_t i = 0; i < peak.size(); ++i) bytes.emplace(memoryCategoryNames[i], peak[i]);
  link.memory(bytes);
}

}  // namespace slipstream
