#pragma once

#include "app/output/cells.h"

namespace et::output {

/// Shortens information for people: long lists of similar items become one line per kind, with their number
/// and the sums of their numeric members: "delegates" become "delegates_by_backend", "segments"
/// "segments_by_use", tensors of layers "tensors_by_name" ("layers.*.wq.weight"); "named_data", whose names
/// are hashes, is reduced to number and bytes. Applies at any depth.
[[nodiscard]] Dict summed(Dict info);

}  // namespace et::output
