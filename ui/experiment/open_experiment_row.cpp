// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/open_experiment_row.h"

#include <QPainter>
#include <algorithm>

#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

// The state and the name are where studies and runs have theirs.
constexpr int leastRowHeight = 30, stateLeft = 20, nameLeft = 42, markSize = 14;

}  // namespace

OpenExperimentRow::OpenExperimentRow(Workspace& workspace, QWidget* parent)
    : QAbstractButton(parent), workspace_(workspace) {
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  ExperimentDocument& experiment = workspace.experiment();
  connect(&experiment.editing(), &ExperimentEditing::changed, this, &OpenExperimentRow::refresh);
  connect(&experiment, &Document::fileChanged, this, &OpenExperimentRow::refresh);
  connect(&workspace.store(), &StoreWatcher::changed, this, &OpenExperimentRow::refresh);
  connect(&workspace.store(), &StoreWatcher::opened, this, &OpenExperimentRow::refresh);
  connect(this, &QAbstractButton::clicked, this, [this] { workspace_.showPage(PageId::plan); });
  refresh();
}

QString OpenExperimentRow::stateNow() const {
  ExperimentDocument& experiment = workspace_.experiment();
  if (experiment.editing().isEmpty()) return {};
  if (experiment.file().empty()) return tr("draft");
  if (experiment.isModified()) return tr("changed");
  // Runs of an experiment without a name have its file's, without the extension.
  const bool isOfFile = experiment.editing().name() == experiment.title();
  const std::string name = isOfFile ? experiment.file().stem().string() : experiment.editing().name().toStdString();
  const auto& runs = workspace_.store().snapshot()->runs;
  const bool hasRuns = std::ranges::any_of(runs, [&](const RunRow& row) { return row.run.experimentName == name; });
  return hasRuns ? QString() : tr("not launched");
}

void OpenExperimentRow::refresh() {
  state_ = stateNow();
  // A text that cannot be read for a moment keeps the name that it had.
  if (workspace_.experiment().editing().isReadable()) name_ = workspace_.experiment().editing().name();
  setAccessibleName(tr("Open experiment: %1, %2").arg(name_, state_));
  setToolTip(plainToolTip(tr("%1: the open experiment, which is in Plan").arg(name_)));
  setVisible(!state_.isEmpty());
  update();
}

void OpenExperimentRow::setInFront(bool inFront) {
  isInFront_ = inFront;
  update();
}

void OpenExperimentRow::setValueEdge(int edge) {
  valueEdge_ = edge;
  update();
}

QSize OpenExperimentRow::sizeHint() const {
  return {nameLeft, std::max(leastRowHeight, QFontMetrics(textFont(TextSize::body)).height() + 8)};
}

void OpenExperimentRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect row = rect();
  if (isInFront_) painter.fillRect(row, tokens().selection);
  paintState(painter, QRectF(stateLeft, row.center().y() + 1 - markSize / 2.0, markSize, markSize), RunState::draft);
  painter.setFont(textFont(TextSize::body));
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(tokens().secondText);
  painter.drawText(row.adjusted(0, 0, -valueEdge_, 0), Qt::AlignVCenter | Qt::AlignRight, state_);
  const QRect place = row.adjusted(nameLeft, 0, -valueEdge_ - metrics.horizontalAdvance(state_) - gapText, 0);
  painter.setPen(tokens().text);
  QFont strong = textFont(TextSize::body);
  strong.setWeight(strongWeight());
  painter.setFont(strong);
  painter.drawText(place, Qt::AlignVCenter, painter.fontMetrics().elidedText(name_, Qt::ElideMiddle, place.width()));
  if (hasFocus()) painter.fillRect(QRect(0, row.top(), 2, row.height()), tokens().accent);
}

}  // namespace slipstream::ui
