// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_saver.h"

#include <QBuffer>
#include <QDesktopServices>
#include <QFileDialog>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QStandardPaths>
#include <QUrl>

#include "engine/base/files.h"
#include "engine/document/page_layout.h"
#include "engine/report/report.h"
#include "ui/report/document_view.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double imageScale = 2.5, imageWidth = 750;

std::string ending(const std::filesystem::path& file) {
  return QString::fromStdString(file.extension().string()).toLower().toStdString();
}

/// Paints what the engine has laid out. Texts keep the widths of the layout, whatever fonts there are.
struct DrawingPainter {
  QPainter& painter;

  static QColor colourOf(Ink ink, std::string_view own) {
    return QColor(text(std::string(ink == Ink::series ? own : printColour(ink))));
  }
  void operator()(const DrawnPath& drawn) const {
    QPainterPath path;
    for (const auto& line : drawn.lines) {
      QPolygonF points;
      for (const Point& point : line) points << QPointF(point.x, point.y);
      path.addPolygon(points);
    }
    painter.save();
    painter.setOpacity(drawn.opacity);
    if (drawn.fill != Ink::none) painter.fillPath(path, colourOf(drawn.fill, drawn.colour));
    QPen pen(drawn.stroke == Ink::none ? Qt::NoPen : Qt::SolidLine);
    if (drawn.stroke != Ink::none) pen = QPen(colourOf(drawn.stroke, drawn.colour), drawn.width);
    QList<double> dashes;
    for (const QString& length : text(std::string(drawn.dashes)).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      dashes << length.toDouble() / drawn.width;
    }
    if (!dashes.isEmpty()) pen.setDashPattern(dashes);
    painter.strokePath(path, pen);
    painter.restore();
  }
  void operator()(const DrawnBox& box) const {
    painter.fillRect(QRectF(box.x, box.y, box.width, box.height), colourOf(box.fill, box.colour));
  }
  void operator()(const DrawnDot& dot) const {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colourOf(Ink::series, dot.colour));
    painter.drawEllipse(QPointF(dot.at.x, dot.at.y), dot.radius, dot.radius);
  }
  void operator()(const DrawnText& drawn) const {
    const QString words = text(drawn.text);
    QFont font(drawn.font == slipstream::Font::fixed ? QStringLiteral("monospace") : QStringLiteral("sans-serif"));
    constexpr int fine = 16;  // fonts have whole sizes
    font.setPixelSize(static_cast<int>(drawn.size * fine));
    font.setBold(drawn.font == slipstream::Font::strong);
    const double wanted = textWidth(drawn.text, drawn.size, drawn.font);
    const double natural = QFontMetricsF(font).horizontalAdvance(words) / fine;
    const double left = drawn.anchor == Anchor::end ? wanted : drawn.anchor == Anchor::middle ? wanted / 2 : 0;
    painter.save();
    painter.translate(drawn.at.x - left, drawn.at.y);
    painter.scale((natural > 0 ? wanted / natural : 1) / fine, 1.0 / fine);
    painter.setFont(font);
    painter.setPen(colourOf(drawn.ink, {}));
    painter.drawText(QPointF(), words);
    painter.restore();
  }
};

Status writePng(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& file,
                Language language) {
  SLIPSTREAM_TRY(document, reportDocument(store, runs));
  const Drawing page = layOutPages(document, language, {imageWidth, 0, true}).front();
  QImage image((QSizeF(page.width, page.height) * imageScale).toSize(), QImage::Format_RGB32);
  {
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(imageScale, imageScale);
    for (const Mark& mark : page.marks) std::visit(DrawingPainter{painter}, mark);
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
