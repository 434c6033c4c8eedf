#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/train/training_data.h"

namespace slipstream::worker {
namespace {

int print(const Failures& failures) {
  nlohmann::json list = nlohmann::json::array();
  for (const Failure& failure : failures) {
    list.push_back(
        {{"where", failure.where}, {"value", failure.value}, {"problem", failure.problem}, {"remedy", failure.remedy}});
  }
  std::cout << nlohmann::json{{"failures", list}} << "\n";
  return 2;
}

}  // namespace

int inspectData() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto experiment = parseResolved(text);
  if (!experiment) return print(experiment.error());
  const auto data = loadTrainingData(*experiment);
  if (!data) return print(data.error());
  std::cout << nlohmann::json{{"train", data->training.count()}, {"evaluation", data->evaluation.count()}} << "\n";
  return 0;
}

}  // namespace slipstream::worker
