#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/native/package.h"

namespace et::fuzz {

/// Reads a package (.ptn), and uses all that a valid one has. Returns whether it is valid; traps if its graph
/// does not survive a write and read.
bool drivePackage(core::Bytes bytes);

/// Likewise for a graph (program.ptg) alone.
bool driveNativeGraph(core::Bytes bytes);

}  // namespace et::fuzz
