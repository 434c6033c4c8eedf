// SPDX-License-Identifier: GPL-3.0-or-later
// Empty: a target whose headers are precompiled wants a source.
