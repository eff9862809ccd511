#pragma once

#include "visualizers/verify/tensor_values.h"

#include <cstddef>
#include <vector>

namespace et::visualizers {

/// An element of a row of scores.
struct RankedElement {
    std::size_t place = 0;  ///< in the row
    double number = 0;
};

/// True if a tensor is one row of scores, like the output of a classifier: floating point, with all elements
/// in the last dimension, three to a million (vocabularies of language models have up to 262,144).
[[nodiscard]] bool isRowOfScores(const TensorValues& tensor);

/// The largest elements in descending order, at most `max`; of equal ones, the first. NaN is ignored.
[[nodiscard]] std::vector<RankedElement> largestElements(const TensorValues& tensor, std::size_t max);

}  // namespace et::visualizers
