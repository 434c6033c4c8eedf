#include "engine/plan/run_plan.h"

#include <nlohmann/json.hpp>

#include "engine/plan/fields.h"

namespace slipstream {
namespace {

void describePlace(Fields& fields, RankPlace& place) {
  fields.integer("rank", place.rank, atLeast(0));
  fields.integer("server", place.server, atLeast(0));
  fields.text("host", place.host, {});
  fields.integer("device_id", place.deviceId, atLeast(0));
}

void describeDecision(Fields& fields, Decision& decision) {
  fields.text("subject", decision.subject, {});
  fields.text("state", decision.state, {});
  fields.text("why", decision.why, {});
}

void describePlan(Fields& fields, RunPlan& plan, Json& experiment) {
  fields.raw("experiment", experiment);
  fields.list(
      "places", plan.places.size(), [&](std::size_t count) { plan.places.resize(count); },
      [&](Fields& inner, std::size_t i) { describePlace(inner, plan.places[i]); });
  fields.flag("local", plan.local);
  fields.integer("threads_per_rank", plan.threadsPerRank, atLeast(1));
  fields.integer("train_samples", plan.trainSamples, atLeast(0));
  fields.integer("steps_per_epoch", plan.stepsPerEpoch, atLeast(0));
  fields.integer("total_steps", plan.totalSteps, atLeast(0));
  fields.text("instruction_set", plan.instructionSet, {});
  fields.flag("allow_different_bits", plan.allowDifferentBits);
  fields.list(
      "decisions", plan.decisions.size(), [&](std::size_t count) { plan.decisions.resize(count); },
      [&](Fields& inner, std::size_t i) { describeDecision(inner, plan.decisions[i]); });
  fields.section("memory_per_rank", [&](Fields& inner) {
    for (const char* category : {"weights", "gradients", "optimizer_state", "gather", "boost", "activations", "data"}) {
      inner.integer(category, plan.memoryPerRank[category], atLeast(0));
    }
  });
}

}  // namespace

std::vector<Decision> allDecisions(const RunPlan& plan) {
  std::vector<Decision> all = plan.experiment.boost.decisions;
  all.insert(all.end(), plan.decisions.begin(), plan.decisions.end());
  return all;
}

std::string toJsonText(const RunPlan& plan) {
  RunPlan copy = plan;
  Json experiment = toJson(plan.experiment);
  return writeFields([&](Fields& fields) { describePlan(fields, copy, experiment); }).dump(2);
}

Result<RunPlan> parseRunPlan(const std::string& jsonText) {
  SLIPSTREAM_TRY(value, parseJson(jsonText, "run plan"));
  RunPlan plan;
  Json experiment;
  Failures failures;
  readFields(value, "", failures, [&](Fields& fields) { describePlan(fields, plan, experiment); });
  auto resolved = experimentFromJson(experiment, "experiment");
  collect(resolved, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  plan.experiment = std::move(*resolved);
  return plan;
}

}  // namespace slipstream
