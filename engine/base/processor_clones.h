// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Before a function: compiles it for AVX-512, AVX2 and the plain processor, and the program takes the best at
/// start-up. An attribute with arguments needs a macro. Under the thread sanitizer there is one version only: the
/// choice would be made before the sanitizer is ready, and crash. clang, which only checks here, cannot clone
/// templates.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define SLIPSTREAM_PROCESSOR_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define SLIPSTREAM_PROCESSOR_CLONES
#endif
