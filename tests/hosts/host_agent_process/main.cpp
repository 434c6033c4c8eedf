// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for the worker program on a host that is asked with --host.
#include "engine/hosts/host_agent.h"

int main() {
  return slipstream::serveHost("Open MPI v0.0.0");
}
