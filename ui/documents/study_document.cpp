// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/study_document.h"

#include "engine/base/text.h"
#include "engine/config/document_text.h"
#include "engine/config/json_edit.h"
#include "engine/config/python_literals.h"
#include "ui/store/pool_job.h"

namespace slipstream::ui {
namespace {

constexpr int studyCheckMilliseconds = 150;

Json readJson(const std::string& text) {
  const Json read = Json::parse(text, nullptr, false);
  return read.is_object() ? read : Json();
}

std::string keyText(const Json& root, const char* key) {
  return root.is_object() && root.contains(key) && root[key].is_string() ? trim(root[key].get<std::string>()) : "";
}

/// A name that a file can have.
std::string fileName(std::string name) {
  for (char& letter : name) {
    if (letter == '/' || letter == '\0') letter = '-';
  }
  return name.starts_with('.') ? "_" + name : name;
}

std::filesystem::path baseOf(const Json& root, const std::filesystem::path& file) {
  const std::string base = keyText(root, "base");
  if (base.empty()) return {};
  return file.empty() ? std::filesystem::path(base) : file.parent_path() / base;
}

}  // namespace

StudyDocument::StudyDocument(QObject* parent) : Document(QStringLiteral("study.json"), parent) {
  timer_.setSingleShot(true);
  timer_.setInterval(studyCheckMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &StudyDocument::recheck);
  connect(this, &Document::changed, this, &StudyDocument::reread);
}

bool StudyDocument::isBlank() const {
  return file().empty() && trim(text()).empty();
}

QString StudyDocument::proposedName() const {
  const std::string name = keyText(root_, "name");
  return name.empty() ? title() : QString::fromStdString(fileName(name));
}

std::filesystem::path StudyDocument::place() const {
  if (!file().empty()) return file();
  const std::filesystem::path base = baseOf(root_, {});
  const std::string name = keyText(root_, "name");
  if (!base.is_absolute() || name.empty()) return {};
  return base.parent_path() / "studies" / (fileName(name) + ".json");
}

void StudyDocument::change(const QString& label, const std::function<void(Json&)>& edits, int mergeKey) {
  Json root = isBlank() ? Json::object() : root_;
  if (!root.is_object()) return;
  edits(root);
  edit(prettyJson(root) + "\n", label, mergeKey);
}

void StudyDocument::reread() {
  root_ = readJson(text());
  current_ = false;
  timer_.start();
}

struct StudyDocument::Checking {
  Failures failures;
  Json base;
  std::shared_ptr<Checked> checked = std::make_shared<Checked>();
};

void StudyDocument::recheck() {
  if (isBlank()) {
    latest_.take();
    return receive({});
  }
  const std::filesystem::path at = place();
  const auto check = [text = text(), at, base = baseOf(root_, file()), inspection = inspection_] {
    Checking checking;
    if (const auto read = readDocumentText(base)) checking.base = readJson(experimentAsJson(*read));
    auto study = readStudyText(text, at.empty() ? "study.json" : at);
    if (collect(study, checking.failures)) {
      checking.checked->check = checkStudy(*study, [&](const DatasetSpec& dataset) { return (*inspection)(dataset); });
      checking.failures = checking.checked->check.failures;
      checking.checked->study = std::move(*study);
    }
    return checking;
  };
  runLatestInPool(this, latest_, check, [this](const Checking& checking) { receive(checking); });
}

void StudyDocument::receive(const Checking& checking) {
  base_ = checking.base;
  checked_ = checking.checked;
  current_ = true;
  Problems problems;
  for (const Failure& failure : checking.failures) {
    const QString where = QString::fromStdString(failure.where);
    problems.push_back({Verdict::reject, where, QString::fromStdString(failure.value),
                        QString::fromStdString(failure.problem), QString::fromStdString(failure.remedy), title()});
    problems.back().show = [this, where] { Q_EMIT placeWanted(where); };
  }
  setProblems(std::move(problems));
  Q_EMIT checkedChanged();
}

}  // namespace slipstream::ui
