// SPDX-License-Identifier: GPL-3.0-or-later
// What is written beside an axis is true: a tick stands at the value of its label, and no two labels are alike.
#include <QLocale>
#include <QSet>
#include <cmath>

#include <gtest/gtest.h>

#include "ui/charts/chart_frame.h"

namespace slipstream::ui {
namespace {

ChartFrame frameFrom(ChartX kind, double first, double last, double width = 700) {
  ChartModel picture;
  picture.xKind = kind;
  picture.first = first;
  picture.last = last;
  return frameOf(picture, QSizeF(width, 300));
}

TEST(TrueTicks, StepsAreRoundAndStandWhereTheySay) {
  for (const double last : {1.0, 7.0, 70.0, 233.0, 234.0, 468.0, 2340.0, 14040.0, 1234567.0}) {
    for (const double width : {200.0, 450.0, 1000.0}) {
      const ChartFrame frame = frameFrom(ChartX::step, 0, last, width);
      ASSERT_GE(frame.xTicks.size(), 2U) << last;
      const double step = frame.xTicks[1] - frame.xTicks[0];
      const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      EXPECT_TRUE(std::abs(leading - 1) < 1e-9 || std::abs(leading - 2) < 1e-9 || std::abs(leading - 5) < 1e-9) << step;
      for (std::size_t i = 0; i < frame.xTicks.size(); ++i) {
        EXPECT_EQ(QLocale().toDouble(frame.xTexts[static_cast<qsizetype>(i)]), frame.xTicks[i]);
      }
    }
  }
}

TEST(TrueTicks, OneStepHasOnePlaceWhateverTheLengthOfTheChart) {
  const ChartFrame loss = frameFrom(ChartX::step, 0, 233);
  const ChartFrame accuracy = frameFrom(ChartX::step, 0, 234);
  EXPECT_EQ(loss.xTexts, accuracy.xTexts);
}

TEST(TrueTicks, TimesAreNeverWrittenTwice) {
  const double start = 1'763'850'413.37;  // an odd fraction of a second, minutes before some hour
  for (const ChartX kind : {ChartX::wallTime, ChartX::relativeTime}) {
    for (const double from : {0.0, 3599.5, 86000.0}) {
      for (const double length : {0.02, 0.7, 1.9, 3.0, 11.0, 59.0, 70.0, 3600.0, 5000.0, 86400.0, 3e5, 5e6}) {
        const double first = from + (kind == ChartX::wallTime ? start : 0);
        const ChartFrame frame = frameFrom(kind, first, first + length);
        const QSet<QString> texts(frame.xTexts.begin(), frame.xTexts.end());
        EXPECT_EQ(texts.size(), frame.xTexts.size())
            << from << " + " << length << ": " << frame.xTexts.join(QLatin1Char(' ')).toStdString();
      }
    }
  }
}

TEST(TrueTicks, FractionsOfASecondAreWrittenOut) {
  const ChartFrame frame = frameFrom(ChartX::wallTime, 1'763'850'413, 1'763'850'414.5);
  ASSERT_GE(frame.xTexts.size(), 3);
  EXPECT_TRUE(frame.xTexts[1].contains(QLatin1Char('.'))) << frame.xTexts[1].toStdString();
}

TEST(TrueTicks, ANarrowLogarithmicAxisHasTheSameDecimals) {
  ChartModel picture;
  picture.last = 10;
  picture.logarithmic = true;
  LineCurve curve;
  curve.line = {Line{{0, 10}, {2.288, 2.312}}};
  picture.curves.push_back(std::move(curve));
  const ChartFrame frame = frameOf(picture, QSizeF(600, 260));
  ASSERT_GE(frame.yTexts.size(), 2);
  for (const QString& text : frame.yTexts) EXPECT_EQ(text.size(), frame.yTexts.front().size()) << text.toStdString();
}

}  // namespace
}  // namespace slipstream::ui
