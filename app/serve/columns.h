#pragma once

#include "app/serve/event_cells.h"

namespace et::serve {

/// Returns the columns of a block's data frame by name, from which et_inspect._columns assembles numpy arrays
/// without a loop over rows: arrays of numbers; (codes, values) of columns with few distinct values, where -1
/// is None; (codes, values, numbers) of identifiers, where -2 is the number; (offsets, numbers) of lists.
/// Equal values share one object, because a million rows would have millions of them. Also `kinds`: indices
/// of rows such that every other row has cells of the same types as one of them.
[[nodiscard]] Dict columns(const Logged& logged, const inspector::Block& block);

}  // namespace et::serve
