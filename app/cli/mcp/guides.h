#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

/// A task guide of integrations/skills.
struct Guide {
    std::string name;
    std::string description;
    std::string_view text;  ///< Markdown, without the header
};

[[nodiscard]] const std::vector<Guide>& guides();

}  // namespace et::cli::mcp
