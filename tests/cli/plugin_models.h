#pragma once

#include "tests/support/program_file.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Programs that need a plugin or never end, and files to put them in.
namespace et::test {

/// A program that hands a float32 tensor of 2x3 to an operator of namespace "my", which only a plugin has.
[[nodiscard]] ProgramSpec pluginProgram(const std::string& name);

/// Operators ("my::crash", "aten::abs"), each with a float32 tensor of 2x3 from the one before.
[[nodiscard]] ProgramSpec chainProgram(const std::vector<std::string>& operators);

/// A program without an end.
[[nodiscard]] ProgramSpec endlessProgram();

void writeText(const std::filesystem::path& path, std::string_view text);
void writeBytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

}  // namespace et::test
