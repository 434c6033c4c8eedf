// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/checkpoint_sender.h"

#include <algorithm>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/wire/tensor_parts.h"

namespace slipstream {
namespace {

constexpr std::int64_t partsInFlight = 8;
constexpr int politeness = 10;

}  // namespace

CheckpointSender::~CheckpointSender() {
  close();
  if (thread_.joinable()) thread_.join();
}

void CheckpointSender::start(Job job) {
  waitUntilIdle();
  if (thread_.joinable()) thread_.join();
  copy(std::move(job));
  const std::lock_guard lock(mutex_);
  if (closing_) return;
  busy_ = true;
  offered_ = 0;
  ended_ = false;
  shipping_.clear();
  sentParts_ = acknowledgedParts_ = 0;
  thread_ = std::thread([this] { run(); });
}

/// Nobody else reads the job: the thread has ended, and answers of the hub find nothing under way.
void CheckpointSender::copy(Job job) {
  std::size_t size = 0;
  for (const Tensor& tensor : job.tensors) size += tensor.bytes.size();
  if (size > capacity_) {
    memory_.reset();  // before the larger one is made: never both
    capacity_ = 0;
    memory_ = std::make_unique_for_overwrite<std::byte[]>(size);
    capacity_ = size;
  }
  std::byte* to = memory_.get();
  for (Tensor& tensor : job.tensors) {
    std::byte* const end = std::copy(tensor.bytes.begin(), tensor.bytes.end(), to);
    tensor.bytes = {to, end};
    to = end;
  }
  job_ = std::move(job);
}

void CheckpointSender::waitUntilIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_ || closing_; });
}

void CheckpointSender::close() {
  const std::lock_guard lock(mutex_);
  closing_ = true;
  changed_.notify_all();
}

void CheckpointSender::handle(const wire::TensorRequest& request) {
  const std::lock_guard lock(mutex_);
  if (!busy_ || !isOf(request) || request.round != round_) return;
  for (std::size_t index = 0; index < offered_; ++index) {
    if (job_.tensors[index].record.hash != request.hash) continue;
    shipping_.push_back({index, 0});
    changed_.notify_all();
    return;
  }
}

void CheckpointSender::handle(const wire::TransferAck& ack) {
  const std::lock_guard lock(mutex_);
  if (!busy_ || !isOf(ack) || ack.round != round_) return;
  acknowledgedParts_ = ack.parts;
  changed_.notify_all();
}

void CheckpointSender::handle(const wire::CheckpointDone& done) {
  const std::lock_guard lock(mutex_);
  if (!busy_ || !isOf(done)) return;
  busy_ = false;
  changed_.notify_all();
}

void CheckpointSender::restart() {
  const std::lock_guard lock(mutex_);
  ++round_;
  offered_ = 0;
  ended_ = false;
  shipping_.clear();
  sentParts_ = acknowledgedParts_ = 0;
  changed_.notify_all();
}

bool CheckpointSender::maySendPart() const {
  return !shipping_.empty() && sentParts_ - acknowledgedParts_ < partsInFlight;
}

void CheckpointSender::run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), politeness);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !busy_ || !ended_ || maySendPart(); });
    if (closing_ || !busy_) break;
    maySendPart() ? sendPart(lock) : offerNext(lock);
  }
}

void CheckpointSender::offerNext(std::unique_lock<std::mutex>& lock) {
  if (offered_ == job_.tensors.size()) {
    ended_ = true;
    return post_(job_.end);
  }
  Tensor& tensor = job_.tensors[offered_];
  const std::uint64_t round = round_;
  lock.unlock();
  std::string hash = tensor.record.hash.empty() ? sha256(tensor.bytes) : tensor.record.hash;
  lock.lock();
  tensor.record.hash = std::move(hash);
  if (round != round_) return;
  ++offered_;
  post_(wire::CheckpointTensor{job_.end.step, tensor.record, job_.end.snapshot, round_});
}

void CheckpointSender::sendPart(std::unique_lock<std::mutex>& lock) {
  Shipping& shipping = shipping_.front();
  const Tensor& tensor = job_.tensors[shipping.tensor];
  const std::int64_t index = shipping.nextPart++;
  if (shipping.nextPart == partCount(tensor.bytes.size())) shipping_.pop_front();
  ++sentParts_;
  const std::uint64_t round = round_;
  lock.unlock();
  Message part = tensorPart(tensor.record.hash, tensor.bytes, index);
  lock.lock();
  if (round == round_) post_(part);
}

}  // namespace slipstream
