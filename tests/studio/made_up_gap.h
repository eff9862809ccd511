#pragma once

#include <string>

namespace et::test {

/// What `et-inspect gap --format json --bisect` says of three operators, the second of which diverges.
[[nodiscard]] std::string madeUpGap();

}  // namespace et::test
