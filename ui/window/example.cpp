#include "ui/window/example.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "engine/base/files.h"
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

}  // namespace

const Expectation& expectation() {
  static const Expectation expected = readExpectation();
  return expected;
}

Result<std::filesystem::path> writeExample(const std::filesystem::path& store) {
  const std::filesystem::path file = store / "experiments" / "quickstart.json";
  SLIPSTREAM_CHECK(makeFolder(file.parent_path()));
  SLIPSTREAM_CHECK(writeFile(file, resource(QStringLiteral(":/experiments/quickstart.json")).toStdString()));
  return file;
}

void launchExample(Workspace& workspace) {
  const auto file = writeExample(workspace.store().folder());
  if (!file) return Q_EMIT workspace.launcher().refused(QString::fromStdString(toText(file.error())));
  ExperimentDocument& experiment = workspace.experiment();
  if (!experiment.isModified()) {
    const Status loaded = experiment.load(*file);
    if (!loaded) workspace.say(QString::fromStdString(toText(loaded.error())));
  }
  workspace.launcher().runInTurn(*file, QStringLiteral("quickstart"));
}

}  // namespace slipstream::ui
