// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/run_plan.h"

namespace slipstream {

std::vector<ServerView> serverViews(const RunPlan& plan) {
  std::map<int, ServerView> byServer;
  for (const RankPlacement& place : plan.places) {
    ServerView& view = byServer[place.server];
    view.host = place.host;
    view.ranks.push_back(place.rank);
  }
  std::vector<ServerView> views;
  for (auto& [server, view] : byServer) {
    view.environment = {{"RANK_SIZE", std::to_string(plan.ranks())},
                        {"DEVICE_NUM", std::to_string(view.ranks.size())},
                        {"SERVER_ID", std::to_string(server)}};
    const std::string& table = plan.experiment.parallel.rankTablePath;
    if (!table.empty()) view.environment["RANK_TABLE_FILE"] = table;
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace slipstream
