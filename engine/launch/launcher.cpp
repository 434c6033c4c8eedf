// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/launcher.h"

#include "engine/launch/local/local_launcher.h"
#include "engine/launch/ssh/ssh_launcher.h"

namespace slipstream {

std::unique_ptr<Launcher> makeLauncher(const LaunchedAttempt& attempt) {
  return attempt.plan.local ? makeLocalLauncher(attempt) : makeSshLauncher(attempt);
}

}  // namespace slipstream
