// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QFontInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

std::string nameOf(const QColor& colour) {
  return colour.name().toStdString();
}

int pixelsOf(TextSize size) {
  return QFontInfo(textFont(size)).pixelSize();
}

/// The colours in force for the classes of the marks.
std::string styleSheet() {
  const Tokens& theme = tokens();
  std::string rules =
      fmt::format("text{{fill:{}}}.label{{fill:{}}}.raw{{opacity:{}}}.ring{{stroke:{}}}", nameOf(theme.secondText),
                  nameOf(theme.text), theme.rawLineOpacity, nameOf(theme.base));
  for (const auto& [name, ink] : {std::pair("grid", Ink::grid), std::pair("axis", Ink::axis),
                                  std::pair("border", Ink::border), std::pair("target", Ink::target)}) {
    rules += fmt::format(".{}{{stroke:{}}}", name, nameOf(inkColour(ink)));
  }
  return rules;
}

DrawnText textAt(Point at, const QString& words, TextSize size, Anchor anchor, Ink ink = Ink::second) {
  return {at,
          words.toStdString(),
          static_cast<double>(pixelsOf(size)),
          anchor,
          ink,
          size == TextSize::section ? slipstream::Font::strong : slipstream::Font::regular};
}

double legendWidthOf(const ChartCurve& curve) {
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  return labelSwatch + gapText + metrics.horizontalAdvance(text(curve.name())) + gapWide;
}

/// A swatch and a name a curve, of as many as have room right of `left`, then how many more there are.
void addLegend(const ShownChart& chart, const ChartLayout& layout, double line, double left, Drawing& drawing) {
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  const auto moreText = [](std::size_t curves) { return chartText(QT_TRANSLATE_N_NOOP("Chart", "%n more"), curves); };
  std::size_t named = 0;
  double width = 0, namedWidth = 0;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    width += legendWidthOf(chart.curves[i]);
    const std::size_t others = chart.curves.size() - i - 1;
    const double more = others == 0 ? -gapWide : metrics.horizontalAdvance(moreText(others));
    if (left + width + more > layout.plot.right) continue;
    named = i + 1;
    namedWidth = width;
  }
  const std::size_t others = chart.curves.size() - named;
  double at = layout.plot.right - namedWidth;
  at -= others == 0 ? -gapWide : metrics.horizontalAdvance(moreText(others));
  for (std::size_t i = 0; i < named; ++i) {
    const ChartCurve& curve = chart.curves[i];
    drawing.add(DrawnPath{.lines = {{{at, line - 4}, {at + labelSwatch, line - 4}}},
                          .stroke = Ink::series,
                          .width = 3,
                          .colour = runColour(curve.colourSlot),
                          .dashes = runDashes(curve.colourSlot)});
    drawing.add(
        textAt({at + labelSwatch + gapText, line}, text(curve.name()), TextSize::secondary, Anchor::start, Ink::text));
    at += legendWidthOf(curve);
  }
  if (others > 0) drawing.add(textAt({at, line}, moreText(others), TextSize::secondary, Anchor::start));
}

/// Title, notes, and a swatch and a name a curve, in the title row from the right.
Drawing titleMarks(const ShownChart& chart, const ChartLayout& layout) {
  const QFontMetricsF section(textFont(TextSize::section)), second(textFont(TextSize::secondary));
  const double line = section.ascent() + 1, treatment = section.horizontalAdvance(text(chart.title)) + gapText;
  Drawing drawing;
  drawing.add(textAt({0, line}, text(chart.title), TextSize::section, Anchor::start, Ink::text));
  drawing.add(textAt({treatment, line}, text(chart.treatment), TextSize::secondary, Anchor::start));
  for (const ChartNote& note : chart.notes) {
    const Point at{layout.toX(note.x) - gapText, layout.toY(note.y) + 4};
    if (layout.plot.contains(at)) drawing.add(textAt(at, note.text, TextSize::caption, Anchor::end));
  }
  addLegend(chart, layout, line, treatment + second.horizontalAdvance(text(chart.treatment)) + gapWide, drawing);
  return drawing;
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
  return diskThread().wait([recording, millimetres, title = text(chart.model().title), file] {
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

std::string svgTextOf(const ShownChart& shown, const QSizeF& size) {
  const ShownChart chart = aloneOf(shown);
  const ChartLayout layout = layoutOf(chart, size);
  const QRectF plot = curvesRect(layout);
  const double labels = pixelsOf(TextSize::caption);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<style>{2}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"{3}\"/>\n"
      "<clipPath id=\"plot\"><rect x=\"{4:.1f}\" y=\"{5:.1f}\" width=\"{6:.1f}\" height=\"{7:.1f}\"/></clipPath>\n"
      "{8}<g clip-path=\"url(#plot)\">\n{9}</g>\n{10}{11}</svg>\n",
      size.width(), size.height(), styleSheet(), nameOf(tokens().base), plot.left(), plot.top(), plot.width(),
      plot.height(), svgMarks(gridMarks(layout, labels)), svgMarks(curveMarks(chart, layout)),
      svgMarks(frontMarks(chart, layout, labels, windowLanguage())), svgMarks(titleMarks(chart, layout)));
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
