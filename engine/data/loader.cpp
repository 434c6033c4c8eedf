// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/loader.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

/// Of a sample that was left out.
constexpr std::int32_t noLabel = -1;

/// Of so many in a row that even a run that skips what is broken ends; `told` has a line for each.
std::string noneReadable(std::int64_t count, std::int64_t tried, const std::string& told) {
  constexpr std::size_t shown = 5;
  std::vector<std::string> lines = split(trim(told), '\n');
  if (lines.size() > shown) lines.resize(shown);
  const std::string which = count <= tried ? fmt::format("none of the {} samples can be read", count)
                                           : fmt::format("{} samples in a row cannot be read", tried);
  return which + ", and nothing replaces so many: put readable images in their place\n" + join(lines, "\n");
}

}  // namespace

std::int64_t bytesOf(const LoaderOptions& options, const SampleSource& source) {
  const auto valueBytes = static_cast<std::int64_t>(source.floats() ? sizeof(float) : 1);
  return (1 + options.ahead) * options.samplesPerStep * source.shape().elements() * valueBytes;
}

LoaderOptions loaderOptions(const DatasetSpec& spec, std::int64_t samplesPerStep, std::int64_t endStep) {
  return {spec.batchSize, samplesPerStep, endStep, spec.decodeThreads, spec.prefetchBatches, spec.onBroken};
}

Loader::Loader(const SampleSource& source, Selector select, const LoaderOptions& options)
    : source_(source),
      select_(std::move(select)),
      options_(options),
      elements_(static_cast<std::size_t>(source.shape().elements())),
      floats_(source.floats()),
      own_(source.reader()) {
  for (std::int64_t i = 0; i <= options_.ahead; ++i) {
    auto slot = std::make_unique<Slot>();
    resize(slot->batch, static_cast<std::size_t>(options_.samplesPerStep));
    free_.push_back(std::move(slot));
  }
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
}

Loader::~Loader() {
  {
    const Lock lock(mutex_);
    ending_ = true;
  }
  workToDo_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

const Batch& Loader::batchOf(std::int64_t step) {
  Lock lock(mutex_);
  if (inUse_) free_.push_back(std::move(inUse_));
  if (queue_.empty() || queue_.front()->step != step) restart(step, lock);
  while (!free_.empty() && (queue_.empty() || nextStep_ < options_.endStep)) enqueue();
  workToDo_.notify_all();
  Slot& slot = *queue_.front();
  const std::int64_t count = std::ssize(slot.selection.samples);
  while (slot.prepared < count) {
    // Where others are at this step's last samples, one of the next step's is worth more than waiting.
    if (Slot* open = nextUntaken()) {
      prepareOne(*open, *own_, lock);
    } else {
      samplePrepared_.wait(lock);
    }
  }
  inUse_ = std::move(queue_.front());
  queue_.pop_front();
  std::ranges::sort(inUse_->skipped);
  if (inUse_->failure) std::rethrow_exception(inUse_->failure);
  if (!options_.standIns && !inUse_->skipped.empty()) closeGaps(*inUse_);
  return inUse_->batch;
}

/// What is under way is of no use: whoever prepares it must be done before its memory is used again.
void Loader::restart(std::int64_t step, Lock& lock) {
  for (const auto& slot : queue_) {
    const std::int64_t untaken = std::ssize(slot->selection.samples) - slot->taken;
    slot->taken += untaken;
    slot->prepared += untaken;
  }
  for (; !queue_.empty(); queue_.pop_front()) {
    Slot& slot = *queue_.front();
    samplePrepared_.wait(lock, [&] { return slot.prepared == std::ssize(slot.selection.samples); });
    free_.push_back(std::move(queue_.front()));
  }
  nextStep_ = step;
}

void Loader::enqueue() {
  std::unique_ptr<Slot> slot = std::move(free_.back());
  free_.pop_back();
  slot->step = nextStep_++;
  slot->selection = select_(slot->step);
  const std::size_t count = slot->selection.samples.size();
  slot->batch.count = static_cast<std::int64_t>(count);
  slot->batch.batchSize = options_.batchSize;
  slot->batch.shares = slot->selection.shares;
  resize(slot->batch, count);
  slot->taken = slot->prepared = 0;
  slot->failedAt = -1;
  slot->failure = nullptr;
  slot->skipped.clear();
  queue_.push_back(std::move(slot));
}

void Loader::resize(Batch& batch, std::size_t count) const {
  batch.labels.resize(count);
  if (floats_) return batch.inputs.resize(count * elements_);
  batch.pictures.resize(count * elements_);
}

std::span<std::uint8_t> Loader::pictureAt(Batch& batch, std::int64_t place) const {
  return std::span(batch.pictures).subspan(static_cast<std::size_t>(place) * elements_, elements_);
}

std::span<float> Loader::inputsAt(Batch& batch, std::int64_t place) const {
  return std::span(batch.inputs).subspan(static_cast<std::size_t>(place) * elements_, elements_);
}

Result<std::int32_t> Loader::readInto(Slot& slot, std::int64_t place, std::uint32_t sample,
                                      SampleReader& reader) const {
  if (floats_) return reader.readFloats(sample, inputsAt(slot.batch, place));
  return reader.read(sample, slot.selection.drawKey, pictureAt(slot.batch, place));
}

void Loader::work() {
  const auto reader = source_.reader();
  Lock lock(mutex_);
  while (!ending_) {
    if (Slot* slot = nextUntaken()) {
      prepareOne(*slot, *reader, lock);
    } else {
      workToDo_.wait(lock);
    }
  }
}

/// The earliest step that has a sample which nobody prepares.
Loader::Slot* Loader::nextUntaken() {
  const auto found =
      std::ranges::find_if(queue_, [](const auto& slot) { return slot->taken < std::ssize(slot->selection.samples); });
  return found == queue_.end() ? nullptr : found->get();
}

void Loader::prepareOne(Slot& slot, SampleReader& reader, Lock& lock) {
  const std::int64_t place = slot.taken++;
  lock.unlock();
  std::string skipped;
  std::exception_ptr failure;
  try {
    slot.batch.labels[static_cast<std::size_t>(place)] = read(slot, place, reader, skipped);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure && (slot.failedAt < 0 || place < slot.failedAt)) {
    slot.failedAt = place;
    slot.failure = failure;
  }
  if (!skipped.empty()) slot.skipped.push_back(std::move(skipped));
  if (++slot.prepared == std::ssize(slot.selection.samples)) samplePrepared_.notify_all();
}

std::int32_t Loader::read(Slot& slot, std::int64_t place, SampleReader& reader, std::string& skipped) const {
  constexpr std::int64_t mostTries = 100;
  const std::int64_t count = source_.count();
  std::int64_t sample = slot.selection.samples[static_cast<std::size_t>(place)];
  for (std::int64_t tries = 0; tries < std::min(count, mostTries); ++tries) {
    const auto label = readInto(slot, place, static_cast<std::uint32_t>(sample), reader);
    if (label) return *label;
    if (options_.onBroken == BrokenImages::fail) throw UnreadableSample(toText(label.error()));
    skipped += toText(label.error());
    if (!options_.standIns) return noLabel;
    sample = (sample + 1) % count;
  }
  throw UnreadableSample(noneReadable(count, mostTries, skipped));
}

void Loader::copySample(Batch& batch, std::int64_t from, std::int64_t to) const {
  if (floats_) {
    std::ranges::copy(inputsAt(batch, from), inputsAt(batch, to).begin());
  } else {
    std::ranges::copy(pictureAt(batch, from), pictureAt(batch, to).begin());
  }
}

/// What was left out leaves the batch; the order of the others stays.
void Loader::closeGaps(Slot& slot) const {
  Batch& batch = slot.batch;
  std::int64_t kept = 0;
  for (std::int64_t place = 0; place < batch.count; ++place) {
    const std::int32_t label = batch.labels[static_cast<std::size_t>(place)];
    if (label == noLabel) continue;
    batch.labels[static_cast<std::size_t>(kept)] = label;
    if (kept != place) copySample(batch, place, kept);
    slot.selection.samples[static_cast<std::size_t>(kept)] = slot.selection.samples[static_cast<std::size_t>(place)];
    ++kept;
  }
  batch.count = kept;
  slot.selection.samples.resize(static_cast<std::size_t>(kept));
  resize(batch, static_cast<std::size_t>(kept));
}

}  // namespace slipstream
