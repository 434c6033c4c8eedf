// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/table_choices.h"

#include <QActionGroup>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <array>

#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

const QString layoutName = QStringLiteral("runs-table");

/// Ticking one of its actions leaves it open.
class StayingMenu : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void showEvent(QShowEvent* event) override {
    pressed_ = false;
    QMenu::showEvent(event);
  }
  void mousePressEvent(QMouseEvent* event) override {
    pressed_ = true;
    QMenu::mousePressEvent(event);
  }
  /// The release of the click that opened the menu may come over an entry of it, and chooses nothing.
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (!pressed_) return;
    QAction* action = actionAt(event->position().toPoint());
    if (action == nullptr || !action->isCheckable() || !action->isEnabled()) return QMenu::mouseReleaseEvent(event);
    action->trigger();
  }
  void keyPressEvent(QKeyEvent* event) override {
    QAction* action = activeAction();
    const bool triggers =
        event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!triggers || action == nullptr || !action->isCheckable()) return QMenu::keyPressEvent(event);
    action->trigger();
  }

 private:
  bool pressed_ = false;
};

QString kindTitle(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::run:
      return ColumnChoice::tr("Run");
    case ColumnKind::setting:
      return ColumnChoice::tr("Settings");
    case ColumnKind::result:
      return ColumnChoice::tr("Results");
    case ColumnKind::time:
      return ColumnChoice::tr("Times");
    default:
      return ColumnChoice::tr("Memory");
  }
}

std::vector<std::size_t> placesOf(std::initializer_list<const char*> keys) {
  std::vector<std::size_t> places;
  for (const char* key : keys) places.push_back(*findRunColumn(key));
  return places;
}

QString keyAt(std::size_t column) {
  const std::string_view key = runColumns()[column].key;
  return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

/// Names are the first column of the table already.
bool isChoosable(std::size_t column) {
  return runColumns()[column].key != "name";
}

}  // namespace

TableLayout TableLayout::usual() {
  return {placesOf({"algorithms", "ranks", "lr", "seed", "accuracy", "seconds_to_target", "memory"}),
          {},
          findRunColumn("group")};
}

/// What an older or newer version wrote, and this one does not know, is left out.
TableLayout TableLayout::saved() {
  const QJsonDocument document = QJsonDocument::fromJson(Settings::layout(layoutName));
  if (!document.isObject()) return usual();
  TableLayout layout;
  for (const auto& key : document[QStringLiteral("columns")].toArray()) {
    const auto column = findRunColumn(key.toString().toStdString());
    const bool isNew = column && std::ranges::find(layout.columns, *column) == layout.columns.end();
    if (isNew && isChoosable(*column)) layout.columns.push_back(*column);
  }
  for (const auto& key : document[QStringLiteral("sort")].toArray()) {
    const auto column = findRunColumn(key[QStringLiteral("column")].toString().toStdString());
    if (column) layout.sort.push_back({*column, key[QStringLiteral("descending")].toBool()});
  }
  layout.group = findRunColumn(document[QStringLiteral("group")].toString().toStdString());
  return layout;
}

void TableLayout::save() const {
  QJsonArray keys, sorted;
  for (const std::size_t column : columns) keys.append(keyAt(column));
  for (const SortKey& key : sort) {
    sorted.append(
        QJsonObject{{QStringLiteral("column"), keyAt(key.column)}, {QStringLiteral("descending"), key.descending}});
  }
  const QJsonObject layout{{QStringLiteral("columns"), keys},
                           {QStringLiteral("sort"), sorted},
                           {QStringLiteral("group"), group ? keyAt(*group) : QString()}};
  Settings::setLayout(layoutName, QJsonDocument(layout).toJson(QJsonDocument::Compact));
}

ColumnChoice::ColumnChoice(QWidget* parent) : QToolButton(parent), menu_(new StayingMenu(this)) {
  openMenuOf(*this, Symbol::table, menu_);
  setAccessibleName(tr("Columns of the table"));
  connect(menu_, &QMenu::aboutToShow, this, &ColumnChoice::fill);
}

void ColumnChoice::setColumns(const std::vector<std::size_t>& columns) {
  columns_ = columns;
  setText(tr("Columns %1").arg(columns.size()));
}

void ColumnChoice::fill() {
  menu_->clear();
  connect(menu_->addAction(tr("Settings that differ")), &QAction::triggered, this, &ColumnChoice::chooseDiffering);
  connect(menu_->addAction(tr("The usual ones")), &QAction::triggered, this, [this] {
    setColumns(TableLayout::usual().columns);
    Q_EMIT chosen(columns_);
  });
  std::optional<ColumnKind> kind;
  for (std::size_t column = 0; column < runColumns().size(); ++column) {
    if (!isChoosable(column)) continue;
    const RunColumn& about = runColumns()[column];
    if (kind != about.kind) menu_->addSection(kindTitle(about.kind));
    kind = about.kind;
    const std::string_view unit = about.unit();
    const QString title = columnTitle(about);
    QAction* action = menu_->addAction(
        unit.empty()
            ? title
            : QStringLiteral("%1, %2").arg(title, QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()))));
    action->setCheckable(true);
    action->setChecked(std::ranges::find(columns_, column) != columns_.end());
    connect(action, &QAction::toggled, this, [this, column](bool shown) { choose(column, shown); });
  }
}

/// A new one stands behind those of its kind and before it.
void ColumnChoice::choose(std::size_t column, bool shown) {
  std::erase(columns_, column);
  if (shown) {
    const auto behind = std::ranges::find_if(
        columns_, [column](std::size_t other) { return runColumns()[other].kind > runColumns()[column].kind; });
    columns_.insert(behind, column);
  }
  setColumns(columns_);
  Q_EMIT chosen(columns_);
}

/// Of the settings those in which the runs differ; what else is shown stays.
void ColumnChoice::chooseDiffering() {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < runColumns().size() && column < differs_.size(); ++column) {
    if (runColumns()[column].kind == ColumnKind::setting && differs_[column]) columns.push_back(column);
  }
  for (const std::size_t column : columns_) {
    if (runColumns()[column].kind != ColumnKind::setting) columns.push_back(column);
  }
  std::ranges::stable_sort(columns,
                           [](std::size_t a, std::size_t b) { return runColumns()[a].kind < runColumns()[b].kind; });
  setColumns(columns);
  Q_EMIT chosen(columns_);
}

GroupChoice::GroupChoice(QWidget* parent) : QToolButton(parent), menu_(new QMenu(this)) {
  setProperty("framed", true);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setProperty("menu", true);
  setPopupMode(InstantPopup);
  setAccessibleName(tr("How the table is grouped"));
  auto* alternatives = new QActionGroup(this);
  const auto add = [this, alternatives](const QString& text, std::optional<std::size_t> column) {
    QAction* action = alternatives->addAction(menu_->addAction(text));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, column] {
      setGroup(column);
      Q_EMIT chosen(column);
    });
    connect(menu_, &QMenu::aboutToShow, action, [this, action, column] { action->setChecked(group_ == column); });
  };
  add(tr("Nothing"), std::nullopt);
  menu_->addSeparator();
  for (const char* key : {"group", "study", "experiment", "variant"}) {
    add(columnTitle(runColumns()[*findRunColumn(key)]), findRunColumn(key));
  }
  menu_->addSeparator();
  for (std::size_t column = 0; column < runColumns().size(); ++column) {
    const RunColumn& about = runColumns()[column];
    const bool groups = about.kind == ColumnKind::setting || about.key == "state" || about.key == "tag";
    if (groups) add(columnTitle(about), column);
  }
  setMenu(menu_);
}

void GroupChoice::setGroup(std::optional<std::size_t> column) {
  group_ = column;
  setText(tr("Group: %1").arg(column ? columnTitle(runColumns()[*column]).toLower() : tr("none")));
}

}  // namespace slipstream::ui
