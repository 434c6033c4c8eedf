// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_texts.h"

#include <QCoreApplication>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/study_results/study_document.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

struct StudyTexts {
  Q_DECLARE_TR_FUNCTIONS(StudyTexts)
};

/// Large changes need no decimals.
QString percentText(double percent, bool sign) {
  const int decimals = std::abs(percent) < 9.95 ? 1 : 0;
  const std::string digits = fmt::format("{:.{}f}", std::abs(percent), decimals);
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  const std::string before = zero ? "" : percent < 0 ? "−" : sign ? "+" : "";
  return text(before + digits);
}

double changeOf(const StudyMeasure& measure, double effect) {
  return measure.ratio ? 100 * (effect - 1) : effect;
}

QString boundText(const StudyMeasure& measure, double effect) {
  if (measure.ratio) return percentText(changeOf(measure, effect), true);
  return text(differenceText(effect, measure.quantity));
}

}  // namespace

QString whereText(const StudySettings& factors) {
  if (factors.empty()) return StudyTexts::tr("all runs");
  const auto ranks = factors.find(ranksKey);
  if (factors.size() > 1 || ranks == factors.end() || !ranks->second.is_number_integer()) return text(textOf(factors));
  return StudyTexts::tr("%n rank(s)", nullptr, ranks->second.get<int>());
}

QString measureText(const StudyMeasure& measure) {
  return text(phrase(measure.name));
}

QString valueText(const StudyMeasure& measure, double value) {
  if (measure.key == memoryBytes) return bytesOf(std::llround(value));
  const QString digits = text(quantityText(value, measure.quantity));
  switch (measure.quantity) {
    case Quantity::percent:
      return StudyTexts::tr("%1 %").arg(digits);
    case Quantity::seconds:
      return StudyTexts::tr("%1 s").arg(digits);
    case Quantity::milliseconds:
      return StudyTexts::tr("%1 ms").arg(digits);
    default:
      return digits;
  }
}

QString effectText(const StudyMeasure& measure, double effect) {
  const QString digits = boundText(measure, effect);
  return measure.ratio ? StudyTexts::tr("%1 %").arg(digits) : digits;
}

QString changeText(const StudyComparison& comparison) {
  return comparison.pairs == 0 ? QString() : effectText(comparison.measure, comparison.effect);
}

QString intervalText(const StudyComparison& comparison) {
  if (!comparison.low || !comparison.high || comparison.pairs == 0) return {};
  return QStringLiteral("[%1, %2]")
      .arg(boundText(comparison.measure, *comparison.low), boundText(comparison.measure, *comparison.high));
}

QString marginText(const Study& study, const StudyMeasure& measure) {
  if (!study.question.margin || measure.key != study.question.measure) return {};
  const double margin = *study.question.margin;
  if (measure.ratio) return StudyTexts::tr("%1 %").arg(text(fmt::format("{:.3g}", 100 * margin)));
  if (measure.quantity == Quantity::percent)
    return StudyTexts::tr("%1 points").arg(text(fmt::format("{:.3g}", 100 * margin)));
  return text(fmt::format("{:.3g}", margin));
}

QString durationOf(double seconds) {
  return text(durationText(seconds));
}

QString bytesOf(std::int64_t bytes) {
  return text(sizeText(bytes));
}

QString verdictWord(StudyVerdictKind verdict) {
  switch (verdict) {
    case StudyVerdictKind::better:
      return StudyTexts::tr("better");
    case StudyVerdictKind::worse:
      return StudyTexts::tr("worse");
    case StudyVerdictKind::same:
      return StudyTexts::tr("the same");
    case StudyVerdictKind::notShown:
      return StudyTexts::tr("not shown");
    case StudyVerdictKind::notComparable:
      return StudyTexts::tr("not comparable");
    case StudyVerdictKind::invalid:
      return StudyTexts::tr("invalid");
  }
  return {};
}

QString seedWord(SeedState state, bool toTarget) {
  switch (state) {
    case SeedState::waiting:
      return StudyTexts::tr("queued");
    case SeedState::running:
      return StudyTexts::tr("running");
    case SeedState::stopped:
      return StudyTexts::tr("stopped");
    case SeedState::reached:
      return toTarget ? StudyTexts::tr("reached the target") : StudyTexts::tr("done");
    case SeedState::never:
      return StudyTexts::tr("never reached it");
    case SeedState::failed:
      return StudyTexts::tr("failed");
    case SeedState::deleted:
      return StudyTexts::tr("deleted");
  }
  return {};
}

RunState studyShape(StudyState state, bool carriedOn) {
  switch (state) {
    case StudyState::running:
      return RunState::running;
    case StudyState::paused:
      return carriedOn ? RunState::stopping : RunState::preempted;
    case StudyState::waiting:
      return RunState::queued;
    case StudyState::done:
      return RunState::done;
  }
  return RunState::queued;
}

QString studyStateWord(StudyState state, bool carriedOn, bool isOpen) {
  switch (state) {
    case StudyState::running:
      return StudyTexts::tr("Running");
    case StudyState::paused:
      return carriedOn ? StudyTexts::tr("Pausing") : StudyTexts::tr("Paused");
    case StudyState::waiting:
      return StudyTexts::tr("Waiting");
    case StudyState::done:
      return isOpen ? StudyTexts::tr("Ended early") : StudyTexts::tr("Done");
  }
  return {};
}

}  // namespace slipstream::ui
