// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/plan_cache.h"

#include <system_error>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"

namespace slipstream {
namespace {

/// Empty where the file is not what was written.
std::string textAt(const nlohmann::json& json, const char* key) {
  const bool there = json.is_object() && json.contains(key) && json[key].is_string();
  return there ? json[key].get<std::string>() : std::string();
}

}  // namespace

const CudnnPlan* PlanCache::find(const PlanRequest& request) {
  const std::string key = keyOf(request);
  auto known = plans_.find(key);
  if (known == plans_.end()) known = plans_.emplace(key, search(request)).first;
  return known->second ? &*known->second : nullptr;
}

const CudnnPlan& PlanCache::plan(const PlanRequest& request) {
  if (const CudnnPlan* found = find(request)) return *found;
  throw Error("cuDNN has no engine for: " + keyOf(request));
}

std::optional<CudnnPlan> PlanCache::search(const PlanRequest& request) const {
  if (auto before = kept(request)) return std::move(before->plan);
  PlanChoice made = CudnnPlan::build(request, device_, tryPlans_);
  if (!made.isFinal) return std::move(made.plan);
  keep(request, made.plan);
  auto found = kept(request);  // another rank may have been there first
  return found ? std::move(found->plan) : std::move(made.plan);
}

std::filesystem::path PlanCache::fileOf(const PlanRequest& request) const {
  return folder_ / (sha256(keyOf(request)) + ".json");
}

std::optional<PlanChoice> PlanCache::kept(const PlanRequest& request) const {
  if (folder_.empty()) return std::nullopt;
  const auto text = readFile(fileOf(request));
  if (!text) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (textAt(json, "key") != keyOf(request)) return std::nullopt;
  if (json.contains("plan") && json["plan"].is_null()) return PlanChoice{std::nullopt};
  auto plan = CudnnPlan::load(textAt(json, "plan"), textAt(json, "engine"), device_);
  if (!plan) return std::nullopt;
  return PlanChoice{std::move(plan)};
}

/// Not over what somebody else has kept meanwhile. Without the file the next program searches again, which is no
/// failure.
void PlanCache::keep(const PlanRequest& request, const std::optional<CudnnPlan>& plan) const {
  if (folder_.empty() || !makeFolder(folder_)) return;
  nlohmann::json json{{"key", keyOf(request)}, {"plan", nullptr}};
  if (plan) json.update({{"engine", plan->name()}, {"plan", plan->serialised()}});
  const auto file = fileOf(request);
  const auto mine = std::filesystem::path(file.string() + "." + std::to_string(::getpid()));
  if (!writeFile(mine, json.dump())) return;
  std::error_code taken;
  std::filesystem::create_hard_link(mine, file, taken);
  std::error_code ignored;
  if (taken && !kept(request)) std::filesystem::rename(mine, file, ignored);
  std::filesystem::remove(mine, ignored);
}

}  // namespace slipstream
