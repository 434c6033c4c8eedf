// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/legend_view.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int insideWidth = 240, mostInsideWidth = 440;

}  // namespace

LegendPanel::LegendPanel(QWidget* parent)
    : QWidget(parent),
      model_(new LegendModel(this)),
      view_(new LegendView(model_)),
      foot_(new QWidget),
      count_(label({}, TextSize::secondary, true)),
      isolate_(button(tr("Isolate"))),
      all_(button(tr("Show all"))),
      fold_(button(tr("Fold"))) {
  QVBoxLayout* rows = column(this, gapSmall);
  rows->addWidget(view_, 1);
  QVBoxLayout* foot = column(foot_, gapSmall);
  foot->addWidget(count_);
  QHBoxLayout* buttons = rowLayout(nullptr, gapSmall);
  addAll(*buttons, {isolate_, all_, fold_});
  buttons->addStretch();
  foot->addLayout(buttons);
  rows->addWidget(foot_);
  rows->addStretch();
  isolate_->setToolTip(tr("Show the chosen curve alone"));
  fold_->setToolTip(tr("Put the legend away; Legend above the charts brings it back"));
  connect(view_, &LegendView::hideWanted, this, [this](int row) {
    const LegendRow chosen = model_->row(row);
    Q_EMIT hideWanted(chosen.runs, !chosen.hidden);
  });
  connect(view_, &LegendView::isolateWanted, this, &LegendPanel::isolate);
  connect(view_, &LegendView::pointedAt, this, [this](int row) {
    Q_EMIT pointedAt(row < 0 || row >= model_->rowCount() ? std::vector<std::string>() : model_->row(row).runs);
  });
  connect(isolate_, &QPushButton::clicked, this, [this] { isolate(std::max(0, view_->currentIndex().row())); });
  connect(all_, &QPushButton::clicked, this, &LegendPanel::allWanted);
  connect(fold_, &QPushButton::clicked, this, &LegendPanel::foldWanted);
  model_->sort(LegendModel::valueColumn, Qt::AscendingOrder);
  refresh();
}

void LegendPanel::setForm(LegendForm form, bool raw, bool cursor) {
  form_ = form;
  const bool inside = isInside();
  model_->setLivingFirst(!inside);
  view_->setColumnHidden(LegendModel::rawColumn, form != LegendForm::inside || !raw);
  view_->setColumnHidden(LegendModel::lastColumn, inside || !cursor);
  layout()->setContentsMargins(inside ? 1 : gapText, inside ? 1 : 0, inside ? 1 : 0, inside ? 1 : 0);
  view_->setVerticalScrollBarPolicy(inside ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  view_->fitColumns();
  refresh();
  update();
}

void LegendPanel::setRows(std::vector<LegendRow> rows) {
  model_->setRows(std::move(rows));
  refresh();
}

QSize LegendPanel::insideSize() const {
  const int foot = foot_->isHidden() ? 0 : foot_->sizeHint().height() + gapSmall;
  const int least = form_ == LegendForm::small ? 0 : widthForFont(insideWidth);
  const int width = std::clamp(view_->wholeWidth(), least, widthForFont(mostInsideWidth));
  return {width, view_->horizontalHeader()->sizeHint().height() + model_->rowCount() * view_->rowHeight() + foot + 4};
}

/// The same row again shows all.
void LegendPanel::isolate(int row) {
  if (row >= model_->rowCount()) return;
  const LegendRow chosen = model_->row(row);
  const bool alone = !chosen.hidden && model_->hiddenCount() == model_->rowCount() - 1;
  if (alone && model_->rowCount() > 1) return Q_EMIT allWanted();
  Q_EMIT isolateWanted(chosen.runs);
}

/// No row is cut: what is left of the height stays below the buttons.
void LegendPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int head = view_->horizontalHeader()->sizeHint().height();
  const int foot = foot_->isHidden() ? 0 : foot_->sizeHint().height() + gapSmall;
  const int rows = std::max(1, (height() - head - foot - gapSmall) / view_->rowHeight());
  view_->setMaximumHeight(isInside() ? QWIDGETSIZE_MAX : head + rows * view_->rowHeight());
}

void LegendPanel::refresh() {
  const int hidden = model_->hiddenCount(), all = model_->rowCount();
  const QLocale locale;
  count_->setText(tr("%1 of %2 shown").arg(locale.toString(all - hidden), locale.toString(all)));
  all_->setEnabled(hidden > 0);
  all_->setToolTip(hidden > 0 ? QString() : tr("No curve is hidden"));
  isolate_->setVisible(!isInside());
  fold_->setVisible(!isInside());
  foot_->setVisible(!isInside() || hidden > 0);
}

/// Inside a chart a frame, beside it a line.
void LegendPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(QPen(tokens().hairline, 1));
  if (isInside()) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(tokens().base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  } else {
    painter.drawLine(0, 0, 0, height());
  }
}

}  // namespace slipstream::ui
