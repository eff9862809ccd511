#pragma once

#include "runtime/program/program.h"

#include <cstddef>
#include <random>
#include <vector>

namespace et::fuzz {

/// The same program with a few things changed that a byte flip would not reach past the reader's checks:
/// numbers, dtypes, sizes and dim orders of values, arguments of instructions, operators, places in the
/// memory plan, jumps. Empty where the program cannot be written.
[[nodiscard]] std::vector<std::byte> mutateProgram(const program::Program& program, std::mt19937_64& random);

}  // namespace et::fuzz
