// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_words.h"

#include <QCoreApplication>

namespace slipstream::ui {
namespace {

struct Metric {
  Q_DECLARE_TR_FUNCTIONS(Metric)
};

}  // namespace

MetricWords wordsOf(const std::string& metric) {
  if (metric == "loss") return {Metric::tr("Training loss"), {}, 1, true, true};
  if (metric == "evaluation_loss") return {Metric::tr("Test loss"), {}, 1, false, true};
  if (metric == "accuracy") return {Metric::tr("Test accuracy"), QStringLiteral("%"), 100, false, false, 100};
  if (metric == "orthogonality/*") return {Metric::tr("Orthogonality"), Metric::tr("mean of all tensors")};
  if (metric == "cosine/*") return {Metric::tr("Cosine"), Metric::tr("mean of all tensors")};
  if (metric == "learning_rate") return {Metric::tr("Learning rate"), {}, 1, false, false};
  if (metric == "loss_scale") return {Metric::tr("Loss scale"), {}, 1, false, true};
  if (metric == "samples_per_second") return {Metric::tr("Samples per second"), {}};
  const QString milliseconds = Metric::tr("ms, mean of ranks");
  if (metric == "step_seconds") return {Metric::tr("Step time"), milliseconds, 1000};
  if (metric == "compute_seconds") return {Metric::tr("Compute time"), milliseconds, 1000};
  if (metric == "communication_seconds") return {Metric::tr("Exposed communication"), milliseconds, 1000};
  if (metric == "hidden_communication_seconds") return {Metric::tr("Hidden communication"), milliseconds, 1000};
  if (metric == "update_seconds") return {Metric::tr("Optimizer's step"), milliseconds, 1000};
  if (metric == "checkpoint_seconds") return {Metric::tr("Checkpoints, between steps"), milliseconds, 1000};
  if (metric == "snapshot_seconds") return {Metric::tr("Snapshots, between steps"), milliseconds, 1000};
  if (metric == "evaluation_seconds") return {Metric::tr("Evaluation, between steps"), milliseconds, 1000};
  if (metric == "data_seconds") return {Metric::tr("Waiting for data"), milliseconds, 1000};
  if (metric == "record_seconds") return {Metric::tr("Recording"), milliseconds, 1000};
  return {QString::fromStdString(metric), {}};
}

}  // namespace slipstream::ui
