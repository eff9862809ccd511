#pragma once

#include "inspector/numeric_gap/numeric_gap.h"

namespace et::inspector {

/// Sets NumericGap::firstDivergence to the row of the first instruction that diverges. If none does, the
/// first row with NaN or infinity on only one side counts as diverging.
void findFirstDivergence(NumericGap& gap);

/// Adds a warning that counts values that are not finite, since metrics do not.
void warnOfSpecials(NumericGap& gap);

}  // namespace et::inspector
