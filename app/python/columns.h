#pragma once

#include "app/python/event_cells.h"

#include <nanobind/nanobind.h>

namespace et::python {

/// The columns of a block's data frame, by name: numpy arrays, each as long as the block has events: of
/// float64 for statistics (NaN where an event has no samples), of bool for `is_delegated_op`, else of
/// objects. Equal texts are one object, and so are all empty lists and all empty dictionaries: a million rows
/// would have millions of them. Beside them `kinds`: indices of rows such that every other row has cells of
/// the same types as one of them.
[[nodiscard]] nanobind::dict columns(const Logged& logged, const inspector::Block& block);

}  // namespace et::python
