// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

#include "engine/record/file_identity.h"
#include "engine/record/store_folder.h"
#include "ui/parts/parts.h"
#include "ui/window/example.h"
#include "ui/window/expected_chart.h"
#include "ui/window/welcome_row.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int pageWidth = 568, roomAbove = 36, signSize = 56;
constexpr int recentStores = 3;

QWidget* row(Symbol symbol, QAction* action, const QString& what, const QString& why) {
  auto* made = new WelcomeRow(symbol, what, why, action->shortcut().toString(QKeySequence::NativeText));
  QObject::connect(made, &QAbstractButton::clicked, action, &QAction::trigger);
  return made;
}

}  // namespace

WelcomePage::WelcomePage(Workspace& workspace, const Actions& actions, QWidget* parent) : Page(workspace, parent) {
  auto* middle = new QWidget;
  middle->setMaximumWidth(pageWidth);
  QVBoxLayout* layout = column(middle, pageMargin);
  layout->addWidget(head());
  layout->addWidget(example(actions));
  layout->addWidget(ways(actions));
  layout->addStretch();
  auto* body = new QWidget;
  auto* sides = new QHBoxLayout(body);
  sides->setContentsMargins(pageMargin, roomAbove, pageMargin, pageMargin);
  sides->addStretch(1);
  sides->addWidget(middle, 20);
  sides->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  body->setAutoFillBackground(false);
  scroll->viewport()->setAutoFillBackground(false);
  column(this)->addWidget(scroll);
  connect(&workspace.store(), &StoreWatcher::opened, this, &WelcomePage::listStores);
  listStores();
}

QWidget* WelcomePage::head() const {
  auto* made = new QWidget;
  auto* line = new QHBoxLayout(made);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(pageMargin);
  auto* picture = new QLabel;
  picture->setPixmap(QIcon(QStringLiteral(":/icon.svg")).pixmap(QSize(signSize, signSize), devicePixelRatioF()));
  line->addWidget(picture);
  QVBoxLayout* words = column(nullptr, 0);
  words->addStretch();
  words->addWidget(label(tr("Welcome to Slipstream"), TextSize::welcomeTitle));
  words->addWidget(
      label(tr("Train on many cards, and see what every acceleration gives and costs."), TextSize::body, true));
  words->addStretch();
  line->addLayout(words, 1);
  return made;
}

QWidget* WelcomePage::example(const Actions& actions) const {
  auto* card = new QFrame;
  card->setProperty("card", true);
  QVBoxLayout* layout = column(card);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  double seconds = 0;
  for (const ExpectedCurve& curve : expectation().curves) seconds += curve.seconds;
  auto* line = new QHBoxLayout;
  QVBoxLayout* words = column(nullptr, gapSmall);
  words->addWidget(label(tr("8-rank example"), TextSize::section));
  QLabel* what = label(tr("LeNet-5 on digits, Adasum beside the plain mean; %n second(s) where the picture below was "
                          "measured. The data is included; no network and no card needed.",
                          nullptr, static_cast<int>(seconds + 0.5)),
                       TextSize::body, true);
  what->setWordWrap(true);
  words->addWidget(what);
  line->addLayout(words, 1);
  QPushButton* start = primaryButton(Symbol::launch, actions.runExample->text());
  connect(start, &QPushButton::clicked, actions.runExample, &QAction::trigger);
  connect(actions.runExample, &QAction::changed, start, [start, action = actions.runExample] {
    start->setEnabled(action->isEnabled());
    start->setToolTip(action->isEnabled() ? QString() : action->toolTip());
  });
  line->addWidget(start, 0, Qt::AlignVCenter);
  layout->addLayout(line);
  layout->addWidget(new ExpectedChart);
  QLabel* caption = label(tr("What you will see: training loss over %n step(s), and the final test accuracy of both.",
                             nullptr, static_cast<int>(expectation().steps)),
                          TextSize::secondary, true);
  caption->setWordWrap(true);
  layout->addWidget(caption);
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
        if (!opened) return workspace().say(QString::fromStdString(toText(opened.error())));
        Settings::rememberStore(workspace().store().folder());
      });
    });
    stores_->addWidget(entry);
  }
}

}  // namespace slipstream::ui
