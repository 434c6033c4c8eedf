// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "engine/cuda/cuda_check.h"
#include "engine/cuda/cuda_graph.h"

namespace slipstream {
namespace {

/// The driver takes memory of its own for it, beside the pool: all of it here, so that no later step is the one that
/// finds none left.
class Graph final : public RecordedWork {
 public:
  Graph(CudaQueue& queue, cudaGraph_t written) : Graph(queue) {
    queue_.withRelief([&] { return cudaGraphInstantiate(&graph_, written, 0); }, "make a graph of what was recorded");
    queue_.withRelief([&] { return cudaGraphUpload(graph_, queue_.stream()); }, "put a graph into the GPU's memory");
  }
  ~Graph() override {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch() override {
    queue_.withRelief([&] { return cudaGraphLaunch(graph_, queue_.stream()); }, "start a graph");
  }

 private:
  explicit Graph(CudaQueue& queue) : queue_(queue) {}  ///< whatever fails behind it, the destructor runs

  CudaQueue& queue_;
  cudaGraphExec_t graph_ = nullptr;
};

/// Ends the writing down in any case; what was written is destroyed with this. Other threads go on meanwhile: what they
/// do is refused to this one only.
class Capture {
 public:
  explicit Capture(const CudaQueue& queue) : queue_(queue) {
    checkCuda(cudaStreamBeginCapture(queue_.stream(), cudaStreamCaptureModeThreadLocal), "begin to record");
  }
  ~Capture() {
    if (!ended_ && cudaStreamEndCapture(queue_.stream(), &written_) != cudaSuccess) cudaGetLastError();
    if (written_ != nullptr) cudaGraphDestroy(written_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// The thread records no more: what is made of the graph may ask for memory.
  cudaGraph_t end() {
    ended_ = true;
    scope_.reset();
    checkCuda(cudaStreamEndCapture(queue_.stream(), &written_), "end recording");
    return written_;
  }

 private:
  const CudaQueue& queue_;
  std::optional<RecordingScope> scope_{std::in_place};
  cudaGraph_t written_ = nullptr;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<RecordedWork> captureCudaGraph(CudaQueue& queue, const std::function<void()>& work) {
  Capture capture(queue);
  work();
  return std::make_unique<Graph>(queue, capture.end());
}

}  // namespace slipstream
