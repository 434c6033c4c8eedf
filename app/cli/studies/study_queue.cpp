// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/studies/study_queue.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/running/supervising.h"
#include "app/cli/streams/output.h"
#include "app/cli/streams/print_line.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/base/text.h"
#include "engine/launch/stop_signals.h"
#include "engine/probe/this_host.h"
#include "engine/study/queue.h"
#include "engine/study_results/verdict.h"

namespace slipstream::cli {
namespace {

using Cores = std::set<std::size_t>;  ///< by their numbers

Cores coresOfProcess(pid_t process) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  Cores cores;
  if (::sched_getaffinity(process, sizeof allowed, &allowed) != 0) return cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.insert(core);
  }
  return cores;
}

/// Starts `slipstream study run STUDY --cell N` on these cores, in a session of its own. Only what is safe between fork
/// and exec happens there.
pid_t startCell(const std::vector<std::string>& words, const Cores& cores, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  for (const std::size_t core : cores) CPU_SET(core, &allowed);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (output < 0 || input < 0) throw Error(log.string() + " cannot be opened for the cell");
  const pid_t child = ::fork();
  if (child < 0) throw Error("no process for the cell");
  if (child == 0) {
    ::setsid();
    ::sched_setaffinity(0, sizeof allowed, &allowed);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
  ::close(output);
  ::close(input);
  return child;
}

/// What of the machine a cell has that trains now.
struct RunningCell {
  pid_t process = 0;   ///< that was started here; 0: by an earlier queue
  bool begun = false;  ///< its supervisor is alive
  CellCost cost;
  Cores cores;
};

class Queue {
 public:
  Queue(RunStore& store, StudyRecord record, Study study, const CommandLine& line, bool quiet)
      : store_(store),
        record_(std::move(record)),
        study_(std::move(study)),
        line_(line),
        quiet_(quiet),
        capacity_{coresOf(study_), memoryOfThisMachine() / 10 * 9, 1} {
    const Cores mine = coresOfProcess(0);
    for (auto core = mine.begin(); core != mine.end() && std::ssize(cores_) < capacity_.cores; ++core)
      cores_.insert(*core);
  }

  int run() {
    while (true) {
      store_.markLost();
      reap();
      look();
      const StudyState state = store_.studies().find(record_.name).value().state;
      const bool stopping = state == StudyState::paused || StopSignals::count() > 0 || budgetIsSpent();
      if (waiting_.empty() && running_.empty()) return endOfAll();
      if (stopping && running_.empty()) {
        return budgetIsSpent() ? end(StudyState::done, "its budget of time is spent") : end(StudyState::paused, "");
      }
      if (StopSignals::count() > 1) return end(StudyState::paused, "");
      if (stopping) {
        sayOnce();
      } else {
        start();
        if (running_.empty()) return endStuck();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

 private:
  void tell(const std::string& text) const {
    if (!quiet_) printLine(stdout, "{}\n", text);
  }

  void sayOnce() {
    if (!std::exchange(saidThatItStops_, true)) tell("no more cells are started; those that train go on to their ends");
  }

  static std::string nameOf(const StudyCell& cell) {
    const std::string factors = textOf(settingsOf(cell.factors));
    return fmt::format("cell {} {}{}{} seed {}{}", cell.cell, cell.variant, factors.empty() ? "" : ", ", factors,
                       cell.seed, cell.trial > 0 ? fmt::format(" trial {}", cell.trial) : "");
  }

  /// Ends what was started here and has ended.
  void reap() {
    for (auto& [number, running] : running_) {
      if (running.process == 0) continue;
      int status = 0;
      if (::waitpid(running.process, &status, WNOHANG) == running.process) running.process = -1;
    }
  }

  /// Finds out what every cell is doing.
  void look() {
    std::map<int, RunningCell> running;
    waiting_.clear();
    for (const StudyCell& cell : store_.studies().cells(record_.number)) lookAt(cell, running);
    running_ = std::move(running);
  }

  void lookAt(const StudyCell& cell, std::map<int, RunningCell>& running) {
    if (ended_.contains(cell.cell)) return;
    const auto before = running_.find(cell.cell);
    const bool startedHere = before != running_.end() && before->second.process > 0;
    if (endOf(store_, cell) != CellEnd::open) {
      if (before != running_.end() && !startedHere) noteEnd(cell);
      // Its process may still be writing its last.
      if (startedHere) {
        running[cell.cell] = before->second;
      } else {
        ended_.insert(cell.cell);
      }
      return;
    }
    if (startedHere) {
      running[cell.cell] = before->second;
      return;
    }
    if (const auto alive = aliveElsewhere(cell)) {
      running[cell.cell] = *alive;
      return;
    }
    if (before != running_.end() && wasStopped(cell)) {
      stopped_.insert(cell.cell);
      ended_.insert(cell.cell);
      return;
    }
    if (before != running_.end() && ++endedEarly_[cell.cell] >= mostTries) {
      store_.studies().setFailed(
          record_.number, cell.cell,
          fmt::format("ended {} times without an outcome: {}", mostTries, logOf(cell.cell).string()));
      return;
    }
    waiting_.push_back(cell);
  }

  /// Somebody's wish: it goes on when the study is next run.
  bool wasStopped(const StudyCell& cell) { return !cell.run.empty() && store_.stateOf(cell.run) == RunState::stopped; }

  /// A cell whose run is supervised by a process that this queue did not start.
  std::optional<RunningCell> aliveElsewhere(const StudyCell& cell) {
    if (cell.run.empty()) return std::nullopt;
    const auto run = store_.find(cell.run);
    if (!run || isTerminal(run->state) || livenessOf(run->supervisor) == Liveness::gone) return std::nullopt;
    RunningCell alive{.process = 0, .begun = true, .cost = costOfRun(*run), .cores = {}};
    alive.cores = coresOfProcess(static_cast<pid_t>(run->supervisor.pid));
    return alive;
  }

  CellCost costOfRun(const RunRecord& run) const {
    const auto plan = parseRunPlan(run.planText);
    return plan ? costOf(study_, *plan, capacity_.cores) : CellCost{.cores = capacity_.cores};
  }

  void noteEnd(const StudyCell& cell) {
    store_.studies().setLoadAfter(record_.number, cell.cell, static_cast<int>(std::lround(100 * runningOnHost())));
    const CellEnd end = endOf(store_, cell);
    tell(fmt::format("{}: {}", nameOf(cell), end == CellEnd::done ? "done" : "failed"));
  }

  /// The trial whose values count; nothing where it has to wait for trials of tuning.
  std::optional<std::int64_t> trialOf(const StudyCell& cell) {
    if (cell.trial > 0 || study_.trialsOf(cell.variant) == 0) return cell.trial;
    const auto known = chosen_.find({cell.variant, cell.factors});
    if (known != chosen_.end()) return known->second;
    const auto chosen = decideTrial(store_, study_, {record_.number, cell.variant, cell.factors});
    if (!chosen) return std::nullopt;
    return chosen_[{cell.variant, cell.factors}] = *chosen;
  }

  std::optional<CellCost> costOfWaiting(const StudyCell& cell) {
    const StudyVariant* variant = study_.variant(cell.variant);
    const auto trial = trialOf(cell);
    if (!trial) return std::nullopt;
    const auto known = costs_.find({cell.variant, cell.factors});
    if (known != costs_.end()) return known->second;
    CellCost cost{.cores = capacity_.cores};  // one that cannot be planned fails by itself, and says why
    if (const auto settings = cellSettings(study_, *variant, settingsOf(cell.factors), *trial)) {
      if (const auto planned = planCell(study_, *variant, *settings, cell.seed)) {
        cost = costOf(study_, planned->plans.front(), capacity_.cores);
      }
    }
    return costs_[{cell.variant, cell.factors}] = cost;
  }

  void start() {
    std::vector<WaitingCell> waiting;
    for (const StudyCell& cell : waiting_) {
      if (std::ssize(waiting) > capacity_.cores) break;
      const auto cost = costOfWaiting(cell);
      waiting.push_back({cell.cell, cost.value_or(CellCost{}), cost.has_value()});
      if (!cost) break;
    }
    std::vector<CellCost> running;
    for (const auto& [number, one] : running_) running.push_back(one.cost);
    for (const int number : cellsToStart(waiting, running, capacity_)) {
      const CellCost cost = std::ranges::find(waiting, number, &WaitingCell::cell)->cost;
      const Cores cores = freeCores(cost.cores);
      if (std::ssize(cores) < cost.cores) return;  // an earlier queue's cell is where it was put
      start(number, cost, cores);
    }
  }

  void start(int number, const CellCost& cost, const Cores& cores) {
    const std::vector<std::string> words{(programFolder() / "slipstream").string(),
                                         "study",
                                         "run",
                                         record_.name,
                                         "--cell",
                                         std::to_string(number),
                                         "--store",
                                         line_.storeFolder};
    const pid_t child = startCell(words, cores, logOf(number));
    running_[number] = {.process = child, .begun = false, .cost = cost, .cores = cores};
    tell(fmt::format("{}: begins", nameOf(*std::ranges::find(waiting_, number, &StudyCell::cell))));
  }

  Cores freeCores(int count) const {
    Cores free = cores_;
    for (const auto& [number, running] : running_) {
      for (const std::size_t core : running.cores) free.erase(core);
    }
    while (std::ssize(free) > count) free.erase(std::prev(free.end()));
    return free;
  }

  std::filesystem::path logOf(int cell) const {
    return std::filesystem::path(line_.storeFolder) / "logs" /
           fmt::format("study-{}-cell-{}.log", record_.number, cell);
  }

  /// Hours of all the declared cores that the study's runs took.
  bool budgetIsSpent() {
    if (!study_.budget.hours) return false;
    double seconds = 0;
    for (const StudyCell& cell : store_.studies().cells(record_.number)) {
      if (!cell.run.empty()) seconds += secondsOf(cell);
    }
    return seconds > *study_.budget.hours * 3600;
  }

  double secondsOf(const StudyCell& cell) {
    const auto known = seconds_.find(cell.cell);
    if (known != seconds_.end()) return known->second;
    const auto run = store_.find(cell.run);
    if (!run || run->startedAt == 0) return 0;
    const std::int64_t until = run->endedAt > 0 ? run->endedAt : wallNanoseconds();
    const double seconds = 1e-9 * static_cast<double>(until - run->startedAt) * costOfRun(*run).cores / capacity_.cores;
    if (isTerminal(run->state)) seconds_[cell.cell] = seconds;
    return seconds;
  }

  int endOfAll() {
    if (stopped_.empty()) return end(StudyState::done, "");
    return end(StudyState::paused, counted(std::ssize(stopped_), "run") + " of it was stopped");
  }

  /// Why the first waiting cell is not started although nothing runs beside it.
  std::string whyStuck(const StudyCell& cell) {
    const auto cost = costOfWaiting(cell);
    if (!cost) return "waits for trials of its tuning that were stopped";
    if (cost->memory > capacity_.memory) {
      return fmt::format("needs {} of memory, and at most {} of this machine are given to a study",
                         sizeText(cost->memory), sizeText(capacity_.memory));
    }
    return fmt::format("needs {}, and this process has {}", counted(cost->cores, "core"), std::ssize(cores_));
  }

  /// None overtakes another, so that what the first cell cannot have is what all of them would wait for without end.
  int endStuck() {
    const StudyCell& cell = waiting_.front();
    end(StudyState::paused, nameOf(cell) + " " + whyStuck(cell));
    return ExitCode::runFailed;
  }

  int end(StudyState state, const std::string& why) {
    store_.studies().setState(record_.number, state, why);
    store_.studies().setSupervisor(record_.number, {});
    if (state == StudyState::paused) {
      tell(fmt::format("study {} is paused{}; slipstream study run {} goes on", record_.name,
                       why.empty() ? "" : ": " + why, record_.name));
      return StopSignals::count() > 0 ? ExitCode::stopped : ExitCode::done;
    }
    tell(fmt::format("study {} is done{}; slipstream study verdict {}", record_.name, why.empty() ? "" : ": " + why,
                     record_.name));
    return ExitCode::done;
  }

  static constexpr int mostTries = 3;

  RunStore& store_;
  const StudyRecord record_;
  const Study study_;
  const CommandLine& line_;
  bool quiet_;
  QueueCapacity capacity_;
  Cores cores_;
  std::vector<StudyCell> waiting_;
  std::map<int, RunningCell> running_;
  std::map<int, int> endedEarly_;
  std::set<int> ended_, stopped_;
  std::map<int, double> seconds_;  ///< of all the cores, by cells whose runs have ended
  std::map<std::pair<std::string, std::string>, std::int64_t> chosen_;
  bool saidThatItStops_ = false;
  std::map<std::pair<std::string, std::string>, CellCost> costs_;
};

/// Makes this process the queue of the study, unless a queue of the store is alive. False: its own queue was only
/// paused, and goes on.
Result<bool> claimQueue(RunStore& store, const StudyRecord& record) {
  store.begin();
  for (const StudyRecord& other : store.studies().all()) {
    if (other.supervisor.pid == 0 || livenessOf(other.supervisor) == Liveness::gone) continue;
    if (other.number == record.number && other.state == StudyState::paused) {
      store.studies().setState(record.number, StudyState::running);
      store.commit();
      return false;
    }
    store.rollback();
    return fail("STUDY", other.name,
                fmt::format("is being carried on by process {} on {}", other.supervisor.pid, other.supervisor.host),
                other.name == record.name ? "watch it: slipstream study status " + other.name
                                          : "wait for its end, or pause it: slipstream study pause " + other.name);
  }
  store.studies().setSupervisor(record.number, thisProcess());
  store.studies().setState(record.number, StudyState::running);
  store.commit();
  return true;
}

}  // namespace

int carryOn(const std::string& study, const CommandLine& line, bool quiet, const std::function<void()>& claimed) {
  const StopSignals signals;
  const auto store = openToSupervise(line);
  if (!store) return report(store.error());
  const auto record = (*store)->studies().find(study);
  if (!record) return report(record.error());
  auto frozen = studyOfFrozen(record->frozenText);
  if (!frozen) return report(frozen.error());
  if (const Status made = makePrivateFolder(std::filesystem::path(line.storeFolder) / "logs"); !made)
    return report(made.error());
  const auto isNew = claimQueue(**store, *record);
  if (!isNew) return report(isNew.error());
  if (claimed) claimed();
  if (!*isNew) {
    if (!quiet) printLine(stdout, "study {} goes on\n", record->name);
    return ExitCode::done;
  }
  return Queue(**store, *record, std::move(*frozen), line, quiet).run();
}

}  // namespace slipstream::cli
