// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/experiment_document.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/check_file.h"
#include "ui/documents/experiment_editing.h"

namespace slipstream::ui {
namespace {

constexpr int checkMilliseconds = 150;

}  // namespace

ExperimentDocument::ExperimentDocument(QObject* parent)
    : Document(QStringLiteral("experiment.json"), parent), editing_(new ExperimentEditing(*this)) {
  timer_.setSingleShot(true);
  timer_.setInterval(checkMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &ExperimentDocument::recheck);
  connect(this, &Document::changed, this, [this] {
    current_ = false;
    planning_ = true;
    timer_.start();
  });
}

struct ExperimentDocument::Planning {
  PlannedFile planned;
  PlanProblems problems;
};

namespace {

/// A text that is being written starts no program.
Result<std::vector<LayerSpec>> refuseToAsk(const Experiment& experiment) {
  return fail("network.program", experiment.network.program.front(),
              "computes the network, and the window does not start it to ask for its tensors",
              "use `slipstream plan FILE` and `slipstream run FILE`; runs of it are shown here as all others");
}

}  // namespace

void ExperimentDocument::recheck() {
  const int ticket = latest_.take();
  if (file().empty() && text().empty()) return receiveNothing();
  const QPointer<ExperimentDocument> self(this);
  const std::filesystem::path place = file().empty() ? std::filesystem::path(title().toStdString()) : file();
  QThreadPool::globalInstance()->start([self, ticket, text = text(), place, inspection = inspection_] {
    auto planning = std::make_shared<Planning>();
    planning->planned = planExperimentText(
        text, place, {}, [](const char* name) { return environment(name); }, planning->problems,
        [&](const DatasetSpec& dataset) { return (*inspection)(dataset); }, refuseToAsk);
    QMetaObject::invokeMethod(QCoreApplication::instance(), [self, ticket, planning] {
      if (self && self->latest_.isLatest(ticket)) self->receive(*planning);
    });
  });
}

/// Nothing is open, and that is no mistake.
void ExperimentDocument::receiveNothing() {
  planning_ = false;
  setProblems({});
  Q_EMIT planChanged();
}

void ExperimentDocument::receive(const Planning& planning) {
  Problems problems;
  for (const Finding& finding : findingsOf(planning.planned, planning.problems)) {
    const QString where = QString::fromStdString(finding.path);
    problems.push_back({finding.severity, where, QString::fromStdString(finding.value),
                        QString::fromStdString(finding.problem), QString::fromStdString(finding.remedy), title()});
    problems.back().show = [this, where] { Q_EMIT placeWanted(where); };
  }
  planning_ = false;
  current_ = planning.problems.wrong.empty();
  if (current_) planned_ = std::make_shared<PlannedFile>(planning.planned);
  setProblems(std::move(problems));
  Q_EMIT planChanged();
}

QString ExperimentDocument::proposedName() const {
  const Json& root = editing_->root();
  const bool named = root.is_object() && root.contains("name") && root["name"].is_string();
  QString name = named ? QString::fromStdString(root["name"].get<std::string>()) : QString();
  name.replace(QLatin1Char('/'), QLatin1Char('-'));
  return name.trimmed().isEmpty() ? title() : name.trimmed();
}

}  // namespace slipstream::ui
