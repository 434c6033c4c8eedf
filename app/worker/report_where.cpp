// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/worker/modes.h"
#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/this_host.h"

namespace slipstream::worker {

int sayWhere() {
  const auto threads = parseInteger(environment("OMP_NUM_THREADS").value_or(""));
  std::cout << nlohmann::json{{"host", hostName()},
                              {"pid", ::getpid()},
                              {"threads", threads.value_or(0)},
                              {"cores", coresOnHost()}}
            << "\n";
  return 0;
}

}  // namespace slipstream::worker
