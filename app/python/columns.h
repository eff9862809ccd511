#pragma once

#include "app/python/event_cells.h"

#include <nanobind/nanobind.h>

namespace et::python {

/// Returns the columns of a block's data frame by name: numpy arrays with one element per event of the block:
/// of float64 for statistics (NaN if an event has no samples), of bool for `is_delegated_op`, else of
/// objects. Equal texts share one object, as do all empty lists and all empty dictionaries, because a million
/// rows would have millions of them. Also returns `kinds`: indices of rows such that every other row has
/// cells of the same types as one of them.
[[nodiscard]] nanobind::dict columns(const Logged& logged, const inspector::Block& block);

}  // namespace et::python
