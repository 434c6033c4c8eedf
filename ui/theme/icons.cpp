// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <array>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

/// In the order of Symbol.
constexpr std::array files{"add",    "archive",  "branch", "bulb",   "close",       "compare", "copy",  "device",
                           "down",   "drag",     "edit",   "error",  "evaluate",    "export",  "eye",   "filter",
                           "folder", "generate", "good",   "import", "information", "launch",  "left",  "merge",
                           "more",   "pin",      "queue",  "redo",   "renumber",    "report",  "reset", "resume",
                           "right",  "save",     "search", "server", "stop",        "table",   "tag",   "trash",
                           "undo",   "up",       "vary",   "warning"};
static_assert(files.size() == static_cast<std::size_t>(Symbol::warning) + 1);

QColor colourOf(IconInk ink) {
  const Tokens& now = tokens();
  switch (ink) {
    case IconInk::text:
      return now.text;
    case IconInk::second:
      return now.secondText;
    case IconInk::onAccent:
      return now.textOnAccent;
    case IconInk::accent:
      return now.accent;
    case IconInk::good:
      return now.good;
    case IconInk::warning:
      return now.warning;
    case IconInk::error:
      return now.error;
  }
  return now.text;
}

/// Paints an SVG whose strokes are `currentColor`, in a colour of the theme.
class TintedIcon final : public QIconEngine {
 public:
  TintedIcon(Symbol symbol, IconInk ink) : symbol_(symbol), ink_(ink) {}

  void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override {
    const QColor colour = mode == QIcon::Disabled ? tokens().disabled : colourOf(ink_);
    QSvgRenderer(svg(colour)).render(painter, place);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }

  /// `size` is in device pixels.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    const QColor colour = mode == QIcon::Disabled ? tokens().disabled : colourOf(ink_);
    const QString key = QStringLiteral("slipstream-icon-%1-%2-%3x%4")
                            .arg(static_cast<int>(symbol_))
                            .arg(colour.name())
                            .arg(size.width())
                            .arg(size.height());
    QPixmap found;
    if (QPixmapCache::find(key, &found)) return found;
    found = QPixmap(size);
    found.fill(Qt::transparent);
    QPainter painter(&found);
    paint(&painter, QRect(QPoint(), size), mode, state);
    QPixmapCache::insert(key, found);
    return found;
  }

  QIconEngine* clone() const override { return new TintedIcon(*this); }

 private:
  QByteArray svg(const QColor& colour) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(files[static_cast<std::size_t>(symbol_)])));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().replace("currentColor", colour.name().toLatin1());
  }

  Symbol symbol_;
  IconInk ink_;
};

}  // namespace

QIcon icon(Symbol symbol, IconInk ink) {
  return QIcon(new TintedIcon(symbol, ink));
}
QIcon icon(Symbol symbol) {
  return icon(symbol, IconInk::text);
}

}  // namespace slipstream::ui
