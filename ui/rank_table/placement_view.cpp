// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/placement_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int boxWidth = 45, boxHeight = 28, boxGap = 6, boxesInARow = 4;
constexpr int serverWidth = boxesInARow * (boxWidth + boxGap) - boxGap;
constexpr int serverGap = 16, nameHeight = 26;

}  // namespace

PlacementView::PlacementView(RankTableDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Placement: ranks by server and device"));
  connect(&document, &Document::problemsChanged, this, &PlacementView::arrange);
  arrange();
}

int PlacementView::columns() const {
  return std::max(1, (width() + serverGap) / (serverWidth + serverGap));
}

void PlacementView::arrange() {
  boxes_.clear();
  names_.clear();
  int top = 0, bottom = 0, column = 0;
  const auto& servers = document_.lines();
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const int left = column * (serverWidth + serverGap);
    const int server = static_cast<int>(i);
    names_.push_back({{server, -1}, {left, top, serverWidth, nameHeight}, QString::fromStdString(servers[i].id)});
    const int devices = static_cast<int>(servers[i].devices.size());
    for (int device = 0; device < devices; ++device) {
      const QPoint corner(left + device % boxesInARow * (boxWidth + boxGap),
                          top + nameHeight + device / boxesInARow * (boxHeight + boxGap));
      const DeviceLine& line = servers[i].devices[static_cast<std::size_t>(device)];
      const QString rank = line.rank.empty() ? QStringLiteral("?") : QString::fromStdString(line.rank);
      boxes_.push_back({{server, device}, {corner, QSize(boxWidth, boxHeight)}, rank});
    }
    const int rows = (devices + boxesInARow - 1) / boxesInARow;
    bottom = std::max(bottom, top + nameHeight + rows * (boxHeight + boxGap));
    if (++column < columns()) continue;
    column = 0;
    top = bottom + boxGap;
  }
  setMinimumHeight(bottom);
  updateGeometry();
  update();
}

QSize PlacementView::sizeHint() const {
  return {2 * serverWidth + serverGap, minimumHeight()};
}

void PlacementView::setCurrent(RankTablePosition place) {
  current_ = place;
  update();
}

void PlacementView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void PlacementView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Box& name : names_) {
    if (!name.where.intersects(event->rect())) continue;
    painter.setFont(textFont(TextSize::body));
    const auto mark = document_.markOf(name.place, RankTableCell::name);
    painter.setPen(!mark ? tokens().text : *mark == Verdict::reject ? tokens().error : tokens().warning);
    painter.drawText(name.where, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name.text, Qt::ElideMiddle, name.where.width()));
  }
  for (const Box& box : boxes_) {
    if (box.where.intersects(event->rect())) paintBox(painter, box);
  }
}

void PlacementView::paintBox(QPainter& painter, const Box& box) const {
  const auto mark = document_.markOf(box.place);
  const bool wrong = mark == Verdict::reject;
  QColor line = tokens().hairline, fill = tokens().base, ink = tokens().text;
  if (mark) {
    line = ink = wrong ? tokens().error : tokens().warning;
    fill = wrong ? tokens().errorTint : tokens().warningTint;
  }
  const bool current = box.place == current_;
  if (current && !mark) fill = tokens().selection;
  const int width = 1 + (mark ? 1 : 0) + (current ? 1 : 0);
  painter.setPen(QPen(current && hasFocus() && !mark ? tokens().accent : line, width));
  painter.setBrush(fill);
  painter.drawRoundedRect(QRectF(box.where).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(ink);
  painter.setFont(textFont(mark ? TextSize::section : TextSize::body));
  painter.drawText(box.where.adjusted(2, 0, -2, 0), Qt::AlignCenter,
                   painter.fontMetrics().elidedText(box.text, Qt::ElideRight, box.where.width() - 4));
}

const PlacementView::Box* PlacementView::boxAt(const QPoint& point) const {
  for (const Box& box : boxes_) {
    if (box.where.contains(point)) return &box;
  }
  return nullptr;
}

void PlacementView::mousePressEvent(QMouseEvent* event) {
  if (const Box* box = boxAt(event->pos())) Q_EMIT chosen(box->place);
}

void PlacementView::keyPressEvent(QKeyEvent* event) {
  const int steps[] = {-1, 1, -boxesInARow, boxesInARow};
  const int keys[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down};
  const auto key = std::find(std::begin(keys), std::end(keys), event->key());
  if (key == std::end(keys) || boxes_.empty()) return QWidget::keyPressEvent(event);
  const auto current =
      std::find_if(boxes_.begin(), boxes_.end(), [&](const Box& box) { return box.place == current_; });
  const int now = current == boxes_.end() ? 0 : static_cast<int>(current - boxes_.begin()) + steps[key - keys];
  if (now >= 0 && now < std::ssize(boxes_)) Q_EMIT chosen(boxes_[static_cast<std::size_t>(now)].place);
}

bool PlacementView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Box* box = boxAt(help->pos());
  if (box == nullptr) {
    QToolTip::hideText();
    return true;
  }
  const ServerLine& server = document_.lines()[static_cast<std::size_t>(box->place.server)];
  const DeviceLine& device = server.devices[static_cast<std::size_t>(box->place.device)];
  QToolTip::showText(help->globalPos(),
                     tr("rank %1: device %2 of %3, address %4")
                         .arg(box->text, QString::fromStdString(device.id), QString::fromStdString(server.id),
                              QString::fromStdString(device.address)));
  return true;
}

}  // namespace slipstream::ui
