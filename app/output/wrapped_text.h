#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::output {

/// `text` wrapped at blanks into lines of at most `width` columns, each after the first indented by `indent`;
/// existing line breaks are kept. A word longer than a line gets its own line.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace et::output
