#pragma once

#include "backends/xnnpack/quantize/prepared_model.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// Why the numbers of a site's values do not suit static scales.
struct RangeRule {
    std::size_t site = 0;
    bool isPossible = false;  ///< scales exist, but the site's result is lost
    std::string text;         ///< "-inf of its constant "mask" does not fit ..."
};

/// Finds sites of an annotation whose numbers do not suit static scales: values without finite numbers, or
/// with infinities or NaN, and steps that round every number of an added or concatenated operand to 0, such
/// as scores under a mask of -3.4e38. The model must have been calibrated with the annotation. At most one
/// rule per site, in graph order.
[[nodiscard]] std::vector<RangeRule> rangeRules(const PreparedModel& model, const Annotation& annotation,
                                                const Observations& observations);

}  // namespace et::backends::xnnpack
