#include "engine/train/training_data.h"

#include <array>
#include <span>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// Rank 0's pictures to all. What they are goes ahead, so that the others can make room.
void share(Images& images, Communicator& communicator) {
  std::array<std::int64_t, 5> head{images.shape.height, images.shape.width, images.shape.channels, images.classes,
                                   images.count()};
  communicator.broadcast(std::as_writable_bytes(std::span(head)), 0);
  images.shape = {head[0], head[1], head[2]};
  images.classes = head[3];
  images.pixels.resize(static_cast<std::size_t>(head[4] * images.shape.elements()));
  images.labels.resize(static_cast<std::size_t>(head[4]));
  communicator.broadcast(std::as_writable_bytes(std::span(images.pixels)), 0);
  communicator.broadcast(std::as_writable_bytes(std::span(images.labels)), 0);
}

}  // namespace

Result<TrainingData> loadTrainingData(const Experiment& experiment) {
  Failures failures;
  auto training = loadImages(experiment.dataset, Part::training, experiment.seed);
  auto evaluation = loadImages(experiment.dataset, Part::evaluation, experiment.seed);
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(failures);
  return TrainingData{std::move(*training), std::move(*evaluation)};
}

TrainingData shareTrainingData(const Experiment& experiment, Communicator& communicator) {
  TrainingData data;
  if (communicator.rank() == 0) {
    auto loaded = loadTrainingData(experiment);
    if (!loaded) throw Error(toText(loaded.error()));
    data = std::move(*loaded);
  }
  share(data.training, communicator);
  share(data.evaluation, communicator);
  return data;
}

}  // namespace slipstream
