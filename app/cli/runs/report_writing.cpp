// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs/report_writing.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/parser/argument_parser.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"

namespace slipstream::cli {

void addReportForm(CLI::App* sub, std::string& output, std::string& language, std::string& paperSize) {
  sub->add_option("-o,--output", output,
                  "File to write: .html or .pdf (the whole report), .json, .csv or .tex (what was found). A name that "
                  "ends in / or is a folder's: a folder with all of that, figures, data and a text on method, which "
                  "LaTeX compiles; one that is there is replaced only where it holds nothing but what this command "
                  "wrote")
      ->required();
  sub->add_option("--language", language, "Language of .html, .pdf, .tex and folders: en or zh")->capture_default_str();
  sub->add_option("--paper-size", paperSize, "Of .pdf and folders: a4 or letter")
      ->check(CLI::IsMember({"a4", "letter"}))
      ->capture_default_str();
}

Result<PaperForm> reportForm(const std::string& output, const std::string& language, const std::string& paperSize) {
  SLIPSTREAM_TRY(chosen, languageOf(language));
  SLIPSTREAM_CHECK(checkPaper(output));
  return PaperForm{chosen, paperSize == "letter" ? PaperSize::letter : PaperSize::a4};
}

int writeReported(const PaperSubject& subject, const std::string& output, const PaperForm& form, bool json) {
  if (const Status written = writePaper(subject, output, form); !written) return report(written.error());
  const std::string place = std::filesystem::absolute(output).string();
  if (json) {
    print({{"report", place}});
  } else {
    fmt::print("report: {}\n", printable(place));
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
