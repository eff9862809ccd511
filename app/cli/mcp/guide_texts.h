#pragma once

#include <string_view>

// Files of integrations/skills, embedded by the build.
namespace et::cli {

[[nodiscard]] std::string_view profileGuide();
[[nodiscard]] std::string_view divergenceGuide();
[[nodiscard]] std::string_view shrinkGuide();
[[nodiscard]] std::string_view quantizeGuide();
[[nodiscard]] std::string_view logGuide();

}  // namespace et::cli
