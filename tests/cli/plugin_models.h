#pragma once

#include "tests/support/program_file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Programs that need a plugin or never terminate, and helpers to write files.
namespace et::test {

/// A program that passes a float32 tensor of 2x3 to an operator of namespace "my", which requires a plugin.
[[nodiscard]] ProgramSpec pluginProgram(const std::string& name);

/// A chain of operators ("my::crash", "aten::abs"), each with the previous one's float32 tensor of 2x3.
[[nodiscard]] ProgramSpec chainProgram(const std::vector<std::string>& operators);

/// A program that never terminates.
[[nodiscard]] ProgramSpec endlessProgram();

void writeText(const std::filesystem::path& path, std::string_view text);
void writeBytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

}  // namespace et::test
