#pragma once

#include <string>

namespace et::test {

/// Output of `et-inspect gap --format json --bisect` for three operators, the second of which diverges.
[[nodiscard]] std::string madeUpGap();

/// Same as madeUpGap(), with a second input set "random:1" on which the first operator diverges and the
/// second does not.
[[nodiscard]] std::string madeUpGapOfTwoSets();

}  // namespace et::test
