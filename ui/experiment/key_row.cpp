// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/key_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/base/text.h"
#include "ui/documents/experiment_document.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/json_fields.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int shapeSize = 14;
constexpr int controlWidth = 92;
constexpr int rangeWidth = 72;
constexpr int defaultWidth = 84;
constexpr int roomForRange = 360;

/// As wide as a number and its range are together.
int wideControl() {
  return controlWidth + gapText + widthForFont(rangeWidth);
}

/// A page that is scrolled changes nothing on its way.
class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

QString shortValue(const Json& value) {
  if (value.is_null()) return KeyRow::tr("none");
  if (value.is_boolean()) return value.get<bool>() ? KeyRow::tr("On") : KeyRow::tr("Off");
  if (value.is_string() && value.get_ref<const std::string&>().empty()) return KeyRow::tr("none");
  if (value.is_string()) return QString::fromStdString(value.get<std::string>());
  if ((value.is_array() || value.is_object()) && value.empty()) return KeyRow::tr("none");
  if (value.is_number_float()) return QString::fromStdString(numberText(value.get<double>()));
  return QString::fromStdString(shortText(value));
}

QString listText(const Json& value) {
  if (!value.is_array()) return value.is_null() ? QString() : QString::fromStdString(value.dump());
  QStringList parts;
  for (const Json& entry : value) {
    parts << (entry.is_string() ? QString::fromStdString(entry.get<std::string>())
                                : QString::fromStdString(entry.dump()));
  }
  return parts.join(QStringLiteral(", "));
}

/// What a line of text means for a key of this kind; nothing where it means nothing yet.
std::optional<Json> meaningOf(KeyKind kind, const QString& line) {
  const std::string typed = trim(line.toStdString());
  if (typed.empty()) return Json();
  if (kind == KeyKind::text) return Json(line.toStdString());
  if (kind == KeyKind::texts || kind == KeyKind::integers) {
    Json list = Json::array();
    for (const std::string& part : split(typed, ',')) {
      const auto number = parseInteger(trim(part));
      if (kind == KeyKind::integers && !number) return std::nullopt;
      list.push_back(kind == KeyKind::integers ? Json(*number) : Json(trim(part)));
    }
    return list;
  }
  const Json parsed = Json::parse(typed, nullptr, false);
  return parsed.is_discarded() ? std::nullopt : std::optional<Json>(parsed);
}

void setWrong(QWidget* widget, bool wrong) {
  if (widget->property("wrong").toBool() == wrong) return;
  widget->setProperty("wrong", wrong);
  repolish(widget);
}

}  // namespace

KeyRow::KeyRow(ExperimentEditing& editing, const FormKey& key, QWidget* parent)
    : QWidget(parent),
      editing_(editing),
      path_(key.path),
      title_(label(keyTitle(key))),
      default_(button(QString())),
      help_(new QToolButton),
      mistake_(new QWidget(this)),
      problem_(label(QString(), TextSize::secondary)),
      fix_(button(Symbol::bulb, QString())) {
  buildControl(key);
  title_->setBuddy(control_);
  title_->setWordWrap(true);  // in two lines where a narrow form has no room
  control_->setAccessibleName(title_->text());
  const QString help = keyHelp(key);
  const QString path = QString::fromStdString(path_);
  control_->setToolTip(help.isEmpty() ? path : tr("%1\n%2").arg(path, help));
  control_->installEventFilter(this);
  help_->setIcon(icon(Symbol::help, IconInk::faint));
  help_->setToolTip(control_->toolTip());
  help_->setAccessibleName(tr("About %1").arg(title_->text()));
  connect(help_, &QToolButton::clicked, this, [this] { Q_EMIT helpWanted(QString::fromStdString(path_)); });
  default_->setProperty("link", true);
  default_->setProperty("atEnd", true);
  default_->setToolTip(tr("Go back to the default"));
  connect(default_, &QPushButton::clicked, this, [this] { editing_.reset(path_); });
  const bool number = key.kind == KeyKind::integer || key.kind == KeyKind::number;
  if (number) range_ = new ElidedLabel(key.unit.empty() ? rangeText(key.limits) : translatedTitle(key.unit));
  buildProblem();
  layOut();
}

void KeyRow::buildProblem() {
  problem_->setWordWrap(true);
  shape_ = new QLabel;
  QHBoxLayout* line = rowLayout(mistake_, gapSmall);
  line->addWidget(shape_);
  line->addWidget(problem_, 1);
  line->addWidget(fix_);
  mistake_->hide();
  connect(fix_, &QPushButton::clicked, this, [this] {
    const Problem* problem = editing_.problemAt(path_);
    if (problem == nullptr || !problem->fix) return;
    const std::function<void()> fix = problem->fix;  // the list changes while it is at work
    fix();
  });
}

QString KeyRow::title() const {
  return title_->text();
}

bool KeyRow::matches(const QString& words) const {
  const FormKey* key = editing_.key(path_);
  if (key == nullptr) return false;
  QStringList told{title(), text(key->path), keyHelp(*key), text(key->help)};
  for (const std::string& word : key->words) told << text(word) << wordHelp(*key, word);
  const QString all = told.join(QLatin1Char(' '));
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::ranges::all_of(wanted, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool KeyRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) Q_EMIT helpWanted(text(path_));
  return QWidget::eventFilter(watched, event);
}

/// In a row of its own, not in a grid: what is hidden there takes no gap, so that all controls begin at one place.
void KeyRow::layOut() {
  QVBoxLayout* rows = column(this, 2);
  rows->setContentsMargins(0, 1, 0, 2);
  auto* row = new QHBoxLayout;
  row->setSpacing(gapText);
  row->addWidget(title_, 1);
  row->addWidget(control_);
  control_->setFixedWidth(range_ == nullptr ? wideControl() : controlWidth);
  if (range_ != nullptr) {
    range_->setProperty("second", true);
    range_->setFixedWidth(widthForFont(rangeWidth));
    row->addWidget(range_);
  }
  row->addWidget(default_);
  row->addWidget(help_);
  default_->setFixedWidth(widthForFont(defaultWidth));
  rows->addLayout(row);
  rows->addWidget(mistake_);
}

void KeyRow::buildControl(const FormKey& key) {
  if (key.kind == KeyKind::flag) return buildFlag();
  if (key.kind == KeyKind::integer || key.kind == KeyKind::number) return buildNumber(key);
  if (key.kind != KeyKind::text || key.words.empty()) return buildLine(key);
  std::vector<std::pair<QString, Json>> choices;
  for (const std::string& word : key.words) choices.emplace_back(QString::fromStdString(word), word);
  buildChoice(choices);
  for (int word = 0; word < std::ssize(key.words); ++word) {
    const QString help = wordHelp(key, key.words[static_cast<std::size_t>(word)]);
    static_cast<QComboBox*>(control_)->setItemData(word, help, Qt::ToolTipRole);
  }
  control_->setProperty("english", true);  // words as files have them
}

void KeyRow::buildFlag() {
  auto* box = new QCheckBox;
  control_ = box;
  connect(box, &QCheckBox::clicked, this, [this](bool on) { set(on, false); });
  show_ = [box](const FormKey& key) { box->setChecked(key.value == true); };
}

void KeyRow::buildChoice(const std::vector<std::pair<QString, Json>>& choices) {
  auto* box = new QComboBox;
  box->setFocusPolicy(Qt::StrongFocus);
  box->installEventFilter(new WheelGuard(box));
  for (const auto& [label, value] : choices) box->addItem(label);
  control_ = box;
  connect(box, &QComboBox::activated, this,
          [this, choices](int index) { set(choices[static_cast<std::size_t>(index)].second, false); });
  show_ = [box, choices](const FormKey& key) {
    int index = -1;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i].second == key.value) index = static_cast<int>(i);
    }
    box->setCurrentIndex(index);
    box->setPlaceholderText(shortValue(key.value));
  };
}

void KeyRow::buildNumber(const FormKey& key) {
  auto* field = new NumberField(key.kind == KeyKind::integer, key.limits);
  control_ = field;
  connect(field, &NumberField::edited, this, [this, field] { set(*field->value(), true); });
  show_ = [field](const FormKey& now) { field->setValue(now.value); };
}

void KeyRow::buildLine(const FormKey& key) {
  auto* line = new QLineEdit;
  const bool isList = key.kind == KeyKind::texts || key.kind == KeyKind::integers;
  if (key.value.is_structured() && !isList) line->setFont(fixedFont());
  const KeyKind kind = key.kind;
  connect(line, &QLineEdit::textEdited, this, [this, line, kind](const QString& typed) {
    const auto value = meaningOf(kind, typed);
    setWrong(line, !value);
    if (value) set(*value, true);
  });
  show_ = [line, kind](const FormKey& now) {
    const auto shown = meaningOf(kind, line->text());
    if (shown && *shown == now.value) return;
    setWrong(line, false);
    const bool json = kind == KeyKind::list || kind == KeyKind::raw;
    const QString text = json ? (now.value.is_null() ? QString() : QString::fromStdString(now.value.dump()))
                              : listText(now.value.is_string() ? Json::array({now.value}) : now.value);
    line->setText(text);
    line->setCursorPosition(0);
  };
  if (key.kind == KeyKind::text) addChoosers(*line);
  control_ = line;
}

/// Data of one's own is a folder or a file.
void KeyRow::addChoosers(QLineEdit& line) {
  const bool either = path_ == "dataset.path";
  if (either || path_.ends_with("dir")) addChooser(line, false);
  const bool file = path_.ends_with("pca_mat_path") || path_.ends_with("rank_table") || path_.ends_with(".file");
  if (either || file) addChooser(line, true);
}

void KeyRow::addChooser(QLineEdit& line, bool file) {
  QAction* choose = line.addAction(icon(file ? Symbol::report : Symbol::folder), QLineEdit::TrailingPosition);
  choose->setToolTip(file ? tr("Choose a file") : tr("Choose a folder"));
  connect(choose, &QAction::triggered, this, [this, file] {
    const QString chosen = file ? QFileDialog::getOpenFileName(this, tr("Choose a file"))
                                : QFileDialog::getExistingDirectory(this, tr("Choose a folder"));
    if (!chosen.isEmpty()) set(chosen.toStdString(), false);
  });
}

/// A narrow form leaves the range to the words about a number outside it.
void KeyRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (range_ != nullptr) range_->setHidden(contentsRect().width() < widthForFont(roomForRange));
  alignProblem();
}

void KeyRow::set(const Json& value, bool typing) {
  if (value.is_null()) return editing_.reset(path_);
  constexpr int positive = 0x7fffffff;
  editing_.set(path_, value, typing ? static_cast<int>(std::hash<std::string>{}(path_)&positive) : -1);
}

void KeyRow::refresh() {
  const FormKey* key = editing_.key(path_);
  if (key == nullptr) return;
  show_(*key);
  const bool isVariants = path_ == "name" && editing_.scope().kind == ExperimentScope::Kind::variant;
  if (path_ == "name") title_->setText(isVariants ? tr("Variant name") : keyTitle(*key));
  refreshDefault(*key);
  refreshProblem();
}

void KeyRow::refreshDefault(const FormKey& key) {
  const bool unlike = key.unlikeDefault();
  QFont font = textFont(TextSize::body);
  if (unlike) font.setWeight(strongWeight());
  title_->setFont(font);
  default_->setEnabled(unlike);
  if (!unlike) return default_->setText(key.written ? QString() : tr("default"));
  const int room = widthForFont(defaultWidth) / 2;
  default_->setText(
      tr("default: %1").arg(default_->fontMetrics().elidedText(shortValue(key.fallback), Qt::ElideMiddle, room)));
}

/// Below the field that it is about.
void KeyRow::alignProblem() {
  // The fix ends where the icons of help do.
  const int besideHelp = (help_->width() - help_->iconSize().width()) / 2;
  mistake_->layout()->setContentsMargins(std::max(0, control_->x() - mistake_->x()), 0, besideHelp, gapSmall);
}

/// A row with a mistake is tinted.
void KeyRow::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  const Problem* problem = mistake_->isHidden() ? nullptr : editing_.problemAt(path_);
  if (problem == nullptr) return;
  QPainter(this).fillRect(rect(), problem->severity == Verdict::reject ? tokens().errorTint : tokens().warningTint);
}

void KeyRow::refreshProblem() {
  const Problem* problem = editing_.problemAt(path_);
  mistake_->setVisible(problem != nullptr);
  setWrong(control_, problem != nullptr && problem->severity == Verdict::reject);
  if (problem == nullptr) return;
  const bool isError = problem->severity == Verdict::reject;
  shape_->setPixmap(icon(isError ? Symbol::error : Symbol::warning, isError ? IconInk::error : IconInk::warning)
                        .pixmap(QSize(shapeSize, shapeSize), devicePixelRatioF()));
  alignProblem();
  update();
  showSeverity(*problem_, problem->severity);
  problem_->setText(problem->remedy.isEmpty() ? problem->problem : tr("%1; %2").arg(problem->problem, problem->remedy));
  fix_->setVisible(static_cast<bool>(problem->fix));
  fix_->setText(problem->fixLabel);
}

}  // namespace slipstream::ui
