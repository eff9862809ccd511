#pragma once

#include <string_view>

// What page/*.js, page/page.css and ../history/site/trend.js hold, which the build puts into the program.
namespace et::app {

/// The script of the page, which its policy allows by its hash.
[[nodiscard]] std::string_view pageScript();
[[nodiscard]] std::string_view pageStyle();
/// The script of a model's page in a site of trends.
[[nodiscard]] std::string_view trendScript();

}  // namespace et::app
