// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/fields.h"
#include "engine/spec/network_spec.h"
#include "engine/spec/text.h"

namespace slipstream {

// MindSpore and torchvision mean different functions by the same ResNet. Where a window moves by more than one,
// MindSpore's pad_mode "same" gives an odd row or column of padding to the bottom or the right, torchvision as much to
// each side; and the batch norms of MindSpore's model zoo have another epsilon.

inline const EnumNames<Conventions> conventionWords{{"mindspore", Conventions::mindspore},
                                                    {"torchvision", Conventions::torchvision}};

/// The names of the built-in networks that torchvision has, too.
const std::vector<std::string>& networksOfTorchvision();

/// Whether it has the layers, by name and size, that torchvision's network of its name has; an algorithm may have
/// rewritten them.
bool isOfTorchvision(const NetworkSpec& network);

/// Makes a built-in network compute what torchvision's of the same name does with the same weights. Fails where
/// torchvision has none of the name.
Status followTorchvision(NetworkSpec& network);

/// Whether the layer pads an input of this size unevenly, as MindSpore does and torchvision never.
bool padsAsMindSpore(const LayerSpec& layer, const SampleShape& input);

/// What the network computes otherwise than torchvision would with the same weights; empty where there is nothing.
/// `shape` is the network's.
Text differenceFromTorchvision(const NetworkSpec& network, const NetworkShape& shape);

}  // namespace slipstream
