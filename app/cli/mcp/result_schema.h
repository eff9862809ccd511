#pragma once

#include "app/cli/mcp/tools.h"
#include "inspector/format/table.h"

#include <string>

namespace et::cli::mcp {

/// The JSON schema of a tool's structured content.
[[nodiscard]] inspector::format::Dict outputSchemaOf(const Tool& tool);
/// The reference page of tools and results, in Markdown.
[[nodiscard]] std::string toolsPage();

}  // namespace et::cli::mcp
