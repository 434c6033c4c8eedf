#include "ui/charts/metric_words.h"

#include <QCoreApplication>

namespace slipstream::ui {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("Metric", text);
}

}  // namespace

#define SLIPSTREAM_WORDS(text) words(QT_TRANSLATE_NOOP("Metric", text))
MetricWords wordsOf(const std::string& metric) {
  if (metric == "loss") return {SLIPSTREAM_WORDS("Training loss"), {}, 1, true, true};
  if (metric == "evaluation_loss") return {SLIPSTREAM_WORDS("Test loss"), {}, 1, false, true};
  if (metric == "accuracy") return {SLIPSTREAM_WORDS("Test accuracy"), QStringLiteral("%"), 100, false, false, 100};
  if (metric == "orthogonality/*") return {SLIPSTREAM_WORDS("Orthogonality"), SLIPSTREAM_WORDS("mean of all tensors")};
  if (metric == "cosine/*") return {SLIPSTREAM_WORDS("Cosine"), SLIPSTREAM_WORDS("mean of all tensors")};
  if (metric == "learning_rate") return {SLIPSTREAM_WORDS("Learning rate"), {}, 1, false, false};
  if (metric == "loss_scale") return {SLIPSTREAM_WORDS("Loss scale"), {}, 1, false, true};
  if (metric == "samples_per_second") return {SLIPSTREAM_WORDS("Samples per second"), {}};
  const QString milliseconds = SLIPSTREAM_WORDS("ms, mean of ranks");
  if (metric == "step_seconds") return {SLIPSTREAM_WORDS("Step time"), milliseconds, 1000};
  if (metric == "compute_seconds") return {SLIPSTREAM_WORDS("Compute time"), milliseconds, 1000};
  if (metric == "communication_seconds") return {SLIPSTREAM_WORDS("Exposed communication"), milliseconds, 1000};
  if (metric == "data_seconds") return {SLIPSTREAM_WORDS("Waiting for data"), milliseconds, 1000};
  if (metric == "record_seconds") return {SLIPSTREAM_WORDS("Recording"), milliseconds, 1000};
  return {QString::fromStdString(metric), {}};
}
#undef SLIPSTREAM_WORDS

}  // namespace slipstream::ui
