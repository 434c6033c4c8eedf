// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/dim_reduce.h"

#include "engine/boost/dim_reduce/subspace_update.h"

namespace slipstream {

std::unique_ptr<Update> makeDimReduce(const UpdateParts& parts) {
  const bool bfgs = parts.experiment.boost.dimReduceMethod == DimReduceMethod::bfgs;
  return bfgs ? makeSubspaceBfgs(parts) : makeSubspaceSgd(parts);
}

}  // namespace slipstream
