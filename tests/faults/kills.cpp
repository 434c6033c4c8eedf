// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <numeric>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "engine/runs/store_verify.h"
#include "tests/faults/observed_run.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

constexpr int killSteps = 160;

const std::vector<std::string> forms{"plain", "sharded", "stages", "adasum"};
/// A supervisor is one of a detached run, a command line supervises its run itself; "all": every process of a detached
/// run at once.
const std::vector<std::string> victims{"worker", "mpirun", "supervisor", "command line", "window", "all"};
constexpr int leastRanks = 2;
constexpr int mostRanks = 4;

struct Combination {
  std::string victim;
  std::string form;
  int ranks = 0;

  /// Whether the moment of the kill counts from before the run's first attempt.
  bool isEarly() const { return victim == "command line" || victim == "window"; }
  std::string text() const { return fmt::format("{} killed, {}, {} ranks", victim, form, ranks); }
};

/// So many seeds in a row have every combination once, in an order that looks random.
Combination combinationOf(std::uint64_t seed) {
  constexpr std::size_t rankCounts = mostRanks - leastRanks + 1;
  std::vector<std::size_t> order(victims.size() * forms.size() * rankCounts);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(17);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  const std::size_t which = order[seed % order.size()];
  return {victims[which % victims.size()], forms[which / victims.size() % forms.size()],
          leastRanks + static_cast<int>(which / victims.size() / forms.size())};
}

/// The training that nobody kills.
struct Reference {
  std::string state;
  std::map<std::int64_t, double> losses;
  double seconds = 0;       ///< of the whole command
  double trainingFrom = 0;  ///< seconds until its first attempt began

  /// Seconds in which the moment of the kill lies.
  double lengthFor(const Combination& what) const { return what.isEarly() ? seconds : seconds - trainingFrom; }
};

bool isWorker(pid_t process) {
  return nameOfProcess(process).starts_with("slipstream-work");
}

/// Never a process that has taken over the number of one that has ended.
std::vector<pid_t> supervisorOf(RunStore& store, const std::string& run) {
  const ProcessIdentity supervisor = store.find(run)->supervisor;
  if (livenessOf(supervisor) != Liveness::alive) return {};
  return {static_cast<pid_t>(supervisor.pid)};
}

/// One trial: a run is started, a part of it is killed, and the run is carried on.
class KillTrial {
 public:
  KillTrial(const TrialSettings& settings, Combination what, std::uint64_t seed, int number, const Reference& reference,
            std::string experiment)
      : settings_(settings),
        what_(std::move(what)),
        reference_(reference),
        experiment_(std::move(experiment)),
        store_(settings.folder / fmt::format("killed-{}-{}", seed, number)),
        home_(settings.folder / fmt::format("home-{}-{}", seed, number)),
        random_(seed) {
    std::filesystem::create_directories(home_);
  }
  ~KillTrial() {
    std::error_code ignored;
    std::filesystem::remove_all(store_, ignored);
    std::filesystem::remove_all(home_, ignored);
  }
  KillTrial(const KillTrial&) = delete;
  KillTrial& operator=(const KillTrial&) = delete;

  /// Nothing where the run had ended before the kill: then it was none. `moment`: seconds until the kill.
  std::optional<std::string> problem(double moment) {
    Program program(arguments(), settings_.folder, programSettings());
    if (what_.victim == "window" && !waitFor([&] { return program.output().starts_with("clicked"); }))
      return "the window launches nothing: " + program.output() + program.end(0).errors;
    if (!what_.isEarly() && !waitFor([&] { return !begunRunIn(store_).empty(); })) return "no run came up";
    waitUntil(moment, program);
    const std::string run = begunRunIn(store_);
    rememberLosses(run);
    if (!killVictim(run, program)) {
      endOf(program);
      return std::nullopt;
    }
    sinceKill_.restart();
    const std::string ending = waitForEnd();
    endOf(program);
    return ending.empty() ? checkAfter() : ending;
  }
  /// Seconds until the store said what had become of the run; nothing where it went on, or had not begun.
  std::optional<double> namedAfter() const { return namedAfter_; }

 private:
  std::vector<std::string> arguments() const {
    if (what_.victim == "window") return {"--store", store_.string(), experiment_, home_.string()};
    std::vector<std::string> words{"run", experiment_, "--quiet", "--store", store_.string()};
    if (what_.victim == "supervisor" || what_.victim == "all") words.emplace_back("--detach");
    return words;
  }

  ProgramSettings programSettings() const {
    ProgramSettings settings;
    if (what_.victim != "window") return settings;
    settings.name = "fault_window";
    settings.environment = {{"QT_QPA_PLATFORM", "offscreen"},
                            {"XDG_CONFIG_HOME", (home_ / "config").string()},
                            {"XDG_DATA_HOME", (home_ / "data").string()},
                            {"XDG_CACHE_HOME", (home_ / "cache").string()}};
    return settings;
  }

  template <class Condition>
  static bool waitFor(Condition condition, double seconds = trainingSeconds) {
    for (const Stopwatch watch; !condition();) {
      if (watch.seconds() > seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return true;
  }

  /// A command line that has ended needs no more waiting; one that detaches its run ends long before the run.
  void waitUntil(double moment, Program& program) const {
    if (what_.victim == "command line") {
      program.endsWithin(moment);
    } else {
      std::this_thread::sleep_for(std::chrono::duration<double>(moment));
    }
  }

  /// A window never closes by itself.
  void endOf(Program& program) const { program.end(what_.victim == "window" ? 0 : settings_.timeout); }

  void rememberLosses(const std::string& run) {
    const auto store = run.empty() ? nullptr : storeIn(store_);
    if (store) before_ = visibleLosses(*store, run);
  }

  /// The processes to be killed now; the window and the command line are the program that this trial has started.
  std::vector<pid_t> processesToKill(RunStore& store, const std::string& run) {
    if (what_.victim == "supervisor") return supervisorOf(store, run);
    std::vector<pid_t> found = processesOfRun(run);
    if (what_.victim == "worker") std::erase_if(found, [](pid_t process) { return !isWorker(process); });
    if (what_.victim == "mpirun") std::erase_if(found, isWorker);
    if (what_.victim == "worker" && !found.empty()) found = {found[random_() % found.size()]};
    if (what_.victim != "all") return found;
    const auto supervisor = supervisorOf(store, run);
    found.insert(found.begin(), supervisor.begin(), supervisor.end());
    return found;
  }

  /// False where the run has ended before there was anything to kill.
  bool killVictim(const std::string& run, Program& program) {
    if (what_.victim == "window" || what_.victim == "command line") {
      const auto store = run.empty() ? nullptr : storeIn(store_);
      if (program.hasEnded() || (store && isTerminal(store->find(run)->state))) return false;
      return ::kill(program.pid(), SIGKILL) == 0;
    }
    const auto store = storeIn(store_);
    while (!isTerminal(store->find(run)->state)) {
      const auto found = processesToKill(*store, run);
      for (const pid_t process : found) ::kill(process, SIGKILL);
      if (!found.empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return false;
  }

  bool nothingLeft() const {
    const std::string run = begunRunIn(store_);
    return processesThatName(store_).empty() && (run.empty() || processesOfRun(run).empty());
  }

  /// A run outlives its window; whatever else is killed takes all of the run along.
  std::string waitForEnd() {
    if (what_.victim != "window") return waitFor([&] { return nothingLeft(); }, settings_.timeout) ? "" : "orphans";
    return waitFor([&] { return nothingLeft(); }) ? "" : "the run of the killed window does not end";
  }

  std::string checkAfter() {
    if (!std::filesystem::exists(store_ / "store.db")) return beginAgain();
    // Marks what is lost.
    const auto list = runProgram({"runs", "--store", store_.string()}, settings_.folder, settings_.timeout);
    const bool begunToMakeIt = before_.empty() && !storeIn(store_);
    if (list.exitCode != 0 && begunToMakeIt) return beginAgain();
    if (list.exitCode != 0) return fmt::format("`runs`: exit {}: {}", list.exitCode, list.errors);
    const auto check = verifyStore(store_);
    if (!check) return toText(check.error());
    if (!check->problems.empty()) return "the store is damaged: " + toText(check->problems);
    const auto store = storeIn(store_);
    if (!store) return "the store cannot be opened";
    if (store->heads().empty()) return beginAgain();
    const RunRecord run = store->heads().back();
    std::string problem = checkState(run);
    if (problem.empty() && run.state != RunState::done) namedAfter_ = sinceKill_.seconds();
    if (problem.empty()) problem = checkLosses(*store, run.id);
    if (!problem.empty()) return problem;
    if (run.state == RunState::done) return compare(run.id);
    return carryOn({"resume", run.id});
  }

  /// It was killed before it had made a run: nothing may keep the next one from being the same.
  std::string beginAgain() { return before_.empty() ? carryOn({"run", experiment_}) : "the run is gone"; }

  std::string carryOn(std::vector<std::string> words) {
    words.insert(words.end(), {"--quiet", "--store", store_.string()});
    const auto ended = runProgram(words, settings_.folder, trainingSeconds);
    if (ended.exitCode != 0) return fmt::format("{}: exit {}: {}", words[0], ended.exitCode, ended.errors);
    const auto store = storeIn(store_);
    return compare(store->heads().back().id);
  }

  /// What the store says of the run must be true.
  std::string checkState(const RunRecord& run) const {
    const std::string state(nameOf(run.state));
    if (!isTerminal(run.state)) return "nothing runs any more, and the run is called " + state;
    if (what_.victim == "window" && run.state != RunState::done)
      return "the run did not outlive its window: " + run.why;
    if (run.state == RunState::failed && run.why.empty()) return "failed without a cause";
    return "";
  }

  std::string checkLosses(RunStore& store, const std::string& run) const {
    const auto after = visibleLosses(store, run);
    for (const auto& [step, loss] : before_) {
      const auto found = after.find(step);
      if (found == after.end()) return fmt::format("the loss of step {} was visible and is gone", step);
      if (found->second != loss) return fmt::format("the loss of step {} was {} and is {}", step, loss, found->second);
    }
    return "";
  }

  std::string compare(const std::string& run) const {
    const auto store = storeIn(store_);
    if (store->find(run)->state != RunState::done) return "it is not done";
    if (newestState(store_, run) != reference_.state) return "other weights than the run that was left alone";
    if (visibleLosses(*store, run) != reference_.losses) return "other losses than the run that was left alone";
    return "";
  }

  const TrialSettings& settings_;
  const Combination what_;
  const Reference& reference_;
  const std::string experiment_;
  const std::filesystem::path store_;
  const std::filesystem::path home_;
  std::mt19937_64 random_;
  std::map<std::int64_t, double> before_;
  Stopwatch sinceKill_;
  std::optional<double> namedAfter_;
};

/// One trial after the other, each in a store of its own.
class KillTrials {
 public:
  KillTrials(const TrialSettings& settings, Tally& tally) : settings_(settings), tally_(tally) {}

  std::string tryOne(std::uint64_t seed) {
    const Combination what = combinationOf(seed);
    const Reference& reference = referenceOf(what);
    const int mostTries = settings_.moment ? 1 : 10;
    constexpr double shorter = 0.7;
    constexpr double longer = 1.1;
    double& share = shareOf(what);
    std::mt19937_64 random(seed);
    for (int number = 0; number < mostTries; ++number) {
      tally_.moment = settings_.moment.value_or(randomMoment(random, share * reference.lengthFor(what)));
      KillTrial trial(settings_, what, seed, number, reference, fileOf(what));
      const auto problem = trial.problem(*tally_.moment);
      share = std::min(1.0, share * (problem ? longer : shorter));
      ++tally_.counts["by_moment"][problem ? "in time" : "too late, tried again"];
      if (!problem) continue;
      count(what);
      if (trial.namedAfter()) noteNamed(tally_, what.victim + " killed", *trial.namedAfter());
      return problem->empty() ? "" : what.text() + ": " + *problem;
    }
    return what.text() + ": every run had ended before it was killed";
  }

 private:
  /// Rounded, so that its text is exactly this number.
  static double randomMoment(std::mt19937_64& random, double most) {
    constexpr double perSecond = 1e4;
    return std::round(most * below(random, 1000) * 1e-3 * perSecond) / perSecond;
  }

  void count(const Combination& what) {
    ++tally_.counts["by_kind"][what.victim + " killed"];
    ++tally_.counts["by_form"][what.form];
    ++tally_.counts["by_ranks"][std::to_string(what.ranks)];
  }

  /// The share of the reference's length in which the moment lies. It follows the speed of the machine, which may have
  /// had more to do while the reference ran, or less.
  double& shareOf(const Combination& what) {
    return shares_.try_emplace(fmt::format("{}-{}", what.form, what.ranks), 1).first->second;
  }

  std::string fileOf(const Combination& what) const {
    const auto file = settings_.folder / fmt::format("{}-{}.json", what.form, what.ranks);
    if (!writeFile(file, smallTraining(what.form, killSteps, what.ranks).dump(2))) {
      throw std::runtime_error("no room for an experiment");
    }
    return file.string();
  }

  const Reference& referenceOf(const Combination& what) {
    const std::string name = fmt::format("{}-{}", what.form, what.ranks);
    const auto known = references_.find(name);
    if (known != references_.end()) return known->second;
    const auto folder = settings_.folder / ("reference-" + name);
    Reference reference;
    const Stopwatch watch;
    Program program({"run", fileOf(what), "--quiet", "--store", folder.string()}, settings_.folder);
    while (!program.hasEnded() && watch.seconds() < trainingSeconds && begunRunIn(folder).empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    reference.trainingFrom = watch.seconds();
    const auto ended = program.end(trainingSeconds);
    if (ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
    reference.seconds = watch.seconds();
    const auto store = storeIn(folder);
    const std::string run = store->runs().back().id;
    reference.state = newestState(folder, run);
    reference.losses = visibleLosses(*store, run);
    return references_[name] = reference;
  }

  const TrialSettings& settings_;
  Tally& tally_;
  std::map<std::string, Reference> references_;
  std::map<std::string, double> shares_;
};

}  // namespace

void tryKills(Tally& tally, const TrialSettings& settings, int count) {
  KillTrials trials(settings, tally);
  repeat(tally, settings, "kill", count, [&](std::uint64_t seed) { return trials.tryOne(seed); });
  removeAbandonedFolders();
}

}  // namespace slipstream::test
