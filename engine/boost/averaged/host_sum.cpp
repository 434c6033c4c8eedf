// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/host_sum.h"

#include <algorithm>
#include <utility>

#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

std::vector<Range> piecesOf(const Range& bucket, std::int64_t elements) {
  std::vector<Range> pieces;
  for (std::int64_t begin = bucket.begin; begin < bucket.end; begin += elements) {
    pieces.push_back({begin, std::min(begin + elements, bucket.end)});
  }
  return pieces;
}

class HostSum final : public BucketExchange {
 public:
  explicit HostSum(HostSumParts parts)
      : parts_(std::move(parts)),
        host_(parts_.hosts.hostOf(parts_.group.rank())),
        index_(parts_.hosts.indexOnHost(parts_.group.rank())),
        cut_{parts_.hosts.hosts()},
        onHost_(parts_.group.split(host_, index_)) {
    for (const Bucket& bucket : parts_.buckets) {
      const auto pieces = piecesOf(bucket.range, cut_.pieceElements());
      pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
      endPieces_.push_back(pieces_.size());
    }
    joinFirstRanks();
    std::vector<std::int64_t> starts;
    for (const Range& piece : pieces_) starts.push_back(piece.begin);
    const auto work = [this](int piece, int stage) { return doStage(static_cast<std::size_t>(piece), stage); };
    pipeline_ = std::make_unique<BucketPipeline>(*onHost_, std::move(starts), lastStage, work);
  }

  void begin(int bucket) override {
    const auto b = static_cast<std::size_t>(bucket);
    for (std::size_t p = firstPiece(b); p < endPieces_[b]; ++p) pipeline_->begin(static_cast<int>(p));
  }
  void progress() override { pipeline_->progress(); }
  bool completed(int bucket) const override {
    const auto b = static_cast<std::size_t>(bucket);
    for (std::size_t p = endPieces_[b]; p > firstPiece(b); --p) {
      if (!pipeline_->completed(static_cast<int>(p) - 1)) return false;
    }
    return true;
  }
  void finish(std::int64_t end) override {
    const auto isLeftOut = [&](const Bucket& bucket) { return bucket.range.begin >= end; };
    const auto wanted = std::ranges::find_if(parts_.buckets, isLeftOut) - parts_.buckets.begin();
    if (wanted > 0) pipeline_->finish(parts_.buckets[static_cast<std::size_t>(wanted) - 1].range.end);
    sent_ = added_ = returned_ = 0;
  }

 private:
  enum Stage { addHost = 1, exchangeSlices, awaitResults, copyPiece, lastStage = copyPiece };

  bool isFirst() const { return index_ == 0; }

  void joinFirstRanks() {
    const int colour = isFirst() ? 0 : 1;
    slices_.resize(pieces_.size());
    results_.resize(pieces_.size());
    // One group for each way: exchanges meet in the order in which they are started.
    toOwners_ = parts_.group.split(colour, host_);
    fromOwners_ = parts_.group.split(colour, host_);
    std::vector<std::int64_t> elements;
    for (const Bucket& bucket : parts_.buckets) elements.push_back(bucket.range.size());
    if (!isFirst()) return;
    received_ = parts_.device.allocate(static_cast<std::size_t>(hostSumElements(cut_, elements)) * sizeof(float),
                                       MemoryCategory::gather);
  }

  std::size_t firstPiece(std::size_t bucket) const { return bucket == 0 ? 0 : endPieces_[bucket - 1]; }

  int doStage(std::size_t piece, int stage) {
    switch (stage) {
      case addHost:
        addMyShareOfHost(pieces_[piece]);
        return stage;
      case exchangeSlices:
        return !isFirst() || addedSlice(piece) ? stage : stage - 1;
      case awaitResults:
        return !isFirst() || resultsAreBack(piece) ? stage : stage - 1;
      default:
        copyToMine(pieces_[piece]);
        return stage;
    }
  }

  void addMyShareOfHost(Range piece) {
    const int ranks = onHost_->size();
    if (ranks == 1) return;
    const Range share = sliceOf(piece, index_, ranks, cacheLineElements<float>);
    std::vector<const float*> sources;
    for (const auto& values : parts_.values) sources.push_back(values.data() + share.begin);
    float* const result = hostValues(share).data();
    parts_.kernels.sum(parts_.device.queue(), sources, std::span(&result, 1), static_cast<std::size_t>(share.size()), 1,
                       false);
  }

  /// Sends the slices to those who add them, in piece order; true when this rank has added its own, and the
  /// result is on its way.
  bool addedSlice(std::size_t piece) {
    if (piece == sent_ && sent_ < added_ + static_cast<std::size_t>(cut_.piecesAhead())) send(sent_++);
    if (piece >= sent_ || piece != added_ || !slices_[piece]->done()) return false;
    slices_[piece].reset();
    add(piece);
    ++added_;
    return true;
  }

  void send(std::size_t piece) {
    std::vector<std::span<const std::byte>> out(hosts());
    std::vector<std::span<std::byte>> in(hosts());
    forOtherHosts([&](std::size_t host) {
      out[host] = std::as_bytes(hostValues(slice(piece, static_cast<int>(host))));
      in[host] = std::as_writable_bytes(receivedFrom(piece, host));
    });
    slices_[piece] = toOwners_->startExchange(out, in);
  }

  void add(std::size_t piece) {
    const auto mine = hostValues(slice(piece, host_));
    std::vector<const float*> sources;
    for (std::size_t host = 0; host < hosts(); ++host) {
      sources.push_back(std::cmp_equal(host, host_) ? mine.data() : receivedFrom(piece, host).data());
    }
    float* const result = mine.data();
    parts_.kernels.sum(parts_.device.queue(), sources, std::span(&result, 1), mine.size(), parts_.scale, false);
    std::vector<std::span<const std::byte>> out(hosts());
    std::vector<std::span<std::byte>> in(hosts());
    forOtherHosts([&](std::size_t host) {
      out[host] = std::as_bytes(mine);
      in[host] = std::as_writable_bytes(hostValues(slice(piece, static_cast<int>(host))));
    });
    results_[piece] = fromOwners_->startExchange(out, in);
  }

  /// Asks for the oldest alone: each question makes MPI look at all of its connections.
  bool resultsAreBack(std::size_t piece) {
    if (piece != returned_ || !results_[piece]->done()) return false;
    results_[piece].reset();
    ++returned_;
    return true;
  }

  void copyToMine(Range piece) {
    if (isFirst()) return;
    const auto mine = parts_.values[static_cast<std::size_t>(index_)];
    parts_.kernels.copy(parts_.device.queue(), hostValues(piece), part(mine, piece));
  }

  template <class Use>
  void forOtherHosts(Use&& use) const {
    for (std::size_t host = 0; host < hosts(); ++host) {
      if (std::cmp_not_equal(host, host_)) use(host);
    }
  }

  std::size_t hosts() const { return static_cast<std::size_t>(cut_.hosts); }
  /// What `host` adds of a piece.
  Range slice(std::size_t piece, int host) const {
    return sliceOf(pieces_[piece], host, cut_.hosts, cacheLineElements<float>);
  }
  static std::span<float> part(std::span<float> values, Range range) {
    return values.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  std::span<float> hostValues(Range range) const { return part(parts_.values.front(), range); }
  /// Its version of this rank's slice.
  std::span<float> receivedFrom(std::size_t piece, std::size_t host) const {
    const std::size_t ahead = static_cast<std::size_t>(cut_.piecesAhead());
    const std::size_t others = hosts() - 1;
    const std::size_t length = static_cast<std::size_t>(cut_.receivedElements()) / others;
    const std::size_t place = std::cmp_less(host, host_) ? host : host - 1;
    return received_->as<float>().subspan((piece % ahead * others + place) * length,
                                          static_cast<std::size_t>(slice(piece, host_).size()));
  }

  HostSumParts parts_;
  int host_;
  int index_;  ///< of this rank among those of its host
  HostSumCut cut_;
  std::unique_ptr<Communicator> onHost_;
  std::unique_ptr<Communicator> toOwners_;
  std::unique_ptr<Communicator> fromOwners_;
  std::vector<Range> pieces_;
  std::vector<std::size_t> endPieces_;  ///< by bucket
  std::unique_ptr<Buffer> received_;
  std::vector<std::unique_ptr<Request>> slices_;   ///< by piece, on their way to their owners
  std::vector<std::unique_ptr<Request>> results_;  ///< by piece, on their way back
  std::size_t sent_ = 0;                           ///< pieces before this one have left for their owners
  std::size_t added_ = 0;                          ///< pieces before this one are added here
  std::size_t returned_ = 0;                       ///< pieces before this one are summed in this host's memory
  std::unique_ptr<BucketPipeline> pipeline_;
};

}  // namespace

std::unique_ptr<BucketExchange> makeHostSum(HostSumParts parts) {
  return std::make_unique<HostSum>(std::move(parts));
}

}  // namespace slipstream
