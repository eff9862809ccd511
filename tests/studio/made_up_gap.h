#pragma once

#include <string>

namespace et::test {

/// What `et-inspect gap --format json --bisect` says of three operators, the second of which diverges.
[[nodiscard]] std::string madeUpGap();

/// The same on a second set of inputs too, "random:1", on which the first operator diverges, too, and the
/// second one does not.
[[nodiscard]] std::string madeUpGapOfTwoSets();

}  // namespace et::test
