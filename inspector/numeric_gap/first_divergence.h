#pragma once

#include "inspector/numeric_gap/numeric_gap.h"

namespace et::inspector {

/// Sets firstDivergence: the row of the first instruction that diverges. If there is none, a row with NaN or
/// infinity in only one of runtime and reference diverges.
void findFirstDivergence(NumericGap& gap);

/// Adds a warning that counts values that are not finite, since metrics do not.
void warnOfSpecials(NumericGap& gap);

}  // namespace et::inspector
