// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/check_file.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/config/document_text.h"
#include "engine/config/python_literals.h"

namespace slipstream {
namespace {

void addFindings(const Failures& failures, Verdict severity, std::vector<Finding>& findings) {
  for (const Failure& failure : failures) {
    findings.push_back({failure.where, failure.value, failure.problem, failure.remedy, severity});
  }
}

/// Starts no program that the file names: whoever checks a file may not trust it yet.
std::vector<Finding> checkExperimentFile(const std::filesystem::path& file, const EnvironmentLookup& environment) {
  PlanProblems problems;
  const PlannedFile planned = planExperiments(file, ExperimentOverrides{}, environment, problems, ProgramQuestion());
  return findingsOf(planned, problems);
}

Result<Json> documentOf(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readDocumentText(file));
  return parseJson(text, file.string());
}

/// An experiment's dictionaries may be written in Python.
Result<Json> anyDocumentOf(const std::filesystem::path& file) {
  SLIPSTREAM_TRY(text, readDocumentText(file));
  return parseJson(experimentAsJson(text), file.string());
}

FileCheck checked(const std::filesystem::path& file, std::vector<Finding> findings) {
  FileCheck check{file.string(), Verdict::accept, std::move(findings)};
  for (const Finding& finding : check.findings) check.verdict = std::max(check.verdict, finding.severity);
  return check;
}

FileCheck unreadable(const std::filesystem::path& file, const Failures& failures) {
  std::vector<Finding> findings;
  addFindings(failures, Verdict::reject, findings);
  return checked(file, std::move(findings));
}

}  // namespace

std::vector<Finding> findingsOf(const PlannedFile& planned, const PlanProblems& problems) {
  std::vector<Finding> findings;
  addFindings(problems.wrong, Verdict::reject, findings);
  addFindings(problems.absent, Verdict::warn, findings);
  for (const RunPlan& plan : planned.plans) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.remedy.empty()) continue;
      const Finding finding{decision.subject, decision.state, decision.why.in(), decision.remedy, Verdict::warn};
      const auto same = [&](const Finding& other) {
        return other.path == finding.path && other.value == finding.value;
      };
      if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(finding);
    }
  }
  return findings;
}

FileCheck checkFile(const std::filesystem::path& file, const EnvironmentLookup& environment) {
  const auto root = anyDocumentOf(file);
  if (!root) return unreadable(file, root.error());
  if (looksLikeRankTable(*root)) return checked(file, readRankTable(*root).findings);
  return checked(file, checkExperimentFile(file, environment));
}

FileCheck checkRankTableFile(const std::filesystem::path& file) {
  const auto root = documentOf(file);
  if (!root) return unreadable(file, root.error());
  return checked(file, readRankTable(*root).findings);
}

}  // namespace slipstream
