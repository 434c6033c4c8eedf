// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/training_data.h"

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/data/digits.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

/// Rank 0's text to all.
void share(std::string& text, Communicator& communicator) {
  std::int64_t size = std::ssize(text);
  communicator.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  text.resize(static_cast<std::size_t>(size));
  communicator.broadcast(std::as_writable_bytes(std::span(text)), 0);
}

/// Names are no texts with a zero in them.
void share(std::vector<std::string>& names, Communicator& communicator) {
  std::string text = join(names, std::string_view("\0", 1));
  share(text, communicator);
  names = text.empty() ? std::vector<std::string>{} : split(text, '\0');
}

/// Rank 0's list to all: other ranks need not find the folder in the same state, or at once.
void share(ImageList& list, Communicator& communicator) {
  std::vector<std::string> head{list.folder.string()};
  std::vector<std::string> names;
  std::vector<std::int32_t> labels;
  for (const ImageList::File& file : list.files) {
    names.push_back(file.name);
    labels.push_back(file.label);
  }
  share(head, communicator);
  share(list.classes, communicator);
  share(names, communicator);
  labels.resize(names.size());
  communicator.broadcast(std::as_writable_bytes(std::span(labels)), 0);
  list.folder = head.front();
  list.files.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) list.files[i] = {std::move(names[i]), labels[i]};
}

/// Rank 0's images to all. What they are goes ahead, so that the others can make room.
void share(Images& images, Communicator& communicator) {
  std::array<std::int64_t, 6> head{images.shape.height, images.shape.width, images.shape.channels,
                                   images.classes,      images.count(),     images.floats.empty() ? 0 : 1};
  communicator.broadcast(std::as_writable_bytes(std::span(head)), 0);
  images.shape = {head[0], head[1], head[2]};
  images.classes = head[3];
  const auto values = static_cast<std::size_t>(head[4] * images.shape.elements());
  images.pixels.resize(head[5] == 0 ? values : 0);
  images.floats.resize(head[5] == 0 ? 0 : values);
  images.labels.resize(static_cast<std::size_t>(head[4]));
  communicator.broadcast(std::as_writable_bytes(std::span(images.pixels)), 0);
  communicator.broadcast(std::as_writable_bytes(std::span(images.floats)), 0);
  communicator.broadcast(std::as_writable_bytes(std::span(images.labels)), 0);
}

void share(PartContent& content, bool listed, Communicator& communicator) {
  if (communicator.rank() != 0) content = listed ? PartContent(ImageList{}) : PartContent(Images{});
  std::visit([&](auto& kept) { share(kept, communicator); }, content);
}

/// Every rank draws a part of the images, which then goes to all.
Images drawTogether(const Experiment& experiment, DataPart part, Communicator& communicator) {
  auto images = roomForDigits(experiment.dataset, part);
  if (!images) throw Error(toText(images.error()));
  const std::size_t count = images->labels.size();
  const auto ranks = static_cast<std::size_t>(communicator.size()),
             rank = static_cast<std::size_t>(communicator.rank());
  const auto firstOf = [&](std::size_t which) { return count * which / ranks; };
  drawDigits(*images, firstOf(rank), firstOf(rank + 1), part, experiment.seed);
  const auto gather = [&](std::span<std::byte> all, std::size_t bytes) {
    std::vector<std::size_t> offsets;
    for (std::size_t which = 0; which <= ranks; ++which) offsets.push_back(bytes * firstOf(which));
    communicator.allGatherInPlace(all, offsets);
  };
  gather(std::as_writable_bytes(std::span(images->pixels)), static_cast<std::size_t>(images->shape.elements()));
  gather(std::as_writable_bytes(std::span(images->labels)), sizeof(images->labels.front()));
  return std::move(*images);
}

}  // namespace

Result<TrainingData> loadTrainingData(const Experiment& experiment) {
  Failures failures;
  auto training = loadPart(experiment.dataset, DataPart::training, experiment.seed);
  auto evaluation = loadPart(experiment.dataset, DataPart::evaluation, experiment.seed);
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(failures);
  return TrainingData{std::move(*training), std::move(*evaluation)};
}

TrainingData shareTrainingData(const Experiment& experiment, Communicator& communicator) {
  if (&kindOf(experiment.dataset) == &digitsKind()) {
    return {drawTogether(experiment, DataPart::training, communicator),
            drawTogether(experiment, DataPart::evaluation, communicator)};
  }
  TrainingData data;
  if (communicator.rank() == 0) {
    auto loaded = loadTrainingData(experiment);
    if (!loaded) throw Error(toText(loaded.error()));
    data = std::move(*loaded);
  }
  const bool listed = kindOf(experiment.dataset).imageFiles;
  share(data.training, listed, communicator);
  share(data.evaluation, listed, communicator);
  return data;
}

}  // namespace slipstream
