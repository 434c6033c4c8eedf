// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/memory_kinds.h"

#include <QCoreApplication>

namespace slipstream::ui {
namespace {

struct Memory {
  Q_DECLARE_TR_FUNCTIONS(Memory)
};

}  // namespace

std::vector<MemoryKind> memoryKinds() {
  return {{"activations", Memory::tr("Activations"), Part::compute},
          {"weights", Memory::tr("Weights"), Part::optimizer},
          {"gradients", Memory::tr("Gradients"), Part::checkpoint},
          {"boost", Memory::tr("Boost buffers"), Part::communication},
          {"optimizer_state", Memory::tr("Optimizer state"), Part::recording},
          {"gather", Memory::tr("Gather buffers"), Part::gather},
          {"data", Memory::tr("Data"), Part::waiting}};
}

}  // namespace slipstream::ui
