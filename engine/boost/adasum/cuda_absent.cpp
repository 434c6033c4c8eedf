#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"

namespace slipstream {

// No CUDA toolkit was found when this was configured (cmake/Packages.cmake), so there are no kernels to hand out.
template <class T>
const AdasumKernels<T>& cudaAdasumKernels() {
  throw Error("this build has no CUDA");
}
template const AdasumKernels<float>& cudaAdasumKernels<float>();
template const AdasumKernels<double>& cudaAdasumKernels<double>();

}  // namespace slipstream
