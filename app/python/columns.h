#pragma once

#include "app/python/event_cells.h"

#include <nanobind/nanobind.h>

namespace et::python {

/// The columns of a block's data frame, by name, each as long as the block has events: lists of cells, and
/// float64 arrays for statistics (NaN where an event has no samples). Beside them `kinds`: indices of rows
/// such that every other row has cells of the same types as one of them.
[[nodiscard]] nanobind::dict columns(const Logged& logged, const inspector::Block& block);

}  // namespace et::python
