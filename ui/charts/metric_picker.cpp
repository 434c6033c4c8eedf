// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_picker.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "engine/boost/metrics.h"
#include "ui/charts/metric_chart.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int pickerWidth = 380, pickerHeight = 420;
constexpr int metricRole = Qt::UserRole;
constexpr std::size_t fewMetrics = 12;  ///< of a group, that are all in sight at once

QString groupOf(const std::string& metric) {
  if (const auto slash = metric.find('/'); slash != std::string::npos) {
    return metricDisplay(metric.substr(0, slash) + "/*").title;
  }
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr) return MetricPicker::tr("Other");
  if (info->unit == "ms") return MetricPicker::tr("Times");
  return info->by == ReportedBy::algorithm ? MetricPicker::tr("Algorithms") : MetricPicker::tr("Results");
}

}  // namespace

std::vector<MetricGroup> groupsOf(const std::vector<std::string>& metrics) {
  std::vector<MetricGroup> groups{
      {MetricPicker::tr("Results"), {}}, {MetricPicker::tr("Times"), {}}, {MetricPicker::tr("Algorithms"), {}}};
  for (const std::string& metric : metrics) {
    const QString title = groupOf(metric);
    auto group = std::ranges::find(groups, title, &MetricGroup::title);
    if (group == groups.end()) group = groups.insert(groups.end(), {title, {}});
    group->metrics.push_back(metric);
  }
  std::erase_if(groups, [](const MetricGroup& group) { return group.metrics.empty(); });
  return groups;
}

bool matches(const QString& wanted, const QString& title, const QString& key) {
  if (title.contains(wanted, Qt::CaseInsensitive) || key.contains(wanted, Qt::CaseInsensitive)) return true;
  const QRegularExpression expression(wanted, QRegularExpression::CaseInsensitiveOption);
  return expression.isValid() && (expression.match(title).hasMatch() || expression.match(key).hasMatch());
}

MetricPicker::MetricPicker(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      search_(new QLineEdit),
      tree_(new QTreeWidget),
      none_(label(tr("No metric is called so"), TextSize::body, true)) {
  setProperty("card", true);
  setAccessibleName(tr("Add chart"));
  search_->setPlaceholderText(tr("Search metrics, e.g. loss or conv.*weight"));
  search_->setAccessibleName(tr("Search metrics"));
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  tree_->setHeaderHidden(true);
  tree_->setColumnCount(2);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree_->setAccessibleName(tr("Metrics"));
  tree_->setIndentation(gapWide);
  QVBoxLayout* rows = column(this);
  rows->setContentsMargins(gapText, gapText, gapText, gapText);
  addAll(*rows, {search_, none_, tree_});
  rows->setStretchFactor(tree_, 1);
  none_->hide();
  resize(widthForFont(pickerWidth), pickerHeight);
  connect(search_, &QLineEdit::textChanged, this, &MetricPicker::filter);
  connect(tree_, &QTreeWidget::itemActivated, this, &MetricPicker::choose);
  connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    if (item->childCount() > 0) return item->setExpanded(!item->isExpanded());
    choose(item);
  });
}

void MetricPicker::setMetrics(const std::vector<std::string>& metrics) {
  tree_->clear();
  for (const MetricGroup& group : groupsOf(metrics)) {
    auto* head = new QTreeWidgetItem(tree_, {group.title, QLocale().toString(static_cast<int>(group.metrics.size()))});
    head->setFlags(Qt::ItemIsEnabled);
    head->setFont(0, textFont(TextSize::section));
    head->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    for (const std::string& metric : group.metrics) {
      const MetricDisplay display = metricDisplay(metric);
      const QString key = QString::fromStdString(metric);
      auto* item = new QTreeWidgetItem(head, {display.title, display.title == key ? display.unit : key});
      item->setData(0, metricRole, key);
      item->setForeground(1, tokens().secondText);
      item->setFont(1, textFont(TextSize::caption));
      item->setToolTip(0, key);
    }
    head->setExpanded(group.metrics.size() <= fewMetrics);
  }
  filter();
}

void MetricPicker::filter() {
  const QString wanted = search_->text().trimmed();
  int found = 0;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* head = tree_->topLevelItem(i);
    int inGroup = 0;
    for (int j = 0; j < head->childCount(); ++j) {
      QTreeWidgetItem* item = head->child(j);
      const bool fits = wanted.isEmpty() || matches(wanted, item->text(0), item->data(0, metricRole).toString());
      item->setHidden(!fits);
      inGroup += fits ? 1 : 0;
    }
    head->setHidden(inGroup == 0);
    head->setText(1, QLocale().toString(inGroup));
    if (!wanted.isEmpty()) head->setExpanded(inGroup > 0);
    found += inGroup;
  }
  none_->setVisible(found == 0);
}

void MetricPicker::choose(QTreeWidgetItem* item) {
  const QString metric = item->data(0, metricRole).toString();
  if (metric.isEmpty()) return;
  close();
  Q_EMIT chosen(metric.toStdString());
}

/// No key of the page behind is meant here.
bool MetricPicker::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) event->accept();
  return QFrame::event(event);
}

/// The arrows go from the search into the list; Enter takes the first that is left.
bool MetricPicker::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter) return false;
  for (QTreeWidgetItemIterator item(tree_, QTreeWidgetItemIterator::NotHidden); *item != nullptr; ++item) {
    if ((*item)->childCount() > 0) continue;
    tree_->setCurrentItem(*item);
    if (key == Qt::Key_Down) {
      tree_->setFocus(Qt::TabFocusReason);
    } else {
      choose(*item);
    }
    break;
  }
  return true;
}

void MetricPicker::popup(const QPoint& topRight) {
  search_->clear();
  showWithin(*this, topRight);
  search_->setFocus();
}

}  // namespace slipstream::ui
