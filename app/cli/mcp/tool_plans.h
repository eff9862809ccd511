#pragma once

#include "app/cli/mcp/tools.h"

#include <vector>

namespace et::cli::mcp {

using Steps = core::Result<std::vector<Step>>;

[[nodiscard]] Steps planOpen(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planOverview(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planTime(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planMemory(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planSize(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planCorrectness(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planCompare(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planDelegation(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planRun(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planShrink(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planExplain(const Arguments& arguments, const Roots& roots);
[[nodiscard]] Steps planQuery(const Arguments& arguments, const Roots& roots);

}  // namespace et::cli::mcp
