#pragma once

#include <string_view>

// Contents of page/*.js, page/page.css and ../trend/site/trend.js, which the build embeds into the program.
namespace et::output {

/// The script of the page, allowed by its hash in the policy.
[[nodiscard]] std::string_view pageScript();
[[nodiscard]] std::string_view pageStyle();
/// The script of a model's page in a site of trends.
[[nodiscard]] std::string_view trendScript();

}  // namespace et::output
