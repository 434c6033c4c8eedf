// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/streams/output.h"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "app/cli/streams/print_line.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

OutputForm chosenForm = OutputForm::text;

std::string toLine(const nlohmann::ordered_json& document) {
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json toJson(const Failures& failures) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Failure& failure : failures) {
    list.push_back(
        {{"where", failure.where}, {"value", failure.value}, {"problem", failure.problem}, {"remedy", failure.remedy}});
  }
  return {{"errors", std::move(list)}};
}

}  // namespace

void setOutputForm(OutputForm form) {
  chosenForm = form;
}

OutputForm outputForm() {
  return chosenForm;
}

int report(const Failures& failures) {
  const bool json = chosenForm == OutputForm::json;
  printLine(stderr, "{}\n", json ? toLine(toJson(failures)) : printable(trim(toText(failures)), "\n"));
  return ExitCode::invalidInput;
}

void remark(const char* kind, const std::string& text) {
  if (chosenForm == OutputForm::json) {
    printLine(stderr, "{}\n", toLine({{kind, text}}));
  } else {
    printLine(stderr, "{}: {}\n", kind, printable(text, "\n"));
  }
}

std::string standardInput() {
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

nlohmann::ordered_json jsonNumber(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

void print(const nlohmann::ordered_json& document) {
  const std::string text = document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
}

}  // namespace slipstream::cli
