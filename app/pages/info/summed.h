#pragma once

#include "inspector/format/table.h"

namespace et::app {

/// For people: long lists of things of a kind become a line a kind, with how many there are and the sums of
/// their numbers: "delegates" become "delegates_by_backend", "segments" "segments_by_use", tensors of layers
/// "tensors_by_name" ("layers.*.wq.weight"), and of "named_data", whose names are hashes, only number and
/// bytes are left. At any depth.
[[nodiscard]] inspector::report::Dict summed(inspector::report::Dict info);

}  // namespace et::app
