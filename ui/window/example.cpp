// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/example.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "engine/base/files.h"
#include "ui/documents/document_files.h"
#include "ui/store/job_thread.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

QByteArray resource(const QString& name) {
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("the program lacks its resource %s", qPrintable(name));
  return file.readAll();
}

ExpectedCurve curveOf(const QJsonObject& written) {
  ExpectedCurve curve;
  curve.variant = written.value(QStringLiteral("variant")).toString();
  curve.accuracy = written.value(QStringLiteral("accuracy")).toDouble();
  curve.seconds = written.value(QStringLiteral("seconds")).toDouble();
  for (const QJsonValue point : written.value(QStringLiteral("loss")).toArray()) {
    curve.steps.push_back(point.toArray().at(0).toDouble());
    curve.loss.push_back(point.toArray().at(1).toDouble());
  }
  return curve;
}

Expectation readExpectation() {
  const QJsonObject written =
      QJsonDocument::fromJson(resource(QStringLiteral(":/example/quickstart_curve.json"))).object();
  Expectation expected;
  expected.steps = written.value(QStringLiteral("steps")).toInteger();
  for (const QJsonValue curve : written.value(QStringLiteral("curves")).toArray()) {
    expected.curves.push_back(curveOf(curve.toObject()));
  }
  return expected;
}

std::string exampleText() {
  return resource(QStringLiteral(":/experiments/quickstart.json")).toStdString();
}

}  // namespace

const Expectation& expectation() {
  static const Expectation expected = readExpectation();
  return expected;
}

Result<std::filesystem::path> writeExample(const std::filesystem::path& store) {
  const std::string text = exampleText();
  SLIPSTREAM_TRY(file, experimentFileIn(store, "quickstart", text));
  SLIPSTREAM_CHECK(writeFile(file, text));
  return file;
}

void launchExample(Workspace& workspace) {
  const std::filesystem::path store = workspace.store().folder();
  diskThread().run(
      &workspace, [store] { return writeExample(store); },
      [&workspace](const Result<std::filesystem::path>& file) {
        if (!file) return Q_EMIT workspace.launcher().refused(QString::fromStdString(toText(file.error())));
        ExperimentDocument& experiment = workspace.experiment();
        if (!experiment.isModified()) {
          const Status loaded = experiment.load(*file);
          if (!loaded) workspace.report(QString::fromStdString(toText(loaded.error())));
        }
        workspace.launcher().runInTurn(QStringLiteral("quickstart"), exampleText(), *file);
      });
}

}  // namespace slipstream::ui
