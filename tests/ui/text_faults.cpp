// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/text_faults.h"

#include <QAbstractItemView>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QXmlStreamReader>
#include <set>

#include "tests/ui/drawn_texts.h"
#include "ui/experiment/json_editor.h"
#include "ui/panel/problems_view.h"
#include "ui/rank_table/preview_panel.h"

namespace slipstream::test {
namespace {

constexpr double slack = 2;  ///< pixels: advances are rounded up, and ink is smoothed at its edges
const QChar ellipsis(0x2026);

/// The words of the program and what they are in Chinese, as they are drawn: without marks of keys.
struct Catalogue {
  std::set<QString> sources, translations;
};

const Catalogue& catalogue() {
  static const Catalogue read = [] {
    Catalogue words;
    QFile file(QStringLiteral(SLIPSTREAM_SOURCE "/resources/translations/slipstream_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly)) return words;
    QXmlStreamReader xml(&file);
    const auto plain = [&] { return xml.readElementText(QXmlStreamReader::IncludeChildElements).remove(u'&'); };
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("source")) words.sources.insert(plain());
      if (xml.name() == QLatin1String("translation")) words.translations.insert(plain().trimmed());
    }
    return words;
  }();
  return read;
}

/// "Save report…" opens a dialog, "0 … 1" is a range; any other dots stand for something that was cut.
bool isElided(const QString& text) {
  if (!text.contains(ellipsis)) return false;
  const QString trimmed = text.trimmed();
  if (catalogue().sources.contains(trimmed) || catalogue().translations.contains(trimmed)) return false;
  if (text.contains(u'/')) return false;  // a path, which has both of its ends
  QString rest = text;
  return rest.remove(QStringLiteral(" … ")).contains(ellipsis);
}

/// A row of a list or table whose tool tip has the whole of what is elided.
bool isWholeInToolTip(const DrawnText& drawn) {
  const auto* view = qobject_cast<const QAbstractItemView*>(drawn.widget->parentWidget());
  if (view == nullptr || view->viewport() != drawn.widget) return false;
  const QString tip = view->indexAt(drawn.ink.center().toPoint()).data(Qt::ToolTipRole).toString();
  const QStringList ends = drawn.text.split(ellipsis);
  return tip.contains(ends.front().trimmed()) && tip.contains(ends.back().trimmed());
}

/// What the person has typed scrolls in its field.
bool isTyped(const DrawnText& drawn) {
  const auto* line = qobject_cast<const QLineEdit*>(drawn.widget);
  return line != nullptr && !line->text().isEmpty();
}

bool canScroll(const QAbstractScrollArea& area, bool sideways) {
  // A head goes along with its table.
  const auto* table = qobject_cast<const QHeaderView*>(&area) == nullptr
                          ? nullptr
                          : qobject_cast<const QAbstractScrollArea*>(area.parentWidget());
  const QAbstractScrollArea& scrolls = table == nullptr ? area : *table;
  const QScrollBar* bar = sideways ? scrolls.horizontalScrollBar() : scrolls.verticalScrollBar();
  return bar->maximum() > bar->minimum();
}

/// Editors scroll by themselves, and paint a line that is tinted in two halves.
bool isInEditor(const QWidget& widget) {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget()) {
    if (qobject_cast<const QPlainTextEdit*>(at) != nullptr || qobject_cast<const ui::JsonEditor*>(at) != nullptr ||
        qobject_cast<const ui::TextView*>(at) != nullptr)
      return true;
  }
  return false;
}

/// Whole in sight, or wholly to be had by scrolling.
bool canBeRead(const DrawnText& drawn) {
  if (isInEditor(*drawn.widget)) return true;
  QRectF ink = drawn.ink;
  QRectF room = drawn.room;
  for (const QWidget* at = drawn.widget;; at = at->parentWidget(), room = at->rect()) {
    const bool cutSideways = ink.left() < room.left() - slack || ink.right() > room.right() + slack;
    const bool cutUpwards = ink.top() < room.top() - slack || ink.bottom() > room.bottom() + slack;
    if (cutSideways || cutUpwards) {
      const auto* area = qobject_cast<const QAbstractScrollArea*>(at->parentWidget());
      return area != nullptr && area->viewport() == at && (!cutSideways || canScroll(*area, true)) &&
             (!cutUpwards || canScroll(*area, false));
    }
    if (at->isWindow()) return true;
    ink.translate(at->pos());
  }
}

/// In the window, as far as it is in sight.
QRectF inSight(const DrawnText& drawn) {
  QRectF ink = drawn.ink & drawn.room;
  for (const QWidget* at = drawn.widget; !at->isWindow(); at = at->parentWidget()) {
    ink = (ink & QRectF(at->rect())).translated(at->pos());
  }
  return ink;
}

bool overlap(const QRectF& one, const QRectF& other) {
  const QRectF both = one & other;
  return both.width() > 2 && both.height() > 3;
}

/// Where the engine speaks, or files do: their words are English in every language.
bool speaksEnglish(const QWidget& widget) {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget()) {
    if (qobject_cast<const QPlainTextEdit*>(at) != nullptr || qobject_cast<const QTextBrowser*>(at) != nullptr ||
        qobject_cast<const ui::JsonEditor*>(at) != nullptr || qobject_cast<const ui::TextView*>(at) != nullptr ||
        qobject_cast<const ui::ProblemsView*>(at) != nullptr || at->property("english").toBool()) {
      return true;
    }
  }
  return false;
}

bool isUntranslated(const DrawnText& drawn) {
  if (speaksEnglish(*drawn.widget)) return false;
  const QString text = drawn.text.trimmed();
  if (catalogue().sources.contains(text) && !catalogue().translations.contains(text)) return true;
  static const QRegularExpression sentence(QStringLiteral("\\b[a-z]{3,} [a-z]{3,}\\b"));
  const bool command = text.startsWith(QStringLiteral("slipstream "));
  return sentence.match(text).hasMatch() && !command;
}

}  // namespace

QStringList faultsOf(QWidget& window, const QString& where, bool chinese) {
  QStringList faults;
  const auto fault = [&](const QString& what, const DrawnText& drawn) {
    faults << QStringLiteral("%1: %2: \"%3\" from %4 to %5 of %6 to %7 in %8")
                  .arg(where, what, drawn.text)
                  .arg(drawn.ink.left())
                  .arg(drawn.ink.right())
                  .arg(drawn.room.left())
                  .arg(drawn.room.right())
                  .arg(pathOf(*drawn.widget));
  };
  const std::vector<DrawnText> texts = test::drawnTexts(window);
  std::vector<QRectF> places;
  for (const DrawnText& drawn : texts) {
    places.push_back(inSight(drawn));
    if (isTyped(drawn)) continue;
    if (isElided(drawn.text) && !isWholeInToolTip(drawn)) fault(QStringLiteral("elided"), drawn);
    if (!canBeRead(drawn)) fault(QStringLiteral("cut"), drawn);
    if (chinese && isUntranslated(drawn)) fault(QStringLiteral("not translated"), drawn);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      // Qt draws what is marked in a text twice, at one place.
      const bool again =
          texts[i].text == texts[j].text && texts[i].ink == texts[j].ink && texts[i].widget == texts[j].widget;
      if (!again && overlap(places[i], places[j])) fault(QStringLiteral("over \"%1\"").arg(texts[j].text), texts[i]);
    }
  }
  if (texts.empty()) faults << where + QStringLiteral(": nothing is drawn");
  return faults;
}

}  // namespace slipstream::test
