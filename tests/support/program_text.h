#pragma once

#include "runtime/builder/program_writer.h"
#include "runtime/program/program.h"

#include <string>

namespace et::test {

/// The content of a method as text lines for failure messages. Includes the bytes of tensors and payloads,
/// but not their location in the file.
[[nodiscard]] std::string textOf(const program::Method& method);
[[nodiscard]] std::string textOf(const program::Program& program);

/// Builder content that reproduces this program.
[[nodiscard]] builder::ProgramContent contentOf(const program::Program& program);

}  // namespace et::test
