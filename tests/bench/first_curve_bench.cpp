// SPDX-License-Identifier: GPL-3.0-or-later
// From the first start of the window on an empty store to the first points of a curve on the screen, by one click on
// "Run the example". Prints JSON lines. Usage: bench_first_curve [FOLDER]; with a display by QT_QPA_PLATFORM=xcb
#include <QAbstractButton>
#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "tests/bench/bench_numbers.h"
#include "ui/charts/charts_page.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace slipstream::bench {
namespace {

using namespace slipstream::ui;

constexpr int repetitions = 5;
constexpr int timeout = 60'000;
constexpr int pointsOfAMovingCurve = 2;

/// Calls back after a painting of the loss that has the points.
class FirstPoints : public QObject {
 public:
  FirstPoints(MetricChart& chart, std::function<void()> done) : QObject(&chart), chart_(chart), done_(std::move(done)) {
    chart.installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (painting_ || event->type() != QEvent::Paint) return false;
    painting_ = true;
    QCoreApplication::sendEvent(watched, event);
    painting_ = false;
    std::size_t points = 0;
    for (const ChartCurve& curve : chart_.model().curves) {
      for (const Line& line : curve.line) points += line.x.size();
    }
    if (points >= pointsOfAMovingCurve && done_) std::exchange(done_, nullptr)();
    return true;
  }

 private:
  MetricChart& chart_;
  std::function<void()> done_;
  bool painting_ = false;
};

QAbstractButton* exampleButton(const MainWindow& window) {
  for (auto* button : window.findChildren<QAbstractButton*>()) {
    if (button->isVisible() && button->text() == window.actions().runExample->text()) return button;
  }
  throw Error("the welcome page has no button for the example");
}

/// The program of a person who starts it for the first time.
int showWindow(int count, char** values, const std::filesystem::path& store) {
  QApplication application(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-bench"));
  applyTheme(application, ThemeChoice::light);
  Workspace workspace;
  if (const auto opened = workspace.store().open(store); !opened) throw Error(toText(opened.error()));
  MainWindow window(workspace);
  window.show();
  QElapsedTimer clicked;
  QTimer::singleShot(0, &window, [&] {
    clicked.start();
    exampleButton(window)->click();
  });
  const auto* page = static_cast<ChartsPage*>(window.page(PageId::charts));
  QTimer looking;
  QObject::connect(&looking, &QTimer::timeout, [&] {
    if (page->charts().empty()) return;
    looking.stop();
    new FirstPoints(*page->charts().front(), [&] {
      fmt::print("{}\n", clicked.elapsed());
      std::fflush(stdout);
    });
  });
  looking.start(5);
  QTimer::singleShot(timeout, &application, [] { QCoreApplication::exit(1); });
  // Its run ends with it: nobody waits for the example to be trained.
  const auto stop = [&] { workspace.launcher().stop({workspace.selection().current()}, StopKind::now); };
  QTimer ending;
  QObject::connect(&ending, &QTimer::timeout, [&] {
    if (clicked.isValid() && !workspace.launcher().isBusy()) QCoreApplication::quit();
  });
  QTimer::singleShot(10'000, &application, [&] {
    stop();
    ending.start(100);
  });
  return QCoreApplication::exec();
}

struct FirstCurve {
  double sinceStart = 0, sinceClick = 0;  ///< milliseconds
};

FirstCurve measureOnce(const QString& program, const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString((folder / "config").string()));
  qputenv("XDG_DATA_HOME", QByteArray::fromStdString((folder / "data").string()));
  QElapsedTimer clock;
  clock.start();
  QProcess window;
  window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  window.start(program, {QStringLiteral("--window"), QString::fromStdString((folder / "store").string())});
  while (!window.canReadLine()) {
    if (!window.waitForReadyRead(timeout)) throw Error("the window shows no curve");
  }
  const FirstCurve curve{static_cast<double>(clock.elapsed()), window.readLine().toDouble()};
  window.waitForFinished(timeout);
  return curve;
}

void measure(const QString& program, const std::filesystem::path& folder) {
  std::vector<double> start, click;
  for (int i = 0; i < repetitions; ++i) {
    const FirstCurve curve = measureOnce(program, folder);
    start.push_back(curve.sinceStart);
    click.push_back(curve.sinceClick);
  }
  std::filesystem::remove_all(folder);
  fmt::print(
      "{{\"bench\":\"first curve\",\"from_start_milliseconds\":{:.4g},\"highest\":{:.4g},"
      "\"from_click_milliseconds\":{:.4g},\"clicks\":1,\"repetitions\":{},\"goal\":5000}}\n",
      median(start), quantile(start, 1), median(click), repetitions);
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** values) {
  using namespace slipstream;
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (count > 2 && std::string_view(values[1]) == "--window") return bench::showWindow(count, values, values[2]);
  const QCoreApplication application(count, values);
  const std::filesystem::path folder = count > 1 ? values[1] : ".";
  bench::measure(QCoreApplication::applicationFilePath(), std::filesystem::absolute(folder) / "bench_first_curve.tmp");
}
