// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/paper/paper.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/analysis/comparison.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/latex/latex_files.h"
#include "engine/paper/paper_folder.h"
#include "engine/paper/study_report.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

/// The report, and the files that hold what it is from.
struct PaperContent {
  ReportParts parts;
  std::vector<NamedFile> files;
};

/// A study with its verdict, its runs and its colours, for as long as a report is made from them.
class OpenedStudy {
 public:
  static Result<std::unique_ptr<OpenedStudy>> open(RunStore& store, const StudyRecord& record) {
    KnownRuns known;
    SLIPSTREAM_TRY(verdict, verdictOf(store, record, &known));
    return std::unique_ptr<OpenedStudy>(new OpenedStudy(store, record, std::move(verdict), known));
  }
  StudyReportInput input() { return {store_, record_, verdict_, runs_, judged_, colours_}; }
  const StudyVerdict& verdict() const { return verdict_; }

 private:
  OpenedStudy(RunStore& store, const StudyRecord& record, StudyVerdict verdict, KnownRuns& known)
      : store_(store),
        record_(record),
        verdict_(std::move(verdict)),
        runs_(store, store.studies().cells(record.number), &known),
        judged_(store, judgedCells(store.studies().cells(record.number), verdict_.judgedRounds), &known) {
    std::vector<std::string> names;
    for (const StudyVariant& variant : verdict_.study.variants) names.push_back(variant.name);
    std::vector<RunRecord> runs;
    for (const CellResult& cell : runs_.cells()) runs.push_back(cell.run);
    colours_ = printColours(store, runs, names);
  }

  RunStore& store_;
  StudyRecord record_;
  StudyVerdict verdict_;
  StudyRuns runs_, judged_;
  std::map<std::string, int> colours_;
};

/// Each environment once, with the runs that were made in it.
std::string environmentsText(const std::vector<RunRecord>& runs) {
  std::vector<std::pair<std::string, nlohmann::ordered_json>> found;
  for (const RunRecord& run : runs) {
    if (run.id.empty()) continue;
    const auto same = std::ranges::find(found, run.environmentText, [](const auto& one) { return one.first; });
    if (same == found.end())
      found.push_back({run.environmentText, nlohmann::ordered_json::array({run.id})});
    else
      same->second.push_back(run.id);
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [text, ids] : found) {
    auto environment = nlohmann::ordered_json::parse(text, nullptr, false);
    if (environment.is_discarded()) environment = text;
    list.push_back({{"environment", std::move(environment)}, {"runs", ids}});
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<PaperContent> contentOf(RunStore& store, const StudyRecord& record) {
  SLIPSTREAM_TRY(opened, OpenedStudy::open(store, record));
  const StudyReportInput input = opened->input();
  SLIPSTREAM_TRY(parts, studyParts(input));
  std::vector<RunRecord> runs;
  for (const CellResult& cell : input.runs.cells()) runs.push_back(cell.run);
  return PaperContent{std::move(parts),
                      {{"data/comparisons.csv", toCsvText(opened->verdict())},
                       {"data/verdict.json", toJsonText(opened->verdict()) + "\n"},
                       {"data/runs.csv", cellsCsv(input)},
                       {"environment.json", environmentsText(runs)},
                       {"frozen.json", record.frozenText}}};
}

/// Each experiment file once, under the id of the first run that was asked by it.
void addExperiments(const std::vector<RunRecord>& runs, std::vector<NamedFile>& files) {
  std::set<std::string> seen;
  for (const RunRecord& run : runs) {
    if (!seen.insert(run.experimentText).second) continue;
    files.push_back({"data/experiment-" + run.id + ".json", run.experimentText});
  }
}

Result<PaperContent> contentOf(RunStore& store, const std::vector<RunRecord>& runs) {
  SLIPSTREAM_TRY(parts, reportParts(store, runs));
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  PaperContent content{std::move(parts),
                       {{"data/comparisons.csv", toCsvText(comparison)},
                        {"data/comparison.json", toJsonText(comparison) + "\n"},
                        {"data/runs.csv", toCsv(outcomesTable(comparison))},
                        {"environment.json", environmentsText(runs)}}};
  addExperiments(runs, content.files);
  return content;
}

Result<PaperContent> contentOf(const PaperSubject& subject) {
  return subject.study ? contentOf(subject.store, *subject.study) : contentOf(subject.store, subject.runs);
}

std::vector<ReportDocument*> documentsOf(ReportParts& parts) {
  return {&parts.front, &parts.method, &parts.back};
}

/// Gives every figure a name of its own, and the first table that is to be read as table.tex this name.
void giveNames(ReportParts& parts) {
  std::set<std::string> names;
  std::vector<Table*> tables;
  for (ReportDocument* document : documentsOf(parts)) {
    for (Block& block : document->blocks) {
      if (auto* table = std::get_if<Table>(&block)) tables.push_back(table);
      auto* figure = std::get_if<Figure>(&block);
      if (figure == nullptr) continue;
      const std::string name = figure->name.empty() ? "figure" : figure->name;
      figure->name = name;
      for (int count = 2; !names.insert(figure->name).second; ++count) figure->name = fmt::format("{}-{}", name, count);
    }
  }
  if (std::ranges::any_of(tables, [](const Table* table) { return table->name == "table"; })) return;
  // One variant alone is compared with nothing: its runs are what there is.
  const auto runs = std::ranges::find(tables, "runs", [](const Table* table) { return table->name; });
  if (runs != tables.end()) (*runs)->name = "table";
}

/// The figures' files: what they draw is data, the rest is beside each other.
Status addFigures(const ReportDocument& document, Language language, const std::shared_ptr<PrintFonts>& fonts,
                  std::vector<NamedFile>& files) {
  for (const Block& block : document.blocks) {
    const auto* figure = std::get_if<Figure>(&block);
    if (figure == nullptr) continue;
    SLIPSTREAM_TRY(made, figureFiles(*figure, language, fonts));
    for (NamedFile& file : made) {
      const char* folder = file.name.ends_with(".csv") ? "data/" : "figures/";
      files.push_back({folder + file.name, std::move(file.content)});
    }
  }
  return {};
}

/// paper.tex and what it reads.
Status addLatex(const ReportParts& parts, const PaperForm& form, std::vector<NamedFile>& files) {
  const LatexFiles front = latexFiles(parts.front, form.language), method = latexFiles(parts.method, form.language),
                   back = latexFiles(parts.back, form.language);
  std::vector<NamedFile> sources{{"method.tex", method.body}};
  for (const LatexFiles* part : {&front, &method, &back}) {
    for (const auto& [name, text] : part->tables) sources.push_back({name + ".tex", text});
  }
  std::vector<std::string_view> read{front.body, back.body};
  for (const NamedFile& source : sources) read.push_back(source.content);
  for (const NamedFile& file : files) {
    if (file.name.starts_with("figures/") && file.name.ends_with(".tex")) read.push_back(file.content);
  }
  if (form.language == Language::chinese) read.push_back("图表");  // names of figures and tables
  const std::u32string pictured = picturedCharacters(read);
  if (!pictured.empty()) {
    SLIPSTREAM_TRY(characters, charactersPdf(pictured));
    sources.push_back({"characters.pdf", std::move(characters)});
  }
  sources.push_back({"paper.tex", latexPreamble(form.size, form.language, pictured) + "\n\\begin{document}\n" +
                                      front.body + "\n\\input{method.tex}\n" + back.body + "\n\\end{document}\n"});
  for (NamedFile& source : sources) files.push_back(std::move(source));
  return {};
}

std::string readmeText(const PaperSubject& subject) {
  const std::string of = subject.study ? "the study " + subject.study->name : counted(std::ssize(subject.runs), "run");
  return "Written by Slipstream from " + of +
         ".\n\n"
         "report.html, report.pdf  the report, to be read\n"
         "paper.tex                the same as LaTeX: pdflatex paper (booktabs, siunitx and pgfplots; once is enough)\n"
         "table.tex, ...           its tables, to be read with \\input in a paper of yours\n"
         "method.tex, method.txt   what was frozen, how it was judged, what was left out, what failed\n"
         "figures/                 every figure as .svg and .pdf; charts also as .tex and .dat for pgfplots:\n"
         "                         \\newcommand\\figurefolder{FOLDER} where they are elsewhere\n"
         "data/                    what tables and figures are made of, as CSV and JSON\n"
         "environment.json         machine, system and versions, with the runs that were made there\n" +
         (subject.study ? "frozen.json              what was frozen: sha256sum gives the hash that the report names\n"
                        : "") +
         "contents.json            SHA-256 of every file; slipstream replaces this folder only where they still hold\n";
}

/// Everything but contents.json.
Result<std::vector<NamedFile>> filesOf(const PaperSubject& subject, const PaperForm& form) {
  SLIPSTREAM_TRY(content, contentOf(subject));
  giveNames(content.parts);
  const ReportDocument whole = joined(content.parts);
  std::vector<NamedFile> files = std::move(content.files);
  SLIPSTREAM_TRY(pdf, toPdf(whole, form.language, form.size));
  files.push_back({"report.html", toHtml(whole, form.language)});
  files.push_back({"report.pdf", std::move(pdf)});
  files.push_back({"method.txt", trim(toTerminal(content.parts.method, form.language)) + "\n"});
  files.push_back({"README.txt", readmeText(subject)});
  const auto fonts = sharedFonts();
  SLIPSTREAM_CHECK(addFigures(whole, form.language, fonts, files));
  SLIPSTREAM_CHECK(addLatex(content.parts, form, files));
  return files;
}

std::string suffixOf(const std::filesystem::path& output) {
  std::string suffix = output.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return suffix;
}

Result<std::string> studyFile(RunStore& store, const StudyRecord& record, const std::string& suffix,
                              const PaperForm& form) {
  if (suffix == ".html" || suffix == ".htm" || suffix == ".pdf") {
    SLIPSTREAM_TRY(document, studyReport(store, record));
    if (suffix == ".pdf") return toPdf(document, form.language, form.size);
    return toHtml(document, form.language);
  }
  SLIPSTREAM_TRY(verdict, verdictOf(store, record));
  if (suffix == ".json") return toJsonText(verdict) + "\n";
  return suffix == ".csv" ? toCsvText(verdict) : toLatex(studyDocument(verdict), form.language);
}

}  // namespace

Result<ReportDocument> studyReport(RunStore& store, const StudyRecord& record) {
  SLIPSTREAM_TRY(opened, OpenedStudy::open(store, record));
  SLIPSTREAM_TRY(parts, studyParts(opened->input()));
  return joined(parts);
}

Status checkPaper(const std::filesystem::path& output) {
  return namesFolder(output) ? checkPaperFolder(output) : checkReportFile(output);
}

Status writePaper(const PaperSubject& subject, const std::filesystem::path& output, const PaperForm& form) {
  SLIPSTREAM_CHECK(checkPaper(output));
  if (namesFolder(output)) {
    SLIPSTREAM_TRY(files, filesOf(subject, form));
    return replacePaperFolder(output, std::move(files));
  }
  if (!subject.study) return writeReport(subject.store, subject.runs, output, form.language, form.size);
  SLIPSTREAM_TRY(text, studyFile(subject.store, *subject.study, suffixOf(output), form));
  return writeFile(output, text);
}

}  // namespace slipstream
