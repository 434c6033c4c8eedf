// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/config/fields.h"
#include "engine/experiment/network_file.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// An experiment as it is written, before it is resolved what the words mean.
struct ExperimentSections {
  Experiment experiment;
  NetworkSection network;
  std::string boostLevel = "O0";
  Json boostDictionary = Json::object();
  std::string schema;           ///< "$schema", for editors only
  std::string datasetFallback;  ///< "digits": generated digits where the data is missing; empty: none
};

/// The keys of an experiment file, all but `variants`.
void describeExperimentFile(Fields& fields, ExperimentSections& sections);

/// The JSON schema (draft 2020-12) of experiment files: editors complete keys and mark mistakes by it.
Json experimentSchema();

/// The keys of the resolved form.
void describeResolved(Fields& fields, ExperimentSections& sections);

}  // namespace slipstream
