#include "ui/window/welcome_page.h"

#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

WelcomePage::WelcomePage(Workspace& workspace, const Actions& actions, QWidget* parent) : Page(workspace, parent) {
  QVBoxLayout* layout = column(this);
  QPushButton* example = primaryButton(Symbol::launch, actions.runExample->text());
  connect(example, &QPushButton::clicked, actions.runExample, &QAction::trigger);
  layout->addWidget(new EmptyState(tr("Welcome to Slipstream"),
                                   tr("Train on many cards, and see what every acceleration gives and costs."),
                                   example));
}

}  // namespace slipstream::ui
