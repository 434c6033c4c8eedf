// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_settings.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int fieldWidth = 84, axisWidth = 16;

std::optional<double> numberIn(const QLineEdit& field, bool& wrong) {
  const QString text = field.text().trimmed();
  if (text.isEmpty()) return std::nullopt;
  bool read = false;
  double value = QLocale().toDouble(text, &read);
  if (!read) value = QLocale::c().toDouble(text, &read);
  wrong = wrong || !read;
  return read ? std::optional(value) : std::nullopt;
}

void mark(QLineEdit& field, bool wrong) {
  if (field.property("wrong").toBool() == wrong) return;
  field.setProperty("wrong", wrong);
  field.style()->polish(&field);
}

}  // namespace

AxisRange::AxisRange(const QString& axis, QWidget* parent) : QWidget(parent), from_(new QLineEdit), to_(new QLineEdit) {
  QHBoxLayout* row = rowLayout(this);
  QLabel* name = label(axis, TextSize::body, true);
  name->setMinimumWidth(axisWidth);
  row->addWidget(name);
  row->addWidget(from_);
  row->addWidget(label(tr("to", "a range"), TextSize::body, true));
  row->addWidget(to_);
  row->addStretch();
  from_->setAccessibleName(tr("Lower end of %1").arg(axis));
  to_->setAccessibleName(tr("Upper end of %1").arg(axis));
  for (QLineEdit* field : {from_, to_}) {
    field->setFixedWidth(widthForFont(fieldWidth));
    field->setPlaceholderText(tr("auto"));
    connect(field, &QLineEdit::editingFinished, this, &AxisRange::take);
  }
}

void AxisRange::setRange(const std::optional<std::pair<double, double>>& range) {
  const auto words = [](double value) { return QLocale().toString(value, 'g', 6); };
  from_->setText(range ? words(range->first) : QString());
  to_->setText(range ? words(range->second) : QString());
}

/// Both ends, the lower one first, or none of them.
void AxisRange::take() {
  if (!from_->isModified() && !to_->isModified()) return;
  bool wrong = false;
  const auto from = numberIn(*from_, wrong), to = numberIn(*to_, wrong);
  const bool whole = from && to && *from < *to;
  const bool none = !wrong && !from && !to;
  for (QLineEdit* field : {from_, to_}) {
    mark(*field, !whole && !none);
    field->setToolTip(whole || none ? QString() : tr("Write two numbers, the lower one first, or none"));
  }
  if (!whole && !none) return;
  from_->setModified(false);
  to_->setModified(false);
  if (whole) Q_EMIT changed(std::pair(*from, *to));
  if (none) Q_EMIT changed(std::nullopt);
}

ChartSettings::ChartSettings(const State& state, QWidget* parent) : QFrame(parent, Qt::Popup), view_(state.view) {
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("card", true);
  setAccessibleName(tr("Axes and data of %1").arg(state.title));
  QVBoxLayout* rows = column(this);
  rows->setContentsMargins(gapWide, gapWide, gapWide, gapWide);
  rows->addWidget(label(state.title, TextSize::section));
  auto* logY = new QCheckBox(tr("Log y"));
  logY->setChecked(state.logarithmic);
  logY->setEnabled(state.mayBeLogarithmic);
  logY->setToolTip(state.mayBeLogarithmic ? QString() : tr("Its values do not span powers of ten, or may be negative"));
  auto* logX = new QCheckBox(tr("Log x, all charts"));
  logX->setChecked(state.logarithmicX);
  logX->setEnabled(state.mayBeLogarithmicX);
  auto* y = new AxisRange(QStringLiteral("y"));
  y->setRange(state.view.range);
  auto* x = new AxisRange(QStringLiteral("x"));
  x->setRange(state.zoom);
  x->setToolTip(tr("Of all charts of the page"));
  auto* everything = new QCheckBox(tr("Reach the farthest values"));
  everything->setChecked(state.view.everything);
  everything->setToolTip(tr("Else few values far from all others are marked at the edge"));
  QPushButton* copy = button(Symbol::copy, tr("Copy visible data as CSV"));
  QPushButton* save = button(Symbol::exportFile, tr("Save image of the chart…"));
  QPushButton* remove = button(Symbol::close, tr("Remove chart"));
  addAll(*rows, {logY, y, everything, hairline(), logX, x, hairline(), copy, save, remove});
  remove->setVisible(state.removable);

  connect(logY, &QCheckBox::toggled, this, [this](bool on) {
    view_.logarithmic = on;
    Q_EMIT viewChanged(view_);
  });
  connect(everything, &QCheckBox::toggled, this, [this](bool on) {
    view_.everything = on;
    Q_EMIT viewChanged(view_);
  });
  connect(y, &AxisRange::changed, this, [this](auto range) {
    if (view_.range == range) return;
    view_.range = range;
    Q_EMIT viewChanged(view_);
  });
  connect(logX, &QCheckBox::toggled, this, &ChartSettings::logarithmicXChanged);
  connect(x, &AxisRange::changed, this, &ChartSettings::zoomChanged);
  const auto closeWith = [this](QPushButton* from, void (ChartSettings::*wanted)()) {
    connect(from, &QPushButton::clicked, this, [this, wanted] {
      close();
      Q_EMIT(this->*wanted)();
    });
  };
  closeWith(copy, &ChartSettings::copyWanted);
  closeWith(save, &ChartSettings::saveWanted);
  closeWith(remove, &ChartSettings::removeWanted);
}

/// No key of the page behind is meant here.
bool ChartSettings::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) event->accept();
  return QFrame::event(event);
}

void ChartSettings::popup(const QPoint& topRight) {
  adjustSize();
  showWithin(*this, topRight);
  setFocus();
}

}  // namespace slipstream::ui
