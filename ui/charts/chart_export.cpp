// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QFontInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "ui/charts/chart_legend.h"
#include "ui/charts/chart_lines.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

std::string nameOf(const QColor& colour) {
  return colour.name().toStdString();
}

std::string escapedText(const QString& text) {
  return text.toHtmlEscaped().toStdString();
}

std::string pathOf(const QPolygonF& points) {
  std::string path;
  for (qsizetype i = 0; i < points.size(); ++i) {
    path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", points[i].x(), points[i].y());
  }
  return path;
}

/// The attribute for dashes of these lengths; nothing of a solid line.
std::string dashesOf(const QList<double>& lengths) {
  return lengths.isEmpty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", fmt::join(lengths, " "));
}

std::string pathOf(const Stroke& stroke) {
  QList<double> dashes;
  if (stroke.pen.style() != Qt::SolidLine) dashes = stroke.pen.dashPattern();
  for (double& length : dashes) length *= stroke.pen.widthF();
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n",
                     pathOf(stroke.points), nameOf(stroke.pen.color()), stroke.pen.widthF(), dashesOf(dashes));
}

int pixelsOf(TextSize size) {
  return QFontInfo(textFont(size)).pixelSize();
}

/// `anchor`: start, middle or end.
std::string textAt(double x, double y, const QString& text, TextSize size, const QColor& colour, const char* anchor) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x,
                     y, pixelsOf(size), nameOf(colour), anchor, size == TextSize::section ? " font-weight=\"600\"" : "",
                     escapedText(text));
}

std::string lineAt(double x, double y, double toX, double toY, const QColor& colour, const char* dashes = "") {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"{}/>\n", x, y, toX, toY, nameOf(colour),
                     *dashes == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

std::string axesOf(const ChartFrame& frame) {
  std::string svg;
  const QRectF& plot = frame.plot;
  for (std::size_t i = 0; i < frame.yTicks.size(); ++i) {
    const double y = frame.toY(frame.yTicks[i]);
    svg += lineAt(plot.left(), y, plot.right(), y, tokens().chartGrid);
    svg += textAt(plot.left() - gapText, y + 4, frame.yTexts[static_cast<qsizetype>(i)], TextSize::caption,
                  tokens().secondText, "end");
  }
  svg += lineAt(plot.left(), plot.bottom(), plot.right(), plot.bottom(), tokens().chartAxis);
  for (std::size_t i = 0; i < frame.xTicks.size(); ++i) {
    const double x = frame.toX(frame.xTicks[i]);
    svg += lineAt(x, plot.bottom(), x, plot.bottom() + gapSmall, tokens().chartAxis);
    svg += textAt(x, plot.bottom() + 16, frame.xTexts[static_cast<qsizetype>(i)], TextSize::caption,
                  tokens().secondText, "middle");
  }
  return svg;
}

std::string marksOf(const ChartModel& model, const ChartFrame& frame) {
  std::string svg;
  const QRectF& plot = frame.plot;
  for (const ChartBound& bound : model.bounds) {
    const double y = frame.toY(bound.value);
    svg += lineAt(plot.left(), y, plot.right(), y, tokens().secondText, "4 3");
    svg += textAt(plot.right(), y - gapSmall, bound.text, TextSize::caption, tokens().secondText, "end");
  }
  for (const ChartBorderLine& border : model.borders) {
    const double x = frame.toX(border.x);
    if (x < plot.left() || x > plot.right()) continue;
    svg += lineAt(x, plot.top() - 10, x, plot.bottom(), tokens().hairline);
    svg += textAt(x + gapSmall, plot.top() - gapSmall, border.name, TextSize::caption, tokens().secondText, "start");
  }
  for (const ChartNote& note : model.notes) {
    const double x = frame.toX(note.x);
    if (x < plot.left() || x > plot.right()) continue;
    svg += textAt(x - gapText, frame.toY(note.y) + 4, note.text, TextSize::caption, tokens().secondText, "end");
  }
  return svg;
}

std::string curvesOf(const ChartModel& model, const ChartFrame& frame) {
  std::string svg;
  for (const LineCurve& curve : model.curves) {
    for (const QPolygonF& band : bandsOf(curve, frame)) {
      svg += fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", pathOf(band),
                         nameOf(runPen(curve.colourSlot).colour));
    }
  }
  for (const Stroke& stroke : rawStrokesOf(model, frame)) svg += pathOf(stroke);
  for (const Stroke& stroke : fullStrokesOf(model, frame)) svg += pathOf(stroke);
  for (const LineCurve& curve : model.curves) {
    if (!curve.points) continue;
    for (const Line& line : curve.line) {
      for (const QPointF& point : polylineOf(line, frame)) {
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\" stroke=\"{}\"/>\n", point.x(),
                           point.y(), nameOf(runPen(curve.colourSlot).colour), nameOf(tokens().base));
      }
    }
  }
  return svg;
}

/// A swatch and a name a curve, in the title row from the right.
std::string namesOf(const ChartModel& model, const QSizeF& size) {
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  std::string svg;
  double right = size.width() - pageMargin;
  for (auto curve = model.curves.rbegin(); curve != model.curves.rend(); ++curve) {
    const double width = metrics.horizontalAdvance(curve->label);
    svg += textAt(right, metrics.ascent() + 1, curve->label, TextSize::secondary, tokens().text, "end");
    const RunPen pen = runPen(curve->colourSlot);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}h14\" stroke=\"{}\" stroke-width=\"3\"{}/>\n", right - width - 20,
                       metrics.ascent() - 3, nameOf(pen.colour), dashesOf(pen.dash));
    right -= width + 20 + gapWide;
    if (right < size.width() / 2) break;
  }
  return svg;
}

constexpr int pngScale = 2;
constexpr int pdfDotsPerInch = 96;  ///< as on the screen, so that text and lines keep their proportions
constexpr double millimetresPerInch = 25.4;

bool writePng(const LineChart& chart, const QString& file) {
  QImage image(chart.size() * pngScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(pngScale);
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
  return diskThread().wait([recording, millimetres, title = chart.model().title, file] {
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

std::string svgTextOf(const ChartModel& model, const QSizeF& size) {
  const ChartFrame frame = frameOf(model, size);
  const QFontMetricsF section(textFont(TextSize::section));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>\n"
      "<clipPath id=\"plot\"><rect x=\"{3:.1f}\" y=\"{4:.1f}\" width=\"{5:.1f}\" height=\"{6:.1f}\"/></clipPath>\n",
      size.width(), size.height(), nameOf(tokens().base), frame.plot.left(), frame.plot.top() - 3, frame.plot.width(),
      frame.plot.height() + 6);
  svg += textAt(0, section.ascent() + 1, model.title, TextSize::section, tokens().text, "start");
  svg += textAt(section.horizontalAdvance(model.title) + gapText, section.ascent() + 1, model.treatment,
                TextSize::secondary, tokens().secondText, "start");
  svg += axesOf(frame) + "<g clip-path=\"url(#plot)\">\n" + curvesOf(model, frame) + "</g>\n";
  return svg + marksOf(model, frame) + namesOf(model, size) + "</svg>\n";
}

Status saveChart(const LineChart& chart, const QString& file) {
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    return diskThread().wait(
        [file, svg = svgTextOf(chart.model(), chart.size())] { return writeFile(file.toStdString(), svg); });
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
