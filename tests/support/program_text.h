#pragma once

#include "runtime/builder/program_writer.h"
#include "runtime/program/program.h"

#include <string>

namespace et::test {

/// All that a method says, as lines that a failing test can show. Where the file keeps the data of a tensor
/// or a payload is not part of it; the bytes are.
[[nodiscard]] std::string textOf(const program::Method& method);
[[nodiscard]] std::string textOf(const program::Program& program);

/// What to write to get this program again.
[[nodiscard]] builder::ProgramContent contentOf(const program::Program& program);

}  // namespace et::test
