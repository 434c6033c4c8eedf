#include "engine/device/cuda/cuda_check.h"
#include "engine/device/cuda/cuda_graph.h"

namespace slipstream {
namespace {

// Compiled and linked, not yet run on a GPU.

class Graph final : public CudaGraph {
 public:
  Graph(cudaGraph_t written, cudaStream_t stream) : stream_(stream) {
    checkCuda(cudaGraphInstantiate(&graph_, written, 0), "make a graph");
  }
  ~Graph() override { cudaGraphExecDestroy(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch() override { checkCuda(cudaGraphLaunch(graph_, stream_), "start a graph"); }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t graph_ = nullptr;
};

/// Ends the writing down in any case; what was written is destroyed with this.
class Capture {
 public:
  explicit Capture(cudaStream_t stream) : stream_(stream) {
    checkCuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "write down a graph");
  }
  ~Capture() {
    if (!ended_ && cudaStreamEndCapture(stream_, &written_) != cudaSuccess) cudaGetLastError();
    if (written_ != nullptr) cudaGraphDestroy(written_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraph_t end() {
    ended_ = true;
    checkCuda(cudaStreamEndCapture(stream_, &written_), "write down a graph");
    return written_;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t written_ = nullptr;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<CudaGraph> captureCudaGraph(CudaStream& stream, const std::function<void()>& work) {
  auto* handle = static_cast<cudaStream_t>(stream.handle());
  Capture capture(handle);
  work();
  return std::make_unique<Graph>(capture.end(), handle);
}

}  // namespace slipstream
