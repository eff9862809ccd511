#pragma once

#include "visualizers/tests/tensor_values.h"

#include <cstddef>
#include <vector>

namespace et::visualizers {

/// An element of a row of scores.
struct RankedElement {
    std::size_t place = 0;  ///< in the row
    double number = 0;
};

/// Whether a tensor is one row of scores, as those of a classifier: floating point, and all its elements lie
/// in its last dimension, three to a million (vocabularies of language models have up to 262,144).
[[nodiscard]] bool isRowOfScores(const TensorValues& tensor);

/// The largest elements, the largest first, at most `max`; of equals the first. NaN is none of them.
[[nodiscard]] std::vector<RankedElement> largestElements(const TensorValues& tensor, std::size_t max);

}  // namespace et::visualizers
