#pragma once

#include <string_view>

// What page/*.js and page/page.css hold, which the build puts into the program.
namespace et::app {

/// The script of the page, which its policy allows by its hash.
[[nodiscard]] std::string_view pageScript();
[[nodiscard]] std::string_view pageStyle();

}  // namespace et::app
