// SPDX-License-Identifier: GPL-3.0-or-later
// What the theme sets up beyond colours: headings, message boxes, and words that give way.
#include <QApplication>
#include <QDialogButtonBox>
#include <QImage>
#include <QMessageBox>
#include <QPainter>
#include <QStyle>

#include <gtest/gtest.h>

#include "ui/widgets/widgets.h"
#include "ui/window/windows.h"

namespace slipstream::ui {
namespace {

double inkOf(const QString& text, const QFont& font) {
  QImage image(400, 60, QImage::Format_Grayscale8);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setFont(font);
  painter.drawText(QPoint(10, 40), text);
  painter.end();
  double ink = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) ink += 255 - qGray(image.pixel(x, y));
  }
  return ink;
}

class ThemeTest : public ::testing::Test {
 protected:
  ~ThemeTest() override { use(QString()); }
  static void use(const QString& language) {
    useLanguage(language);
    applyTheme(*qApp, ThemeChoice::light);
  }
};

TEST_F(ThemeTest, HeadingsStandOutInBothLanguages) {
  constexpr double more = 1.15;
  use(QStringLiteral("en"));
  const QString english = QStringLiteral("Training loss");
  EXPECT_GT(inkOf(english, textFont(TextSize::section)), more * inkOf(english, textFont(TextSize::body)));
  use(QStringLiteral("zh_CN"));
  const QString chinese = QStringLiteral("训练损失");
  EXPECT_GT(inkOf(chinese, textFont(TextSize::section)), more * inkOf(chinese, textFont(TextSize::body)));
}

TEST_F(ThemeTest, MessageBoxesWearOurShapesAndWordsAlone) {
  use(QStringLiteral("en"));
  const QStyle& style = *QApplication::style();
  const auto image = [](const QIcon& shape) { return shape.pixmap(24, 24).toImage(); };
  EXPECT_EQ(image(style.standardIcon(QStyle::SP_MessageBoxWarning)), image(icon(Symbol::warning, IconInk::warning)));
  EXPECT_EQ(image(style.standardIcon(QStyle::SP_MessageBoxCritical)), image(icon(Symbol::error, IconInk::error)));
  EXPECT_EQ(image(style.standardIcon(QStyle::SP_MessageBoxQuestion)),
            image(icon(Symbol::information, IconInk::accent)));
  const QDialogButtonBox buttons(QDialogButtonBox::Save | QDialogButtonBox::Discard);
  for (const QAbstractButton* button : buttons.buttons()) EXPECT_TRUE(button->icon().isNull());
}

TEST_F(ThemeTest, WordsOfOurOwnGiveWayToShorterOnes) {
  ElidedLabel label;
  label.show();
  label.setWhole(QStringLiteral("before the first step; measured values follow"), {QStringLiteral("before it")});
  label.resize(label.sizeHint());
  EXPECT_EQ(label.text(), label.whole());
  EXPECT_TRUE(label.toolTip().isEmpty());
  label.resize(label.sizeHint().width() / 2, 20);
  EXPECT_EQ(label.text(), QStringLiteral("before it"));
  EXPECT_EQ(label.toolTip(), label.whole());
  EXPECT_GE(label.minimumSizeHint().width(), label.fontMetrics().horizontalAdvance(QStringLiteral("before it")));
  label.setWhole(QStringLiteral("a name of somebody"));
  label.resize(60, 20);
  EXPECT_TRUE(label.text().contains(QChar(0x2026))) << "names are cut in their middle";
}

}  // namespace
}  // namespace slipstream::ui
