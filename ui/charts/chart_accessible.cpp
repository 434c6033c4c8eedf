// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include "ui/charts/line_chart.h"

namespace slipstream::ui {
namespace {

/// Name: the title. Value: what the curves are worth at the cursor or at their ends, which is the description too.
class AccessibleChart : public QAccessibleWidget {
 public:
  explicit AccessibleChart(QWidget* chart) : QAccessibleWidget(chart, QAccessible::Chart) {}

  QString text(QAccessible::Text kind) const override {
    return QAccessibleWidget::text(kind == QAccessible::Value ? QAccessible::Description : kind);
  }
};

QAccessibleInterface* accessibleOf(const QString&, QObject* object) {
  auto* chart = qobject_cast<LineChart*>(object);
  return chart == nullptr ? nullptr : new AccessibleChart(chart);
}

}  // namespace

void makeChartsAccessible() {
  static const bool once = [] {
    QAccessible::installFactory(accessibleOf);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace slipstream::ui
