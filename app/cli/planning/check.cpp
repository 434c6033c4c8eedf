// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/commands.h"
#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/plan/check_file.h"

namespace slipstream::cli {
namespace {

Json toJson(const FileCheck& check) {
  Json findings = Json::array();
  for (const Finding& finding : check.findings) {
    const Failure told = failureOf(finding, finding.path);
    findings.push_back(
        {{"path", told.where}, {"value", told.value}, {"problem", told.problem}, {"remedy", told.remedy}});
    if (!finding.related.empty()) findings.back()["related"] = finding.related;
    if (const std::string code = codeOf(finding.fault); !code.empty()) findings.back()["code"] = code;
  }
  return Json{{"file", check.file}, {"verdict", nameOf(check.verdict)}, {"findings", std::move(findings)}};
}

void printCheck(const FileCheck& check) {
  std::cout << fmt::format("{}: {}\n", check.file, nameOf(check.verdict));
  for (const Finding& finding : check.findings) {
    const std::string code = codeOf(finding.fault);
    std::cout << fmt::format("  {:<6}  {}{}\n", nameOf(finding.severity),
                             printable(toText(failureOf(finding, finding.path))),
                             code.empty() ? "" : " [" + code + "]");
  }
}

}  // namespace

int check(const CheckArguments& arguments, const CommandLine&) {
  bool rejected = false;
  Json list = Json::array();
  for (const std::string& file : arguments.files) {
    const FileCheck result = arguments.rankTablesOnly
                                 ? checkRankTableFile(file)
                                 : checkFile(file, [](const char* name) { return environment(name); });
    rejected = rejected || result.verdict == Verdict::reject;
    if (arguments.json) {
      list.push_back(toJson(result));
    } else {
      printCheck(result);
    }
  }
  if (arguments.json) std::cout << list.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return rejected ? invalidInput : done;
}

}  // namespace slipstream::cli
