// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/outbox.h"

#include <algorithm>

namespace slipstream {

void Outbox::add(std::int64_t step, std::int64_t wallNanoseconds, const std::vector<std::string>& names,
                 const std::vector<double>& values) {
  if (packing_.names != names) {
    pack();
    packing_.names = names;
  }
  packing_.steps.push_back(step);
  packing_.wallNanoseconds.push_back(wallNanoseconds);
  packing_.values.insert(packing_.values.end(), values.begin(), values.end());
}

void Outbox::add(wire::EventNote note) {
  pack();
  append(std::move(note));
}

void Outbox::add(wire::MemoryUse memory) {
  pack();
  append(std::move(memory));
}

void Outbox::pack() {
  if (packing_.steps.empty()) return;
  MetricBlock next;
  next.names = packing_.names;
  append(std::exchange(packing_, std::move(next)));
}

template <class Content>
void Outbox::append(Content content) {
  ring_.push_back(encode(wire::Data{++last_, std::move(content)}));
  bytes_ += ring_.back().size();
}

std::vector<std::string> Outbox::takeUnsent() {
  const auto first = static_cast<std::ptrdiff_t>(sent_ - acknowledged_);
  sent_ = last_;
  return {ring_.begin() + first, ring_.end()};
}

void Outbox::acknowledge(std::uint64_t sequence) {
  for (; acknowledged_ < std::min(sequence, last_); ++acknowledged_) {
    bytes_ -= ring_.front().size();
    ring_.pop_front();
  }
  sent_ = std::max(sent_, acknowledged_);
}

void Outbox::rewind(std::uint64_t sequence) {
  sent_ = std::clamp(sequence - 1, acknowledged_, sent_);
}

}  // namespace slipstream
