// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

namespace metric {
inline constexpr const char* orthogonality = "orthogonality/*";
inline constexpr const char* cosine = "cosine/*";
}  // namespace metric

inline constexpr std::array adasumMetrics{MetricInfo{.name = metric::orthogonality,
                                                     .title = "Orthogonality",
                                                     .by = ReportedBy::algorithm,
                                                     .isShareOfRanks = true,
                                                     .standsInFor = metric::evaluationLoss},
                                          algorithmMetric(metric::cosine, "Cosine")};

enum class AdasumMode { deltas, gradients };
enum class AdasumScope { automatic, flat, servers };
/// How ranks exchange what Adasum combines; the result is the same.
enum class AdasumExchange { automatic, window, halving, gram };

struct AdasumOptions {
  static constexpr const char* algorithm = "adasum";
  AdasumMode mode = AdasumMode::deltas;
  AdasumScope scope = AdasumScope::automatic;
  AdasumExchange exchange = AdasumExchange::automatic;

  static std::vector<BoostOption> keys();
};

inline std::vector<BoostOption> AdasumOptions::keys() {
  const EnumNames<AdasumMode> modes{{"deltas", AdasumMode::deltas}, {"gradients", AdasumMode::gradients}};
  const EnumNames<AdasumScope> scopes{
      {"auto", AdasumScope::automatic}, {"flat", AdasumScope::flat}, {"servers", AdasumScope::servers}};
  const EnumNames<AdasumExchange> exchanges{{"auto", AdasumExchange::automatic},
                                            {"window", AdasumExchange::window},
                                            {"halving", AdasumExchange::halving},
                                            {"gram", AdasumExchange::gram}};
  return {option("mode", "Apply to", &AdasumOptions::mode, modes,
                 "deltas: after a local optimizer step; gradients: before a common one"),
          option("scope", "Scope", &AdasumOptions::scope, scopes,
                 "flat: over all ranks; servers: mean inside a server, Adasum between"),
          option("exchange", "Collective", &AdasumOptions::exchange, exchanges,
                 "how tensors travel; the result is the same")};
}

struct AdasumAlgorithm {
  static AlgorithmSpec spec();
  static ExchangeMaker exchange(const UpdateContext& parts);
  static void addCpuKernels(KernelTables& tables);
  static void addCudaKernels(KernelTables& tables);
  static void addNpuKernels(KernelTables& tables);
  static void checkKernels(KernelCheck& check);
};

/// Every rank or server steps with an optimizer of its own, and what is combined is how far it went.
bool combinesDeltas(const BoostConfig& boost);

/// What `automatic` means: shared memory where there is some; else the Gram form, whose dot products grow with the
/// square of the leaves, up to 16 leaves, and halving beyond (measured: boost/adasum/README.md).
AdasumExchange chooseExchange(AdasumExchange asked, bool sharedMemory, int leaves);

/// By messages, neighbouring buckets are exchanged together until a rank's slice has so many bytes: every round of
/// messages waits for all ranks, which costs more than the cache saves.
inline constexpr std::int64_t adasumRoundBytes = std::int64_t{4} << 20;

/// Bytes that Adasum holds on the rank that holds most of them, beside gradients, weights and optimizer state. With L
/// leaves (ranks, or servers) that exchange, T tensors and G = L (L + 1) / 2 dot products a tensor:
/// - window: three times the dot products of every tensor, 24 T G
/// - gram: the other leaves' versions of a rank's slice of the largest round, and for its tensors 16 G (1 + L) each
/// - halving: half of the largest round
/// - mode deltas: a copy of the largest bucket's weights; with shards of the largest tensor's part
/// 0 where Adasum is off or has one leaf.
std::int64_t adasumBytes(const RunPlan& plan, const NetworkShape& shape);

}  // namespace slipstream
