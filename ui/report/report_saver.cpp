// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_saver.h"

#include <QBuffer>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QUrl>

#include "engine/base/files.h"
#include "engine/document/page_layout.h"
#include "engine/report/report.h"
#include "ui/report/document_view.h"
#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double imageScale = 2.5, imageWidth = 750;

std::string ending(const std::filesystem::path& file) {
  return QString::fromStdString(file.extension().string()).toLower().toStdString();
}

Status writePng(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& file,
                Language language) {
  SLIPSTREAM_TRY(document, reportDocument(store, runs));
  const Drawing page = layOutPages(document, language, {imageWidth, 0, true}).front();
  QImage image((QSizeF(page.width, page.height) * imageScale).toSize(), QImage::Format_RGB32);
  {
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(imageScale, imageScale);
    DrawingPainter{painter}.paint(page);
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return writeFile(file, bytes.toStdString());
}

/// What fails under a job becomes words like every other failure.
template <class Action>
Status guarded(const std::filesystem::path& file, Action action) {
  try {
    return action();
  } catch (const std::exception& error) {
    return slipstream::fail(file.string(), "", error.what(), "try again");
  }
}

}  // namespace

std::vector<RunRecord> runsToCompare(RunStore& store, const std::vector<std::string>& ids) {
  std::vector<RunRecord> runs;
  for (const std::string& id : ids) {
    if (auto run = store.find(id)) runs.push_back(std::move(*run));
  }
  const std::map<std::string, RunLabel> labels = store.labels();
  const auto isPinned = [&](const RunRecord& run) {
    const auto label = labels.find(run.id);
    return label != labels.end() && label->second.pinned;
  };
  std::stable_partition(runs.begin(), runs.end(), isPinned);
  return runs;
}

ReportSaver::ReportSaver(Workspace& workspace, QWidget* window)
    : QObject(window), workspace_(workspace), window_(window) {}

void ReportSaver::ask() {
  auto* dialog = new QFileDialog(window_, tr("Save report"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const QStringList filters{tr("Web page (*.html)"), tr("Document (*.pdf)"), tr("Image (*.png)"),
                            tr("Table of what is compared (*.csv)")};
  const QStringList endings{QStringLiteral("html"), QStringLiteral("pdf"), QStringLiteral("png"),
                            QStringLiteral("csv")};
  dialog->setNameFilters(filters);
  dialog->setDefaultSuffix(endings.front());
  const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  dialog->setDirectory(documents.exists() ? documents : QDir::home());
  dialog->selectFile(proposedName());
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters, endings](const QString& filter) {
    dialog->setDefaultSuffix(endings[std::max<qsizetype>(0, filters.indexOf(filter))]);
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { save(file.toStdString()); });
  dialog->open();
}

/// "lenet5-on-digits-report.html", of the experiment of the run at hand.
QString ReportSaver::proposedName() const {
  const RunRow* run = workspace_.currentRun();
  QString name = run == nullptr ? QString() : QString::fromStdString(run->run.experimentName).toLower();
  static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N}_]+"));
  name.replace(others, QStringLiteral("-"));
  return name.isEmpty() ? QStringLiteral("report.html") : name + QStringLiteral("-report.html");
}

void ReportSaver::save(const std::filesystem::path& file) {
  const std::string kind = ending(file);
  const Language language = windowLanguage();
  if (kind == ".png") {
    return write(file,
                 [file, language](RunStore& store, const auto& runs) { return writePng(store, runs, file, language); });
  }
  if (kind == ".html" || kind == ".htm" || kind == ".csv" || kind == ".pdf") {
    return write(
        file, [file, language](RunStore& store, const auto& runs) { return writeReport(store, runs, file, language); });
  }
  fail(QString::fromStdString(
      toText(Failure{file.string(), kind, "the ending names no known format", "write .html, .pdf, .png or .csv"})));
}

void ReportSaver::openInBrowser() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::TempLocation);
  const std::string& run = workspace_.selection().current();
  const std::filesystem::path file = std::filesystem::path(folder.toStdString()) / ("slipstream-" + run + ".html");
  write(
      file,
      [file, language = windowLanguage()](RunStore& store, const auto& runs) {
        return writeReport(store, runs, file, language);
      },
      [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(file.string()))); });
}

void ReportSaver::write(const std::filesystem::path& file,
                        const std::function<Status(RunStore&, const std::vector<RunRecord>&)>& action,
                        const std::function<void()>& done) {
  const std::vector<std::string> ids = workspace_.selection().shown();
  if (ids.empty()) return fail(tr("No run is chosen"));
  workspace_.store().longReader().readToTheEnd(
      this,
      [ids, file, action](RunStore& store) {
        return guarded(file, [&] { return action(store, runsToCompare(store, ids)); });
      },
      [this, file, done, exporting = workspace_.beginExport()](const Status& written) {
        if (!written) return fail(QString::fromStdString(toText(written.error())));
        const QString name = QString::fromStdString(file.string());
        workspace_.report(tr("Report saved: %1").arg(name));
        Q_EMIT saved(name);
        if (done) done();
      },
      [this](const QString& words) { fail(words); });
}

void ReportSaver::fail(const QString& words) {
  workspace_.report(words);
  Q_EMIT failed(words);
}

}  // namespace slipstream::ui
