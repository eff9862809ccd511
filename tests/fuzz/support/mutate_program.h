#pragma once

#include "runtime/program/program.h"

#include <cstddef>
#include <random>
#include <vector>

namespace et::fuzz {

/// Returns the same program with some structured changes that byte flips would not get past the reader's
/// checks: scalars, dtypes, sizes and dim orders of values, arguments of instructions, operators, offsets in
/// the memory plan, jumps. Empty if the program cannot be written.
[[nodiscard]] std::vector<std::byte> mutateProgram(const program::Program& program, std::mt19937_64& random);

}  // namespace et::fuzz
