// Takes pictures of every page in both themes, both languages and two sizes: slipstream_pictures STORE FOLDER [PAGE...]
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <cstdio>

#include "engine/plan/rank_table_edit.h"
#include "engine/plan/rank_table_tools.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream::ui;

struct Look {
  ThemeChoice theme;
  QString language;
  QSize size;
  QString name;
};

std::vector<Look> looks() {
  const std::pair<ThemeChoice, QString> themes[] = {{ThemeChoice::light, QStringLiteral("light")},
                                                    {ThemeChoice::dark, QStringLiteral("dark")}};
  std::vector<Look> all;
  for (const auto& [theme, name] : themes) {
    for (const char* language : {"en", "zh_CN"}) {
      for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)}) {
        const QString tongue = QString::fromLatin1(language);
        all.push_back({theme, tongue, size, QStringLiteral("%1-%2-%3").arg(name, tongue).arg(size.width())});
      }
    }
  }
  return all;
}

/// Two servers of eight; a rank and an address stand twice, as happens after copying lines.
void openBrokenTable(RankTableDocument& document) {
  const auto made = slipstream::rankTableOfHosts({"10.136.181.171:8", "10.136.181.173:8"}, {});
  if (!made) return;
  document.start(slipstream::toJsonText(made->table), "cluster_16p.json");
  document.change(QStringLiteral("Copy"), [](slipstream::Json& root) {
    using slipstream::RankTableCell;
    slipstream::setCell(root, {1, 4}, RankTableCell::rank, "11");
    slipstream::setCell(root, {1, 6}, RankTableCell::address, "198.18.1.3");
  });
}

}  // namespace

int main(int count, char** values) {
  if (count < 3) {
    std::fputs("slipstream_pictures STORE FOLDER [PAGE...]\n", stderr);
    return 2;
  }
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-pictures"));
  const QApplication application(count, values);
  const QStringList arguments = QCoreApplication::arguments();
  Workspace workspace;
  if (const auto opened = workspace.store().open(arguments[1].toStdString()); !opened) {
    std::fprintf(stderr, "%s\n", toText(opened.error()).c_str());
    return 2;
  }
  QTest::qWait(1000);
  const auto& runs = workspace.store().snapshot()->runs;
  std::vector<std::string> shown;
  for (const RunRow& row : runs) shown.push_back(row.run.id);
  if (!shown.empty()) workspace.selection().setShown(shown, shown.front());
  QFile example(QStringLiteral(":/experiments/quickstart.json"));
  if (example.open(QIODevice::ReadOnly)) workspace.experiment().start(example.readAll().toStdString());
  QStringList pages = arguments.mid(3);
  if (pages.isEmpty()) {
    pages = {QStringLiteral("welcome"), QStringLiteral("rank-table"), QStringLiteral("boost"),
             QStringLiteral("plan"),    QStringLiteral("charts"),     QStringLiteral("compare"),
             QStringLiteral("ranks"),   QStringLiteral("layers"),     QStringLiteral("checkpoints"),
             QStringLiteral("report")};
  }
  openBrokenTable(workspace.rankTable());
  QDir().mkpath(arguments[2]);
  for (const Look& look : looks()) {
    useLanguage(look.language);
    applyTheme(*qApp, look.theme);
    MainWindow window(workspace);
    window.resize(look.size);
    window.show();
    for (const QString& page : pages) {
      window.showPage(page);
      QTest::qWait(700);
      window.grab().save(QStringLiteral("%1/%2-%3.png").arg(arguments[2], page, look.name));
    }
  }
  return 0;
}
