// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/resolved_form.h"

#include <utility>

#include "engine/experiment/experiment_fields.h"

namespace slipstream {

Json toJson(const Experiment& experiment) {
  ExperimentSections sections;
  sections.experiment = experiment;
  sections.network.name = experiment.network.name;
  if (experiment.network.isProgram()) sections.network.program = experiment.network.program;
  sections.network.folder = experiment.network.folder;
  sections.network.conventions = experiment.network.conventions;
  const auto& layers = experiment.network.layers;
  if (!layers.empty()) sections.network.layers.emplace(layers.begin(), layers.end());
  return writeFields([&](Fields& fields) { describeResolved(fields, sections); });
}

Result<Experiment> experimentFromJson(const Json& value, const std::string& path) {
  ExperimentSections sections;
  Failures failures;
  readFields(value, path, failures, [&](Fields& fields) { describeResolved(fields, sections); });
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  // The layers that are listed have the conventions already.
  const Conventions conventions = std::exchange(sections.network.conventions, Conventions::mindspore);
  SLIPSTREAM_TRY(network, networkOf(sections.network, sections.experiment.dataset.classes));
  network.conventions = conventions;
  sections.experiment.network = std::move(network);
  return std::move(sections.experiment);
}

std::string toJsonText(const Experiment& experiment) {
  return toJson(experiment).dump(2);
}

Result<Experiment> parseResolved(const std::string& jsonText) {
  SLIPSTREAM_TRY(value, parseJson(jsonText, "resolved experiment"));
  return experimentFromJson(value, "");
}

}  // namespace slipstream
