#include "ui/experiment/experiment_document.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/base/files.h"

namespace slipstream::ui {
namespace {

constexpr int checkMilliseconds = 150;

}  // namespace

ExperimentDocument::ExperimentDocument(QObject* parent) : Document(QStringLiteral("experiment.json"), parent) {
  timer_.setSingleShot(true);
  timer_.setInterval(checkMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &ExperimentDocument::recheck);
  connect(this, &Document::changed, this, [this] {
    current_ = false;
    timer_.start();
  });
}

struct ExperimentDocument::Planning {
  PlannedFile planned;
  PlanProblems problems;
};

void ExperimentDocument::recheck() {
  const int ticket = newest_.take();
  const QPointer<ExperimentDocument> self(this);
  QThreadPool::globalInstance()->start([self, ticket, text = text(), file = file()] {
    auto planning = std::make_shared<Planning>();
    planning->planned = planExperimentText(
        text, file, {}, [](const char* name) { return environment(name); }, planning->problems);
    QMetaObject::invokeMethod(QCoreApplication::instance(), [self, ticket, planning] {
      if (self && self->newest_.isNewest(ticket)) self->receive(*planning);
    });
  });
}

void ExperimentDocument::receive(const Planning& planning) {
  Problems problems;
  const auto add = [&](const Failures& failures, Verdict severity) {
    for (const Failure& failure : failures) {
      problems.push_back({severity, QString::fromStdString(failure.where), QString::fromStdString(failure.value),
                          QString::fromStdString(failure.problem), QString::fromStdString(failure.remedy), title()});
    }
  };
  add(planning.problems.wrong, Verdict::reject);
  add(planning.problems.absent, Verdict::warn);
  current_ = planning.problems.wrong.empty();
  if (current_) planned_ = std::make_shared<PlannedFile>(planning.planned);
  setProblems(std::move(problems));
  Q_EMIT planChanged();
}

}  // namespace slipstream::ui
