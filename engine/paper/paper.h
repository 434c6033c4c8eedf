// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/document/document.h"
#include "engine/store/run_store.h"
#include "engine/store/study_table.h"

namespace slipstream {

/// What is reported: a study, or runs, the first one being the reference.
struct PaperSubject {
  RunStore& store;
  std::optional<StudyRecord> study = {};
  std::vector<RunRecord> runs = {};
};

struct PaperForm {
  Language language = Language::english;
  PaperSize size = PaperSize::a4;
};

/// Whether a report can be written under this name: a folder (paper_folder.h), or a file whose suffix is .html or .pdf
/// (the whole report), .json, .csv or .tex (what was found alone). Looks at names and folders, not at the subject.
Status checkPaper(const std::filesystem::path& output);

/// Writes the folder, or what the file's suffix asks for; it is whole or as it was. Of a folder: report.html,
/// report.pdf, paper.tex, which pdfLaTeX compiles, the tables and the text on method that it reads, figures/, data/,
/// environment.json, what was frozen or asked, README.txt and contents.json.
Status writePaper(const PaperSubject& subject, const std::filesystem::path& output, const PaperForm& form = {});

/// The whole report of a study.
Result<ReportDocument> studyReport(RunStore& store, const StudyRecord& record);

}  // namespace slipstream
