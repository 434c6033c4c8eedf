// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/readme_text.h"

#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

TextSize sizeOfHeading(int level) {
  return level == 1 ? TextSize::pageTitle : TextSize::section;
}

void formatHeading(QTextCursor& cursor, const QTextBlock& block) {
  const QFont font = textFont(sizeOfHeading(block.blockFormat().headingLevel()));
  cursor.setPosition(block.position());
  cursor.setPosition(block.position() + block.length() - 1, QTextCursor::KeepAnchor);
  QTextCharFormat format;
  format.setFont(font);
  format.setProperty(QTextFormat::FontSizeAdjustment, 0);
  cursor.mergeCharFormat(format);
  QTextBlockFormat margins;
  margins.setTopMargin(gapWide);
  margins.setBottomMargin(gapSmall);
  cursor.mergeBlockFormat(margins);
}

void formatCode(QTextCursor& cursor, const QTextBlock& block) {
  for (auto part = block.begin(); !part.atEnd(); ++part) {
    const QTextFragment fragment = part.fragment();
    if (!fragment.charFormat().fontFixedPitch()) continue;
    cursor.setPosition(fragment.position());
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setFont(fixedFont());
    cursor.mergeCharFormat(format);
  }
}

/// Lines between the rows alone, and no column beyond the edge.
void formatTables(QTextFrame& frame) {
  for (QTextFrame* child : frame.childFrames()) {
    auto* table = qobject_cast<QTextTable*>(child);
    if (table == nullptr) {
      formatTables(*child);
      continue;
    }
    QTextTableFormat format = table->format();
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderBrush(tokens().hairline);
    format.setCellPadding(gapSmall);
    format.setCellSpacing(0);
    format.clearColumnWidthConstraints();
    table->setFormat(format);
  }
}

}  // namespace

void showReadme(QTextBrowser& browser, const QString& markdown) {
  QTextDocument* document = browser.document();
  document->setDefaultFont(textFont(TextSize::body));
  browser.setMarkdown(markdown);
  document->setDocumentMargin(gapWide);
  QTextCursor cursor(document);
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() > 0) formatHeading(cursor, block);
    formatCode(cursor, block);
  }
  formatTables(*document->rootFrame());
  browser.moveCursor(QTextCursor::Start);
}

}  // namespace slipstream::ui
