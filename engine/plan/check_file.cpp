#include "engine/plan/check_file.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/planning.h"

namespace slipstream {
namespace {

void addFindings(const Failures& failures, Verdict severity, std::vector<Finding>& findings) {
  for (const Failure& failure : failures) {
    findings.push_back({failure.where, failure.value, failure.problem, failure.remedy, severity});
  }
}

std::vector<Finding> checkExperimentFile(const std::filesystem::path& file, const EnvironmentLookup& environment) {
  PlanProblems problems;
  const PlannedFile planned = planExperiments(file, ExperimentOverrides{}, environment, problems);
  std::vector<Finding> findings;
  addFindings(problems.wrong, Verdict::reject, findings);
  addFindings(problems.absent, Verdict::warn, findings);
  for (const RunPlan& plan : planned.plans) {
    for (const Decision& decision : allDecisions(plan)) {
      if (!decision.why.starts_with("no effect")) continue;
      const Finding finding{decision.subject, decision.state, decision.why, "remove it where that is meant",
                            Verdict::warn};
      const auto same = [&](const Finding& other) {
        return other.path == finding.path && other.value == finding.value;
      };
      if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(finding);
    }
  }
  return findings;
}

std::vector<Finding> findingsOf(const std::filesystem::path& file, const EnvironmentLookup& environment) {
  std::vector<Finding> findings;
  const auto text = readFile(file);
  if (!text) {
    addFindings(text.error(), Verdict::reject, findings);
    return findings;
  }
  const auto root = parseJson(*text, file.string());
  if (!root) {
    addFindings(root.error(), Verdict::reject, findings);
    return findings;
  }
  if (looksLikeRankTable(*root)) return readRankTable(*root).findings;
  return checkExperimentFile(file, environment);
}

}  // namespace

FileCheck checkFile(const std::filesystem::path& file, const EnvironmentLookup& environment) {
  FileCheck check{file.string(), Verdict::accept, findingsOf(file, environment)};
  for (const Finding& finding : check.findings) check.verdict = std::max(check.verdict, finding.severity);
  return check;
}

}  // namespace slipstream
