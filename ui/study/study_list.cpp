// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_list.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/store/store_snapshot.h"
#include "ui/study/study_texts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int studyRowHeight = 26, mostStudies = 6, studyStateLeft = 20, studyNameLeft = 42, studyMark = 14;

class StudyDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  int valueEdge = 10;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {studyNameLeft, std::max(studyRowHeight, option.fontMetrics.height() + 8)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto& model = static_cast<const StudyListModel&>(*index.model());
    const StudySummary* study = model.studyAt(index.row());
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, tokens().selection);
    const QRect row = option.rect;
    paintState(*painter,
               QRectF(row.left() + studyStateLeft, row.center().y() + 1 - studyMark / 2.0, studyMark, studyMark),
               study == nullptr ? RunState::draft : studyShape(study->state, study->carriedOn));
    const QString value = model.valueAt(index.row());
    const QFontMetrics metrics(textFont(TextSize::body));
    painter->setFont(textFont(TextSize::body));
    painter->setPen(tokens().secondText);
    painter->drawText(row.adjusted(0, 0, -valueEdge, 0), Qt::AlignVCenter | Qt::AlignRight, value);
    const QRect place = row.adjusted(studyNameLeft, 0, -valueEdge - metrics.horizontalAdvance(value) - gapText, 0);
    painter->setPen(tokens().text);
    painter->drawText(place, Qt::AlignVCenter,
                      metrics.elidedText(index.data().toString(), Qt::ElideMiddle, place.width()));
    if (option.state.testFlag(QStyle::State_HasFocus))
      painter->fillRect(QRect(row.left(), row.top(), 2, row.height()), tokens().accent);
    painter->restore();
  }
};

}  // namespace

StudyListModel::StudyListModel(Workspace& workspace, QObject* parent)
    : QAbstractListModel(parent), workspace_(workspace), snapshot_(workspace.store().snapshot()) {
  connect(&workspace.store(), &StoreWatcher::changed, this, &StudyListModel::refresh);
  connect(&workspace.studyDraft(), &Document::changed, this, &StudyListModel::refresh);
  connect(&workspace.studyDraft(), &Document::fileChanged, this, &StudyListModel::refresh);
  refresh();
}

/// Rows that stay keep their places but for new ones in front, which is where studies and drafts come.
void StudyListModel::refresh() {
  const StoreSnapshotPointer now = workspace_.store().snapshot();
  const bool draft = !workspace_.studyDraft().isBlank();
  const int before = rowCount(), wanted = static_cast<int>(now->studies.size()) + (draft ? 1 : 0);
  const auto take = [&] {
    snapshot_ = now;
    hasDraft_ = draft;
  };
  if (wanted > before) {
    beginInsertRows({}, 0, wanted - before - 1);
    take();
    endInsertRows();
  } else if (wanted < before) {
    beginRemoveRows({}, 0, before - wanted - 1);
    take();
    endRemoveRows();
  } else {
    take();
  }
  if (wanted > 0) Q_EMIT dataChanged(index(0), index(wanted - 1));
}

const StudySummary* StudyListModel::studyAt(int row) const {
  const int from = hasDraft_ ? row - 1 : row;
  const auto count = static_cast<int>(snapshot_->studies.size());
  return from < 0 || from >= count ? nullptr : &snapshot_->studies[static_cast<std::size_t>(count - 1 - from)];
}

int StudyListModel::rowOf(const StudySelection& selection) const {
  if (selection.isDraft()) return hasDraft_ ? 0 : -1;
  for (int row = 0; row < rowCount(); ++row) {
    const StudySummary* study = studyAt(row);
    if (study != nullptr && study->record.name == selection.name()) return row;
  }
  return -1;
}

QString StudyListModel::valueAt(int row) const {
  const StudySummary* study = studyAt(row);
  if (study == nullptr) return tr("draft");
  const StudyCounts& counts = study->counts;
  const int ended = counts.cells - counts.open();
  return ended == counts.cells ? QString::number(counts.cells) : QStringLiteral("%1 / %2").arg(ended).arg(counts.cells);
}

int StudyListModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return static_cast<int>(snapshot_->studies.size()) + (hasDraft_ ? 1 : 0);
}

QString StudyListModel::countsText(const StudySummary& study) {
  const StudyCounts& counts = study.counts;
  return tr("%1, %2, %3 of %n run(s) ended, %4 failed", nullptr, counts.cells)
      .arg(text(study.record.name), studyStateWord(study.state, study.carriedOn, counts.open() > 0))
      .arg(counts.cells - counts.open())
      .arg(counts.failed);
}

QVariant StudyListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const StudySummary* study = studyAt(index.row());
  const QString name = study == nullptr ? workspace_.studyDraft().proposedName() : text(study->record.name);
  if (role == Qt::DisplayRole) return name;
  if (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole) return {};
  const QString told = study == nullptr ? tr("%1, draft").arg(name) : countsText(*study);
  return role == Qt::ToolTipRole ? plainToolTip(told) : told;
}

StudyList::StudyList(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      model_(new StudyListModel(workspace, this)),
      head_(new QToolButton),
      count_(label({}, TextSize::body, true)),
      view_(new QListView) {
  QVBoxLayout* layout = column(this, 0);
  headLine_ = new QHBoxLayout;
  head_->setText(tr("Studies"));
  QFont font = textFont(TextSize::body);
  font.setWeight(strongWeight());
  head_->setFont(font);
  head_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  head_->setIconSize({16, 14});  // names begin where those of groups of runs do
  headLine_->addWidget(head_);
  headLine_->addStretch();
  headLine_->addWidget(count_);
  layout->addLayout(headLine_);
  view_->setModel(model_);
  view_->setItemDelegate(new StudyDelegate(view_));
  view_->setAccessibleName(tr("Studies"));
  view_->setUniformItemSizes(true);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(view_);
  setFolded(false);
  connect(head_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &StudyList::choose);
  for (const auto signal : {&QListView::clicked, &QListView::activated}) {
    connect(view_, signal, this, [this](const QModelIndex& index) {
      choose(index);
      workspace_.showPage(PageId::study);
    });
  }
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(model_, signal, this, &StudyList::refresh);
  connect(&workspace.studies(), &StudySelection::changed, this, &StudyList::apply);
  refresh();
}

void StudyList::setFolded(bool folded) {
  folded_ = folded;
  head_->setIcon(icon(folded ? Symbol::right : Symbol::down, IconInk::second));
  head_->setAccessibleName(folded ? tr("Studies, closed") : tr("Studies, open"));
  view_->setVisible(!folded);
}

void StudyList::refresh() {
  const int rows = model_->rowCount();
  setVisible(rows > 0);
  count_->setText(tr("%n study(s)", nullptr, rows));
  const int height = std::max(studyRowHeight, view_->fontMetrics().height() + 8);
  view_->setFixedHeight(std::min(rows, mostStudies) * height + 2);
  apply();
}

/// A move by keys chooses too: the page follows what is chosen.
void StudyList::choose(const QModelIndex& index) {
  if (applying_ || !index.isValid()) return;
  const StudySummary* study = model_->studyAt(index.row());
  study == nullptr ? workspace_.studies().chooseDraft() : workspace_.studies().choose(study->record.name);
}

void StudyList::setInFront(bool inFront) {
  isInFront_ = inFront;
  apply();
}

void StudyList::setValueEdge(int edge) {
  static_cast<StudyDelegate*>(view_->itemDelegate())->valueEdge = edge;
  headLine_->setContentsMargins(0, 0, edge, 0);
  view_->viewport()->update();
}

void StudyList::apply() {
  applying_ = true;
  const int row = model_->rowOf(workspace_.studies());
  if (row < 0 || !isInFront_) {
    view_->clearSelection();
  } else if (view_->currentIndex().row() != row || view_->selectionModel()->selectedIndexes().isEmpty()) {
    view_->setCurrentIndex(model_->index(row));
  }
  applying_ = false;
}

}  // namespace slipstream::ui
