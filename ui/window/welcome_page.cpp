// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include <QAbstractButton>
#include <QDir>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include "engine/store/file_identity.h"
#include "engine/store/store_folder.h"
#include "ui/charts/line_chart.h"
#include "ui/widgets/widgets.h"
#include "ui/window/example.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int welcomeRowHeight = 44, roomyRowHeight = 56, rowIcon = 24, iconLeft = 2, textLeft = 40;

constexpr int chartHeight = 166, pageWidth = 568, roomAbove = 16, signSize = 56;
/// From this height on of the page its rows and gaps are as wide as they are meant to be.
constexpr int roomyHeight = 660, roomyAbove = 36;
constexpr int recentStores = 3;

/// One thing to start with: an icon, what it is, what it needs, and its key. The whole row is the button.
class WelcomeRow : public QAbstractButton {
 public:
  WelcomeRow(Symbol symbol, const QString& what, const QString& why, const QString& key = {})
      : symbol_(symbol), why_(why), key_(key) {
    setText(what);
    setAccessibleName(what);
    setAccessibleDescription(why);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);  // painted anew where the mouse enters or leaves
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }
  QSize sizeHint() const override {
    return {320, std::max(isRoomy_ ? roomyRowHeight : welcomeRowHeight, 2 * fontMetrics().height() + 8)};
  }
  void setRoomy(bool roomy) {
    isRoomy_ = roomy;
    updateGeometry();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    if (underMouse() || isDown()) painter.fillRect(rect(), tokens().alternate);
    painter.fillRect(0, height() - 1, width(), 1, tokens().hairline);
    const QRect place(iconLeft, (height() - rowIcon) / 2, rowIcon, rowIcon);
    ui::icon(symbol_, IconInk::accent).paint(&painter, place);
    QFont strong = textFont(TextSize::body);
    strong.setWeight(strongWeight());
    const int line = fontMetrics().height();
    const int top = (height() - 2 * line - 2) / 2;
    const int keySpace = key_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(key_) + gapSection;
    const int space = width() - textLeft - keySpace - gapSmall;
    painter.setFont(strong);
    painter.setPen(tokens().text);
    painter.drawText(QRect(textLeft, top, space, line), Qt::AlignVCenter,
                     QFontMetrics(strong).elidedText(text(), Qt::ElideMiddle, space));
    painter.setFont(textFont(TextSize::body));
    painter.setPen(tokens().secondText);
    painter.drawText(QRect(textLeft, top + line + 2, space, line), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(why_, Qt::ElideMiddle, space));
    painter.setFont(textFont(TextSize::secondary));
    painter.drawText(rect().adjusted(0, 0, -gapSmall, 0), Qt::AlignRight | Qt::AlignVCenter, key_);
    if (hasFocus()) {
      painter.setPen(QPen(tokens().accent, 2));
      painter.drawRoundedRect(rect().adjusted(1, 1, -1, -2), 4, 4);
    }
  }

 private:
  Symbol symbol_;
  QString why_, key_;
  bool isRoomy_ = false;
};

QWidget* row(Symbol symbol, QAction* action, const QString& what, const QString& why) {
  auto* made = new WelcomeRow(symbol, what, why, action->shortcut().toString(QKeySequence::NativeText));
  QObject::connect(made, &QAbstractButton::clicked, action, &QAction::trigger);
  return made;
}

/// The loss that the example is expected to show, to be read only.
QWidget* expectedChart() {
  ShownChart model;
  model.last = static_cast<double>(expectation().steps);
  model.logarithmic = true;
  model.cursorTag = false;
  QStringList entries;
  for (const ExpectedCurve& curve : expectation().curves) {
    ChartCurve line;
    line.colourSlot = static_cast<int>(model.curves.size());  // as the first runs of a store will be seen
    line.line = {{curve.steps, curve.loss}};
    const QString name = QString(curve.variant).replace(QLatin1Char('_'), QLatin1Char(' '));
    entries << WelcomePage::tr("%1 %2 %", "a variant and its accuracy")
                   .arg(name, QLocale().toString(curve.accuracy, 'f', 1));
    line.label = entries.last().toStdString();
    model.curves.push_back(std::move(line));
  }
  model.title = WelcomePage::tr("Expected training loss").toStdString();
  model.treatment = WelcomePage::tr("over %n step(s), log scale; with the final test accuracy", nullptr,
                                    static_cast<int>(expectation().steps))
                        .toStdString();
  model.legend = LegendPlace::lineEnds;
  model.ends.resize(model.curves.size());  // the labels have the accuracy, not the loss
  const QFontMetricsF metrics(textFont(TextSize::secondary));
  for (const QString& entry : entries)
    model.rightRoom = std::max(model.rightRoom, metrics.horizontalAdvance(entry) + labelSwatch + 4 * gapSmall);
  auto* chart = new LineChart;
  chart->setModel(std::move(model));
  chart->setAccessibleDescription(listed(entries));
  chart->setFixedHeight(chartHeight);
  chart->setSurface(&Tokens::base);
  chart->setFocusPolicy(Qt::NoFocus);
  chart->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* frame = new QFrame;
  frame->setProperty("card", true);
  QVBoxLayout* inside = column(frame, 0);
  inside->setContentsMargins(gapWide, gapText, gapWide, gapText);
  inside->addWidget(chart);
  return frame;
}

}  // namespace

WelcomePage::WelcomePage(Workspace& workspace, const Actions& actions, QWidget* parent) : Page(workspace, parent) {
  auto* middle = new QWidget;
  middle->setMaximumWidth(pageWidth);
  QVBoxLayout* layout = column(middle, gapWide);
  addAll(*layout, {header(), example(actions), ways(actions)});
  layout->addStretch();
  auto* body = new QWidget;
  sides_ = new QHBoxLayout(body);
  sides_->addStretch(1);
  sides_->addWidget(middle, 20);
  sides_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  body->setAutoFillBackground(false);
  scroll->viewport()->setAutoFillBackground(false);
  column(this)->addWidget(scroll);
  connect(&workspace.store(), &StoreWatcher::opened, this, &WelcomePage::listStores);
  listStores();
}

/// A high page is filled with wider rows and a wider margin.
void WelcomePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  spread();
}

void WelcomePage::spread() {
  const bool isRoomy = height() >= roomyHeight;
  sides_->setContentsMargins(pageMargin, isRoomy ? roomyAbove : roomAbove, pageMargin, gapSmall);
  for (QAbstractButton* entry : findChildren<QAbstractButton*>()) {
    if (auto* one = dynamic_cast<WelcomeRow*>(entry)) one->setRoomy(isRoomy);
  }
}

QWidget* WelcomePage::header() const {
  auto* made = new QWidget;
  QHBoxLayout* line = rowLayout(made, pageMargin);
  auto* sign = new QLabel;
  sign->setPixmap(QIcon(QStringLiteral(":/icon.svg")).pixmap(QSize(signSize, signSize), devicePixelRatioF()));
  line->addWidget(sign);
  QVBoxLayout* texts = column(nullptr, 0);
  texts->addStretch();
  texts->addWidget(label(tr("Welcome to Slipstream"), TextSize::welcomeTitle));
  texts->addWidget(label(tr("Compare acceleration algorithms for distributed training."), TextSize::body, true));
  texts->addStretch();
  line->addLayout(texts, 1);
  made->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // what a page is higher is below
  return made;
}

QWidget* WelcomePage::example(const Actions& actions) const {
  auto* card = new QFrame;
  card->setProperty("card", QStringLiteral("ground"));
  QVBoxLayout* layout = column(card);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, gapWide);
  double seconds = 0;
  for (const ExpectedCurve& curve : expectation().curves) seconds += curve.seconds;
  auto* line = new QHBoxLayout;
  QVBoxLayout* texts = column(nullptr, gapSmall);
  texts->addWidget(label(tr("8-rank example"), TextSize::section));
  auto* what = new BalancedLabel;
  what->setProperty("second", true);
  what->setWords(
      tr("LeNet-5 on digits: Adasum against averaging, in about %n second(s). No download and no GPU is needed.",
         nullptr, static_cast<int>(seconds + 0.5)));
  texts->addWidget(what);
  line->addLayout(texts, 1);
  QPushButton* start = primaryButton(Symbol::launch, actions.runExample->text());
  connect(start, &QPushButton::clicked, actions.runExample, &QAction::trigger);
  connect(actions.runExample, &QAction::changed, start, [start, action = actions.runExample] {
    start->setEnabled(action->isEnabled());
    start->setToolTip(action->isEnabled() ? QString() : action->toolTip());
  });
  line->addWidget(start, 0, Qt::AlignVCenter);
  layout->addLayout(line);
  layout->addWidget(expectedChart());
  return card;
}

QWidget* WelcomePage::ways(const Actions& actions) {
  auto* made = new QWidget;
  QVBoxLayout* layout = column(made, 0);
  layout->addWidget(hairline());
  layout->addWidget(row(Symbol::add, actions.newExperiment, tr("New experiment"),
                        tr("Network, data, ranks and boost level on one page")));
  layout->addWidget(row(Symbol::folder, actions.openStore, tr("Open a store"), tr("A folder with store.db")));
  layout->addWidget(row(Symbol::table, actions.openRankTable, tr("Open a rank table"),
                        tr("Version 1.0, with checks and quick fixes")));
  layout->addWidget(row(Symbol::importFile, actions.importFiles, tr("Import runs"),
                        tr("TensorBoard event files or CSV, beside your own runs")));
  stores_ = column(nullptr, 0);
  layout->addLayout(stores_);
  return made;
}

/// Stores of before that are still there, without the one that is open.
void WelcomePage::listStores() {
  while (QLayoutItem* item = stores_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  for (const QString& folder : Settings::recentStores()) {
    const bool open = std::filesystem::path(folder.toStdString()) == workspace().store().folder();
    if (open || !identityOf(storeFileIn(folder.toStdString())) || stores_->count() >= recentStores) continue;
    auto* entry = new WelcomeRow(Symbol::reset, tr("Open %1 again").arg(QDir(folder).dirName()), folder);
    connect(entry, &QAbstractButton::clicked, this, [this, folder] {
      workspace().store().openLater(folder.toStdString(), this, [this](const Status& opened) {
        if (!opened) return workspace().report(QString::fromStdString(toText(opened.error())));
        Settings::rememberStore(workspace().store().folder());
      });
    });
    stores_->addWidget(entry);
  }
  spread();
}

}  // namespace slipstream::ui
