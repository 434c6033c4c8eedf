// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_saver.h"

#include <QBuffer>
#include <QDesktopServices>
#include <QFileDialog>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QStandardPaths>
#include <QTimer>
#include <QUrl>

#include "engine/base/files.h"
#include "engine/record/report.h"
#include "ui/compare/compare_query.h"
#include "ui/report/report_paper.h"
#include "ui/theme/tokens.h"

namespace slipstream::ui {
namespace {

constexpr int dotsPerInch = 96, pictureScale = 2, chartColumnsOnPaper = 1400;
const QSizeF sheetA4(794, 1123);
const QSizeF screenSheet(1000, 0);

std::string ending(const std::filesystem::path& file) {
  return QString::fromStdString(file.extension().string()).toLower().toStdString();
}

Status writePdf(const std::vector<QPicture>& sheets, const std::filesystem::path& file) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins({});
    writer.setTitle(QStringLiteral("Slipstream report"));
    QPainter painter(&writer);
    for (std::size_t i = 0; i < sheets.size(); ++i) {
      if (i > 0) writer.newPage();
      painter.drawPicture(QPointF(), sheets[i]);
    }
  }
  return writeFile(file, bytes.toStdString());
}

Status writePng(const QPicture& sheet, const QSizeF& size, const std::filesystem::path& file) {
  QImage image((size * pictureScale).toSize(), QImage::Format_RGB32);
  image.setDotsPerMeterX(3780);  // 96 dpi: a picture is drawn in the proportions that it was recorded with
  image.setDotsPerMeterY(3780);
  image.fill(lightTokens().base);
  {
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(pictureScale, pictureScale);
    painter.drawPicture(QPointF(), sheet);
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return writeFile(file, bytes.toStdString());
}

Status writeCsv(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& file) {
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  return writeFile(file, toCsvText(comparison));
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

ReportSaver::ReportSaver(Workspace& workspace, QWidget* window)
    : QObject(window), workspace_(workspace), window_(window) {}

void ReportSaver::ask() {
  auto* dialog = new QFileDialog(window_, tr("Save report"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const QStringList filters{tr("Web page (*.html)"), tr("Document (*.pdf)"), tr("Picture (*.png)"),
                            tr("Table of what is compared (*.csv)")};
  const QStringList endings{QStringLiteral("html"), QStringLiteral("pdf"), QStringLiteral("png"),
                            QStringLiteral("csv")};
  dialog->setNameFilters(filters);
  dialog->setDefaultSuffix(endings.front());
  dialog->selectFile(QStringLiteral("report.html"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters, endings](const QString& filter) {
    dialog->setDefaultSuffix(endings[std::max<qsizetype>(0, filters.indexOf(filter))]);
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { save(file.toStdString()); });
  dialog->open();
}

void ReportSaver::save(const std::filesystem::path& file) {
  const std::string kind = ending(file);
  if (kind == ".html" || kind == ".htm") {
    return write(file, [file](RunStore& store, const auto& runs) { return writeReport(store, runs, file); });
  }
  if (kind == ".csv") {
    return write(file, [file](RunStore& store, const auto& runs) { return writeCsv(store, runs, file); });
  }
  if (kind == ".pdf" || kind == ".png") return savePages(file);
  fail(QString::fromStdString(
      toText(Failure{file.string(), kind, "the ending names no known format", "write .html, .pdf, .png or .csv"})));
}

void ReportSaver::savePages(const std::filesystem::path& file) {
  const std::vector<std::string> ids = workspace_.selection().shown();
  workspace_.store().longReader().read(
      this, [ids](RunStore& store) { return summarizeReport(store, runsToCompare(store, ids), chartColumnsOnPaper); },
      [this, file, exporting = workspace_.beginExport()](const Result<ReportSummary>& summary) {
        if (!summary) return fail(QString::fromStdString(toText(summary.error())));
        const bool pdf = ending(file) == ".pdf";
        draw(file,
             std::make_shared<ReportPaper>(pdf ? sheetA4 : screenSheet, !pdf,
                                           std::make_shared<const ReportSummary>(*summary)),
             exporting);
      },
      [this](const QString& words) { fail(words); });
}

/// A piece between what else the window does, then the rest in the reader's thread.
void ReportSaver::draw(const std::filesystem::path& file, const std::shared_ptr<ReportPaper>& paper,
                       const std::shared_ptr<void>& exporting) {
  if (paper->drawNext()) {
    QTimer::singleShot(0, this, [this, file, paper, exporting] { draw(file, paper, exporting); });
    return;
  }
  const QSizeF size = paper->size();
  write(file, [sheets = paper->finish(), size, file](RunStore&, const auto&) {
    return ending(file) == ".pdf" ? writePdf(sheets, file) : writePng(sheets.front(), size, file);
  });
}

void ReportSaver::openInBrowser() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::TempLocation);
  const std::string& run = workspace_.selection().current();
  const std::filesystem::path file = std::filesystem::path(folder.toStdString()) / ("slipstream-" + run + ".html");
  write(
      file, [file](RunStore& store, const auto& runs) { return writeReport(store, runs, file); },
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
        workspace_.say(tr("Report saved: %1").arg(name));
        Q_EMIT saved(name);
        if (done) done();
      },
      [this](const QString& words) { fail(words); });
}

void ReportSaver::fail(const QString& words) {
  workspace_.say(words);
  Q_EMIT failed(words);
}

}  // namespace slipstream::ui
