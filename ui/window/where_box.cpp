// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/where_box.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QThread>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int boxWidth = 148, popupWidth = 200, entryHeight = 44, entryIcon = 16, entryText = 36;
constexpr int nameRole = Qt::UserRole, stateRole = Qt::UserRole + 1, goodRole = Qt::UserRole + 2;
/// Beside the names of remotes, which begin otherwise.
const QString thisMachine = QStringLiteral(".");
const QString another = QStringLiteral("+");

/// Two lines an entry: its name, and its state in words.
class WhereDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool tall = !index.data(stateRole).toString().isEmpty();
    const int lines = tall ? 2 : 1;
    return {popupWidth, std::max(tall ? entryHeight : 32, lines * option.fontMetrics.height() + 2 * gapSmall)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, chosen ? tokens().selection : tokens().base);
    const QRect row = option.rect;
    const QRect mark(row.left() + gapWide, row.center().y() - entryIcon / 2, entryIcon, entryIcon);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, mark);
    const QRect place = row.adjusted(entryText, gapSmall, -gapText, -gapSmall);
    const QString state = index.data(stateRole).toString();
    painter->setFont(textFont(TextSize::body));
    painter->setPen(tokens().text);
    const QRect upper = state.isEmpty() ? place : place.adjusted(0, 0, 0, -place.height() / 2);
    const QString name =
        QFontMetrics(painter->font()).elidedText(index.data().toString(), Qt::ElideMiddle, place.width());
    painter->drawText(upper, Qt::AlignVCenter, name);
    painter->setFont(textFont(TextSize::secondary));
    painter->setPen(index.data(goodRole).toBool() ? tokens().good : tokens().secondText);
    const QString shown = QFontMetrics(painter->font()).elidedText(state, Qt::ElideRight, place.width());
    painter->drawText(place.adjusted(0, place.height() / 2, 0, 0), Qt::AlignVCenter, shown);
    painter->restore();
  }
};

}  // namespace

WhereBox::WhereBox(RemoteWatch& remotes, QWidget* parent) : QComboBox(parent), remotes_(remotes) {
  setAccessibleName(tr("Where"));
  setFixedWidth(widthForFont(boxWidth));
  setItemDelegate(new WhereDelegate(this));
  view()->setMinimumWidth(widthForFont(popupWidth));
  connect(this, &QComboBox::activated, this, &WhereBox::choose);
  connect(&remotes, &RemoteWatch::changed, this, &WhereBox::fill);
  connect(&remotes, &RemoteWatch::chosenChanged, this, &WhereBox::fill);
  fill();
}

void WhereBox::fill() {
  if (view()->isVisible()) return;  // nothing moves under the pointer
  const QSignalBlocker quiet(this);
  clear();
  addItem(icon(Symbol::device), tr("This machine"), thisMachine);
  setItemData(0, tr("%n CPU core(s)", nullptr, QThread::idealThreadCount()), stateRole);
  for (const RemoteLink& link : remotes_.links()) {
    const QString name = text(link.remote.name);
    addItem(icon(Symbol::cloud), link.remote.slurm ? tr("%1 (Slurm)").arg(name) : name, name);
    setItemData(count() - 1, linkText(link.state), stateRole);
    setItemData(count() - 1, link.state.link == FollowState::Link::upToDate, goodRole);
  }
  addItem(icon(Symbol::add), tr("Add a machine…"), another);
  const QString chosen = remotes_.chosen().empty() ? thisMachine : text(remotes_.chosen());
  setCurrentIndex(std::max(0, findData(chosen, nameRole)));
  setToolTip(remotes_.chosen().empty() ? tr("Launches go to this machine") : tr("Launches go to %1").arg(chosen));
}

/// Where a launch goes is no matter of chance.
void WhereBox::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

void WhereBox::choose(int index) {
  const QString name = itemData(index, nameRole).toString();
  if (name == another) {
    fill();
    return addMachine();
  }
  remotes_.choose(name == thisMachine ? std::string() : name.toStdString());
  fill();
}

void WhereBox::addMachine() {
  (new AddMachineDialog(remotes_, window()))->open();
}

AddMachineDialog::AddMachineDialog(RemoteWatch& remotes, QWidget* parent)
    : QDialog(parent),
      remotes_(remotes),
      name_(new QLineEdit),
      host_(new QLineEdit),
      store_(new QLineEdit),
      slurm_(new QCheckBox(tr("Submit runs to Slurm"))),
      problem_(label({})) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Add a machine"));
  QVBoxLayout* rows = column(this, gapWide);
  rows->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  QLabel* what =
      label(tr("Runs are launched and watched there by ssh. It needs slipstream, and a log-in that asks nothing."),
            TextSize::secondary, true);
  what->setWordWrap(true);
  rows->addWidget(what);
  auto* form = new QFormLayout;
  name_->setPlaceholderText(tr("lab"));
  host_->setPlaceholderText(tr("user@host"));
  store_->setPlaceholderText(tr("the one that slipstream takes there by itself"));
  form->addRow(tr("Name"), name_);
  form->addRow(tr("Host"), host_);
  form->addRow(tr("Folder of the store there"), store_);
  rows->addLayout(form);
  rows->addWidget(slurm_);
  problem_->setWordWrap(true);
  problem_->setTextFormat(Qt::PlainText);
  problem_->hide();
  rows->addWidget(problem_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
  QPushButton* yes = primaryButton(Symbol::add, tr("Add"));
  buttons->addButton(yes, QDialogButtonBox::ActionRole);
  yes->setDefault(true);
  rows->addWidget(buttons);
  setMinimumWidth(widthForFont(420));
  connect(yes, &QPushButton::clicked, this, &AddMachineDialog::add);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void AddMachineDialog::add() {
  const QString store = store_->text().trimmed();
  const QString place = host_->text().trimmed() + (store.isEmpty() ? QString() : QLatin1Char(':') + store);
  auto remote = makeRemote(name_->text().trimmed().toStdString(), place.toStdString());
  if (!remote) {
    problem_->setText(text(toText(remote.error())).trimmed());
    problem_->show();
    return;
  }
  remote->slurm = slurm_->isChecked();
  remotes_.add(*remote);
  accept();
}

}  // namespace slipstream::ui
