// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <cmath>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "ui/charts/chart_svg.h"
#include "ui/store/job_thread.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr int pictureScale = 2;
constexpr int pdfDotsPerInch = 96;  ///< as on the screen, so that text and lines keep their proportions
constexpr double millimetresPerInch = 25.4;

bool writePng(const LineChart& chart, const QString& file) {
  QImage image(chart.size() * pictureScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(pictureScale);
  image.fill(tokens().base);
  QPainter painter(&image);
  chart.render(painter, chart.size());
  painter.end();
  return diskThread().wait([image, file] { return image.save(file, "PNG"); });
}

/// What the chart paints, in its own size.
QPicture recordingOf(const LineChart& chart) {
  QPicture recording;
  QPainter painter(&recording);
  painter.fillRect(QRectF(QPointF(), chart.size()), tokens().base);
  chart.render(painter, chart.size());
  painter.end();
  return recording;
}

bool writePdf(const LineChart& chart, const QString& file) {
  const QPicture recording = recordingOf(chart);
  const QSizeF millimetres = QSizeF(chart.size()) / pdfDotsPerInch * millimetresPerInch;
  return diskThread().wait([recording, millimetres, title = chart.picture().title, file] {
    QPdfWriter writer(file);
    writer.setResolution(pdfDotsPerInch);
    writer.setTitle(title);
    writer.setPageSize(QPageSize(millimetres, QPageSize::Millimeter));
    writer.setPageMargins({});
    QPainter painter;
    if (!painter.begin(&writer)) return false;
    painter.drawPicture(QPointF(), recording);
    return painter.end();
  });
}

QString quoted(QString text) {
  return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

}  // namespace

Status savePicture(const LineChart& chart, const QString& file) {
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    return diskThread().wait(
        [file, svg = svgTextOf(chart.picture(), chart.size())] { return writeFile(file.toStdString(), svg); });
  }
  const bool pdf = file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
  const bool png = file.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
  if (!pdf && !png) {
    return fail(file.toStdString(), "", "the ending names no known format", "write .png, .svg or .pdf");
  }
  if (pdf ? writePdf(chart, file) : writePng(chart, file)) return {};
  return fail(file.toStdString(), "", "cannot be written", "choose a folder that can be written to");
}

QString csvText(const CurveTable& table, const QString& xName, const QStringList& names) {
  QString text = quoted(xName);
  for (const QString& name : names) text += QLatin1Char(',') + quoted(name);
  text += QLatin1Char('\n');
  for (std::size_t row = 0; row < table.x.size(); ++row) {
    text += QString::fromStdString(numberText(table.x[row]));
    for (std::size_t column = 0; column < table.values.size(); ++column) {
      text += QLatin1Char(',');
      if (table.present[column][row]) text += QString::fromStdString(numberText(table.values[column][row]));
    }
    text += QLatin1Char('\n');
  }
  return text;
}

}  // namespace slipstream::ui
