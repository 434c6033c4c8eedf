#include "ui/window/actions.h"

#include <QActionGroup>
#include <QCoreApplication>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("Actions", text);
}

QAction* action(QObject* parent, const QString& text, const QKeySequence& keys = {}) {
  auto* made = new QAction(text, parent);
  made->setShortcut(keys);
  return made;
}

QAction* action(QObject* parent, Symbol symbol, const QString& text, const QKeySequence& keys = {}) {
  QAction* made = action(parent, text, keys);
  made->setIcon(icon(symbol));
  return made;
}

void exclusive(QObject* parent, std::initializer_list<QAction*> actions) {
  auto* group = new QActionGroup(parent);
  for (QAction* member : actions) {
    member->setCheckable(true);
    group->addAction(member);
  }
}

}  // namespace

#define SLIPSTREAM_WORDS(text) words(QT_TRANSLATE_NOOP("Actions", text))
Actions::Actions(QObject* parent)
    : newExperiment(action(parent, Symbol::add, SLIPSTREAM_WORDS("New experiment"), QKeySequence::New)),
      openExperiment(action(parent, Symbol::folder, SLIPSTREAM_WORDS("Open experiment…"))),
      openRankTable(action(parent, Symbol::table, SLIPSTREAM_WORDS("Open rank table…"))),
      openStore(action(parent, Symbol::folder, SLIPSTREAM_WORDS("Open store…"), QKeySequence::Open)),
      save(action(parent, Symbol::save, SLIPSTREAM_WORDS("Save"), QKeySequence::Save)),
      saveAs(action(parent, SLIPSTREAM_WORDS("Save as…"), QKeySequence::SaveAs)),
      quit(action(parent, SLIPSTREAM_WORDS("Quit"), QKeySequence::Quit)),
      launch(action(parent, Symbol::launch, SLIPSTREAM_WORDS("Launch"), Qt::CTRL | Qt::Key_L)),
      runExample(action(parent, Symbol::launch, SLIPSTREAM_WORDS("Run the example"))),
      stopAfterStep(action(parent, Symbol::stop, SLIPSTREAM_WORDS("Stop after this step"), Qt::SHIFT | Qt::Key_F5)),
      stopAfterCheckpoint(action(parent, SLIPSTREAM_WORDS("Stop after the next checkpoint"))),
      stopNow(action(parent, SLIPSTREAM_WORDS("Stop now"))),
      resume(action(parent, Symbol::resume, SLIPSTREAM_WORDS("Resume"))),
      compare(action(parent, Symbol::compare, SLIPSTREAM_WORDS("Compare"), Qt::CTRL | Qt::Key_D)),
      saveReport(action(parent, Symbol::report, SLIPSTREAM_WORDS("Save report…"), Qt::CTRL | Qt::Key_E)),
      filterRuns(action(parent, Symbol::filter, SLIPSTREAM_WORDS("Filter runs"), QKeySequence::Find)),
      commandBox(action(parent, Symbol::search, SLIPSTREAM_WORDS("Type a command"), Qt::CTRL | Qt::Key_K)),
      nextProblem(action(parent, SLIPSTREAM_WORDS("Next problem"), Qt::Key_F8)),
      previousProblem(action(parent, SLIPSTREAM_WORDS("Previous problem"), Qt::SHIFT | Qt::Key_F8)),
      resetLayout(action(parent, SLIPSTREAM_WORDS("Reset layout"))),
      themeSystem(action(parent, SLIPSTREAM_WORDS("Theme of the system"))),
      themeLight(action(parent, SLIPSTREAM_WORDS("Light theme"))),
      themeDark(action(parent, SLIPSTREAM_WORDS("Dark theme"))),
      languageSystem(action(parent, SLIPSTREAM_WORDS("Language of the system"))),
      languageEnglish(action(parent, QStringLiteral("English"))),
      languageChinese(action(parent, QStringLiteral("简体中文"))),
      about(action(parent, SLIPSTREAM_WORDS("About Slipstream"))) {
  launch->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_L), QKeySequence(Qt::Key_F5)});
  stopAfterStep->setIconText(SLIPSTREAM_WORDS("Stop"));
  saveReport->setIconText(SLIPSTREAM_WORDS("Report"));
  exclusive(parent, {themeSystem, themeLight, themeDark});
  exclusive(parent, {languageSystem, languageEnglish, languageChinese});
}
#undef SLIPSTREAM_WORDS

}  // namespace slipstream::ui
