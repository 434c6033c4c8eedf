// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/exchange.h"

#include "engine/boost/algorithms.h"

namespace slipstream {

ExchangeMaker exchangeOf(const UpdateContext& parts) {
  ExchangeMaker chosen;
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::exchange(parts); }) {
      if (!chosen.make) chosen = Algorithm::exchange(parts);
    }
  });
  return chosen;
}

}  // namespace slipstream
