#pragma once

#include <string_view>

// Names of a package's members, which the format fixes.
namespace et::native::detail {

inline constexpr std::string_view graphMember = "program.ptg";
inline constexpr std::string_view tensorsMember = "program.safetensors";
inline constexpr std::string_view aliasesMember = "aliases.json";

}  // namespace et::native::detail
