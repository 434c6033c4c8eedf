#include "engine/comm/nccl_library.h"

#include <dlfcn.h>

namespace slipstream {
namespace {

constexpr const char* fileName = "libnccl.so.2";

class Finding {
 public:
  Finding() : library_(::dlopen(fileName, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) missing_ = ::dlerror();
  }

  template <class Function>
  void find(Function& function, const char* name) {
    if (library_ == nullptr) return;
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = std::string(fileName) + " has no " + name;
  }

  const std::string& missing() const { return missing_; }

 private:
  void* library_;  ///< stays open until the process ends
  std::string missing_;
};

NcclLibrary found() {
  Finding finding;
  NcclLibrary library;
  finding.find(library.getUniqueId, "ncclGetUniqueId");
  finding.find(library.initRank, "ncclCommInitRank");
  finding.find(library.destroy, "ncclCommDestroy");
  finding.find(library.abort, "ncclCommAbort");
  finding.find(library.getAsyncError, "ncclCommGetAsyncError");
  finding.find(library.getErrorString, "ncclGetErrorString");
  finding.find(library.allReduce, "ncclAllReduce");
  finding.find(library.allGather, "ncclAllGather");
  finding.find(library.broadcast, "ncclBroadcast");
  finding.find(library.send, "ncclSend");
  finding.find(library.receive, "ncclRecv");
  finding.find(library.groupStart, "ncclGroupStart");
  finding.find(library.groupEnd, "ncclGroupEnd");
  library.missing = finding.missing();
  return library;
}

}  // namespace

const NcclLibrary& ncclLibrary() {
  static const NcclLibrary library = found();
  return library;
}

}  // namespace slipstream
