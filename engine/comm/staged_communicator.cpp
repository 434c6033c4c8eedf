// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/staged_communicator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/comm/staging_pipeline.h"
#include "engine/comm/waiting.h"

namespace slipstream {
namespace {

template <class T>
std::span<T> valuesIn(std::span<std::byte> bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Started legs, of which this is the last one; the pipeline is the communicator's.
class StagedRequest final : public Request {
 public:
  StagedRequest(StagingPipeline& pipeline, std::size_t lastLeg) : pipeline_(pipeline), lastLeg_(lastLeg) {}
  /// Waits, but not while an exception unwinds this rank, nor where its peers are gone: the memory goes with the
  /// caller.
  ~StagedRequest() override {
    if (std::uncaught_exceptions() > unwinding_) {
      pipeline_.abandon();
      return;
    }
    try {
      pipeline_.wait(lastLeg_);
    } catch (const Error&) {
      pipeline_.abandon();
    }
  }
  StagedRequest(const StagedRequest&) = delete;
  StagedRequest& operator=(const StagedRequest&) = delete;

  bool done() override {
    pipeline_.advance();
    return pipeline_.ended(lastLeg_);
  }
  void wait() override { pipeline_.wait(lastLeg_); }

 private:
  int unwinding_ = std::uncaught_exceptions();
  StagingPipeline& pipeline_;
  std::size_t lastLeg_;
};

using Copies = std::vector<std::unique_ptr<StartedCopy>>;

class StagedCommunicator final : public Communicator {
 public:
  StagedCommunicator(Communicator& messages, Device& device, StagingSizes sizes)
      : messages_(messages), device_(device), sizes_(sizes), pipeline_(device, messages, sizes.inFlight) {
    countWith(messages_);
  }
  /// The same over a group of its own.
  StagedCommunicator(std::unique_ptr<Communicator> messages, Device& device, StagingSizes sizes)
      : StagedCommunicator(*messages, device, sizes) {
    owned_ = std::move(messages);
  }
  ~StagedCommunicator() override { pipeline_.abandon(); }
  StagedCommunicator(const StagedCommunicator&) = delete;
  StagedCommunicator& operator=(const StagedCommunicator&) = delete;

  int rank() const override { return messages_.rank(); }
  int size() const override { return messages_.size(); }
  std::string_view route() const override { return "staged"; }

  void barrier() override {
    pipeline_.sendOff();
    messages_.barrier();
  }
  void allReduceSum(std::span<float> values) override {
    reduce(values, [&](std::span<float> part) { messages_.allReduceSum(part); });
  }
  void allReduceSum(std::span<double> values) override {
    reduce(values, [&](std::span<double> part) { messages_.allReduceSum(part); });
  }
  void allReduceMax(std::span<double> values) override {
    reduce(values, [&](std::span<double> part) { messages_.allReduceMax(part); });
  }

  /// Memory of the host is one leg: an operation on it must not overtake the others either.
  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    const auto bytes = std::as_writable_bytes(values);
    const std::size_t step = onDevice(bytes) ? sizes_.chunkBytes : std::max<std::size_t>(1, bytes.size());
    std::size_t start = 0;
    std::size_t last = 0;
    do {
      const auto part = bytes.subspan(start, std::min(step, bytes.size() - start));
      last = pipeline_.add({{part},
                            {part},
                            [this](auto, auto in) { return messages_.startAllReduceSum(valuesIn<float>(in[0])); },
                            true});
      start += step;
    } while (start < bytes.size());
    return std::make_unique<StagedRequest>(pipeline_, last);
  }

  /// One leg a distance between ranks: every rank knows how many there are, whatever it sends.
  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    const auto ranks = static_cast<std::size_t>(size());
    const auto me = static_cast<std::size_t>(rank());
    if (!in[me].empty()) copyHere(in[me], out[me]);
    std::size_t last = 0;
    for (std::size_t distance = 1; distance < ranks; ++distance) {
      const std::size_t to = (me + distance) % ranks;
      const std::size_t from = (me + ranks - distance) % ranks;
      last = pipeline_.add({{out[to]}, {in[from]}, [this, to, from](auto hostOut, auto hostIn) {
                              std::vector<std::span<const std::byte>> outs(static_cast<std::size_t>(size()));
                              std::vector<std::span<std::byte>> ins(outs.size());
                              outs[to] = hostOut[0];
                              ins[from] = hostIn[0];
                              return messages_.startExchange(outs, ins);
                            }});
    }
    return std::make_unique<StagedRequest>(pipeline_, last);
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    pipeline_.sendOff();
    if (!onDevice(bytes)) return messages_.broadcast(bytes, root);
    const bool sends = rank() == root;
    inChunks(
        bytes.size(), sizes_.chunkBytes, 1,
        [&](Chunk chunk, std::span<std::byte> staging) { return sends ? outOf(chunk.of(bytes), staging) : Copies{}; },
        [&](Chunk, std::span<std::byte> staging) { messages_.broadcast(staging, root); },
        [&](Chunk chunk, std::span<std::byte> staging) { return sends ? Copies{} : into(chunk.of(bytes), staging); });
  }

  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    if (all.size() != mine.size() * static_cast<std::size_t>(size())) throw Error("allGather: sizes do not match");
    std::vector<std::size_t> offsets;
    for (int part = 0; part <= size(); ++part) offsets.push_back(static_cast<std::size_t>(part) * mine.size());
    const auto me = static_cast<std::size_t>(rank());
    if (!mine.empty()) copyHere(all.subspan(offsets[me], mine.size()), mine);
    allGatherInPlace(all, offsets);
  }

  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    pipeline_.sendOff();
    if (!onDevice(all)) return messages_.allGatherInPlace(all, offsets);
    std::size_t longest = 0;
    for (std::size_t part = 0; part + 1 < offsets.size(); ++part) {
      longest = std::max(longest, offsets[part + 1] - offsets[part]);
    }
    const auto ranks = static_cast<std::size_t>(size());
    const auto me = static_cast<std::size_t>(rank());
    const std::size_t step = std::max<std::size_t>(1, sizes_.chunkBytes / ranks);
    const auto of = [&](std::size_t part, Chunk chunk) {
      return chunk.within(all.subspan(offsets[part], offsets[part + 1] - offsets[part]));
    };
    const auto places = [&](Chunk chunk) {
      std::vector<std::size_t> ends{0};
      for (std::size_t part = 0; part < ranks; ++part) ends.push_back(ends.back() + of(part, chunk).size());
      return ends;
    };
    inChunks(
        longest, step, ranks,
        [&](Chunk chunk, std::span<std::byte> staging) {
          const auto part = of(me, chunk);
          return outOf(part, staging.subspan(places(chunk)[me], part.size()));
        },
        [&](Chunk chunk, std::span<std::byte> staging) {
          const auto ends = places(chunk);
          messages_.allGatherInPlace(staging.first(ends.back()), ends);
        },
        [&](Chunk chunk, std::span<std::byte> staging) {
          const auto ends = places(chunk);
          Copies copies;
          for (std::size_t part = 0; part < ranks; ++part) {
            const auto to = of(part, chunk);
            if (part == me || to.empty()) continue;
            copies.push_back(device_.startCopyIn(to, staging.subspan(ends[part], to.size())));
          }
          return copies;
        });
  }

  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    std::vector<std::span<const std::byte>> outs;
    std::vector<std::span<std::byte>> ins;
    for (std::size_t peer = 0; peer < static_cast<std::size_t>(size()); ++peer) {
      outs.push_back(out.subspan(outOffsets[peer], outOffsets[peer + 1] - outOffsets[peer]));
      ins.push_back(in.subspan(inOffsets[peer], inOffsets[peer + 1] - inOffsets[peer]));
    }
    startExchange(outs, ins)->wait();
  }

  /// In one piece: no rank knows how many chunks the others' messages have.
  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    const std::size_t sent = onDevice(out) ? out.size() : 0;
    const std::size_t received = onDevice(in) ? in.size() : 0;
    auto staging = sent + received > 0 ? pipeline_.memory().take(sent + received) : nullptr;
    auto sentHere = out;
    auto receivedHere = in;
    if (sent > 0) {
      const auto part = staging->bytes().first(sent);
      device_.startCopyOut(part, out)->wait();
      sentHere = part;
    }
    if (received > 0) receivedHere = staging->bytes().subspan(sent, received);
    messages_.sendReceive(sentHere, to, receivedHere, from);
    if (received > 0) device_.startCopyIn(in, receivedHere)->wait();
    if (staging) pipeline_.memory().putBack(std::move(staging));
  }

  std::unique_ptr<Communicator> split(int colour, int key) override {
    pipeline_.sendOff();
    return std::make_unique<StagedCommunicator>(messages_.split(colour, key), device_, sizes_);
  }

  std::unique_ptr<SharedBuffer> allocateShared(std::size_t) override { return nullptr; }

  void poll() override {
    pipeline_.advance();
    messages_.poll();
  }

 private:
  /// Bytes [begin, end) of an operation.
  struct Chunk {
    std::size_t begin;
    std::size_t end;
    std::span<std::byte> of(std::span<std::byte> bytes) const { return bytes.subspan(begin, end - begin); }
    /// Of bytes that may end before it.
    std::span<std::byte> within(std::span<std::byte> bytes) const {
      const std::size_t from = std::min(begin, bytes.size());
      return bytes.subspan(from, std::min(end, bytes.size()) - from);
    }
  };

  template <class Byte>
  bool onDevice(std::span<Byte> bytes) const {
    return !bytes.empty() && device_.holds(bytes.data());
  }

  Copies outOf(std::span<const std::byte> from, std::span<std::byte> staging) {
    Copies copies;
    if (!from.empty()) copies.push_back(device_.startCopyOut(staging, from));
    return copies;
  }
  Copies into(std::span<std::byte> to, std::span<const std::byte> staging) {
    Copies copies;
    if (!to.empty()) copies.push_back(device_.startCopyIn(to, staging));
    return copies;
  }

  /// What stays with this rank.
  void copyHere(std::span<std::byte> to, std::span<const std::byte> from) {
    if (to.data() == from.data()) return;
    if (!onDevice(to) && !onDevice(from)) {
      std::memmove(to.data(), from.data(), to.size());
    } else if (!onDevice(to)) {
      device_.copyOut(to, from);
    } else if (!onDevice(from)) {
      device_.copyIn(to, from);
    } else {
      device_.copyWithin(to, from);
    }
  }

  template <class T, class Reduce>
  void reduce(std::span<T> values, Reduce&& reduceHost) {
    pipeline_.sendOff();
    const auto bytes = std::as_writable_bytes(values);
    if (!onDevice(bytes)) return reduceHost(values);
    inChunks(
        bytes.size(), sizes_.chunkBytes, 1,
        [&](Chunk chunk, std::span<std::byte> staging) { return outOf(chunk.of(bytes), staging); },
        [&](Chunk, std::span<std::byte> staging) { reduceHost(valuesIn<T>(staging)); },
        [&](Chunk chunk, std::span<std::byte> staging) { return into(chunk.of(bytes), staging); });
  }

  /// Chunk after chunk through two pieces of staging memory of `parts` times a chunk: while one travels, the next is
  /// copied out and the last one in. With one part, the functions are given staging memory of the chunk's own length.
  template <class Out, class Travel, class In>
  void inChunks(std::size_t bytes, std::size_t step, std::size_t parts, Out&& out, Travel&& travel, In&& in) {
    const std::size_t count = (bytes + step - 1) / step;
    struct Piece {
      std::unique_ptr<Buffer> memory;
      Copies copies;  ///< goes first
      void wait() {
        for (const auto& copy : copies) copy->wait();
        copies.clear();
      }
    };
    std::array<Piece, 2> pieces;
    for (Piece& piece : pieces) piece.memory = pipeline_.memory().take(std::min(step, bytes) * parts);
    const auto chunkAt = [&](std::size_t index) { return Chunk{index * step, std::min(bytes, (index + 1) * step)}; };
    const auto staging = [&](std::size_t index) {
      const Chunk chunk = chunkAt(index);
      return pieces[index % 2].memory->bytes().first((chunk.end - chunk.begin) * parts);
    };
    for (std::size_t i = 0; i < count; ++i) {
      Piece& piece = pieces[i % 2];
      if (i == 0) piece.copies = out(chunkAt(i), staging(i));
      piece.wait();
      if (i + 1 < count) {
        Piece& next = pieces[(i + 1) % 2];
        next.wait();
        next.copies = out(chunkAt(i + 1), staging(i + 1));
      }
      travel(chunkAt(i), staging(i));
      piece.copies = in(chunkAt(i), staging(i));
    }
    for (Piece& piece : pieces) {
      piece.wait();
      pipeline_.memory().putBack(std::move(piece.memory));
    }
  }

  std::unique_ptr<Communicator> owned_;  ///< goes last
  Communicator& messages_;
  Device& device_;
  StagingSizes sizes_;
  StagingPipeline pipeline_;
};

}  // namespace

std::unique_ptr<Communicator> stageThroughHost(Communicator& messages, Device& device, StagingSizes sizes) {
  return std::make_unique<StagedCommunicator>(messages, device, sizes);
}

}  // namespace slipstream
