#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::app {

/// `text` broken at blanks into lines of at most `width` columns, each after the first indented by `indent`;
/// line breaks of the text stay. A word longer than a line keeps its own line.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace et::app
