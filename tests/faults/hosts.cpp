// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "tests/faults/host_trial.h"

namespace slipstream::test {
namespace {

constexpr int ranks = 6;

/// One trial after the other on the same hosts.
class HostTrials {
 public:
  HostTrials(const TrialSettings& settings, Tally& tally)
      : settings_(settings), tally_(tally), lab_(fmt::format("/run/slipstream-lab-{}", ::getpid())) {
    std::filesystem::create_directories(work());
    const std::string hosts = fmt::format("{}:2,{}:2,{}:2", lab_.address(1), lab_.address(2), lab_.address(3));
    Program({"rank-table", "new", "--hosts", hosts, "-o", (work() / "table.json").string()}, settings.folder,
            lab_.onHead())
        .end(settings.timeout);
  }

  std::string tryOne(std::uint64_t seed) {
    HostEvent event = hostEventOf(seed);
    if (settings_.moment) event.moment = *settings_.moment;
    tally_.moment = event.moment;
    // A machine that was busy when the steps were counted may be faster now.
    constexpr int mostDoublings = 6;
    for (int doublings = 0;; ++doublings) {
      const HostReference& reference = referenceOf(event, 1 << doublings);
      HostTrial trial(lab_, settings_, event, fileOf(event, reference.steps), work() / fmt::format("store-{}", seed),
                      &reference);
      const std::string problem = trial.problem();
      if (!trial.cameTooLate() || doublings == mostDoublings) return note(seed, event, trial, problem);
    }
  }

 private:
  std::string note(std::uint64_t seed, const HostEvent& event, const HostTrial& trial, const std::string& problem) {
    ++tally_.counts["by_kind"][event.kind.name];
    ++tally_.counts["by_form"][event.form];
    ++tally_.counts["by_end"][!trial.namedAfter() || event.kind.isSlow ? "went on" : event.then];
    if (trial.namedAfter()) noteNamed(tally_, event.kind.name, *trial.namedAfter());
    std::fprintf(stderr, "hosts %llu: %s: %s%s\n", static_cast<unsigned long long>(seed), event.text().c_str(),
                 trial.namedAfter() ? fmt::format("named after {:.1f} s", *trial.namedAfter()).c_str() : "not named",
                 problem.empty() ? "" : ", FAILED");
    return problem.empty() ? "" : event.text() + ": " + problem;
  }

  std::filesystem::path work() const { return lab_.folder() / "work"; }

  std::string fileOf(const HostEvent& event, int steps) const {
    const auto file = work() / fmt::format("{}-{}-{}-{}.json", event.form, event.kind.isSlow, steps, event.then);
    nlohmann::json experiment = smallTraining(event.form, steps, ranks);
    if (event.kind.isSlow) experiment["dataset"]["batch_size"] = 64;
    if (event.kind.isSlow) experiment["network"]["layers"][1]["outputs"] = 256;
    if (event.then != "resume") experiment["train"]["on_lost"] = event.then;
    if (event.then == "shrink") experiment["train"]["wait_for_hosts"] = 5;
    if (!writeFile(file, experiment.dump(2))) throw std::runtime_error("no room for an experiment");
    return file.string();
  }

  /// Of as many steps as take some seconds on this machine, `times` as many.
  const HostReference& referenceOf(const HostEvent& event, int times) {
    constexpr int first = 300;
    const double wanted = event.kind.isSlow ? 10 : 4;
    const std::string name = fmt::format("{}-{}-{}", event.form, event.kind.isSlow, times);
    const auto known = references_.find(name);
    if (known != references_.end()) return known->second;
    if (times > 1) return references_[name] = leaveAlone(event, 2 * referenceOf(event, times / 2).steps);
    HostReference reference = leaveAlone(event, first);
    const int steps = static_cast<int>(first * wanted / std::max(0.05, reference.seconds));
    if (steps > first) reference = leaveAlone(event, std::min(steps, 20 * first));
    return references_[name] = reference;
  }

  HostReference leaveAlone(const HostEvent& event, int steps) {
    const auto store = work() / fmt::format("reference-{}-{}", event.form, steps);
    return HostTrial(lab_, settings_, event, fileOf(event, steps), store, nullptr).leaveAlone();
  }

  const TrialSettings& settings_;
  Tally& tally_;
  HostLab lab_;
  std::map<std::string, HostReference> references_;
};

}  // namespace

void tryHostEvents(Tally& tally, const TrialSettings& settings, int count) {
  tally.skipped = HostLab::missing();
  if (!tally.skipped.empty()) return;
  HostTrials trials(settings, tally);
  repeat(tally, settings, "host event", count, [&](std::uint64_t seed) { return trials.tryOne(seed); });
}

}  // namespace slipstream::test
