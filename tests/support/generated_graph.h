#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <memory>

namespace et::test {

/// Builds a model graph like that of a record: modules of 5 blocks of 10 nodes; each block adds its input to
/// its result.
[[nodiscard]] std::shared_ptr<const core::ModelGraph> generatedGraph(std::size_t nodes);

}  // namespace et::test
