#include "engine/device/cuda/cuda_check.h"
#include "engine/device/cuda/cuda_graph.h"
#include "engine/device/cuda/kernel_stream.h"

namespace slipstream {
namespace {

// Compiled and linked, not yet run on a GPU.

class Graph final : public RecordedWork {
 public:
  explicit Graph(cudaGraph_t written) {
    checkCuda(cudaGraphInstantiate(&graph_, written, 0), "make a graph of what was recorded");
  }
  ~Graph() override { cudaGraphExecDestroy(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch() override { checkCuda(cudaGraphLaunch(graph_, kernelStream()), "start a graph"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

/// Ends the writing down in any case; what was written is destroyed with this. Other threads go on meanwhile: what they
/// do is refused to this one only.
class Capture {
 public:
  Capture() { checkCuda(cudaStreamBeginCapture(kernelStream(), cudaStreamCaptureModeThreadLocal), "begin to record"); }
  ~Capture() {
    if (!ended_ && cudaStreamEndCapture(kernelStream(), &written_) != cudaSuccess) cudaGetLastError();
    if (written_ != nullptr) cudaGraphDestroy(written_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaGraph_t end() {
    ended_ = true;
    checkCuda(cudaStreamEndCapture(kernelStream(), &written_), "end recording");
    return written_;
  }

 private:
  RecordingScope scope_;
  cudaGraph_t written_ = nullptr;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<RecordedWork> captureCudaGraph(const std::function<void()>& work) {
  Capture capture;
  work();
  return std::make_unique<Graph>(capture.end());
}

}  // namespace slipstream
