// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

struct LessBnOptions {
  static constexpr const char* algorithm = "less_bn";
  bool fnFlag = true;
  bool gcFlag = true;
  int removedBatchNorms = 0;  ///< known once the network is

  static std::vector<BoostOption> keys() {
    return {option("fn_flag", "Normalised head", &LessBnOptions::fnFlag,
                   "replace the last dense layer by a normalised one"),
            option("gc_flag", "Centralised gradients", &LessBnOptions::gcFlag, "centralise gradients")};
  }
};

/// It rewrites the network while the run is planned, so that forecast, plan and workers see the same one.
struct LessBnAlgorithm {
  static AlgorithmSpec spec();
};

/// A network after a rewrite, and what was done to it.
struct NetworkRewrite {
  NetworkSpec network;
  std::vector<std::string> removedBatchNorms;  ///< names, in forward order
  std::string replacedHead;                    ///< name of the dense layer; empty where none was replaced

  /// "removed 2 batch norms (layer1.0.bn1, layer1.0.bn2); end_point became a normalised dense layer"; "nothing changed"
  std::string text() const;
};

/// Removes the two inner batch norms of every bottleneck block: of a sum whose first operand (`from`) ends a branch
/// conv2d - batch_norm - relu - conv2d - batch_norm - relu - conv2d - batch_norm, and whose second is the branch's
/// input or its projection (conv2d - batch_norm). `replaceHead` (MindSpore's fn_flag): the last dense layer becomes a
/// normalised one of the same name, without bias. The network must be valid (networkShape).
NetworkRewrite lessBn(const NetworkSpec& network, bool replaceHead);

}  // namespace slipstream
