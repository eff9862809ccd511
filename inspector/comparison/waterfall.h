#pragma once

#include "inspector/comparison/comparison.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Decomposes the difference between A's total and B's into steps.
namespace et::inspector {

enum class WaterfallBy : std::uint8_t { Operator, Module };

struct WaterfallStep {
    std::string name;       ///< name of the operator or module; "others", "between operators"
    double change = 0;      ///< nanoseconds (or ticks) of one run, B minus A
    std::size_t count = 1;  ///< number of operators
    std::optional<std::size_t>
        row;  ///< into MethodComparison::rows: the one with the largest change; empty for the last two
};

/// Starts at `from` and ends at `to`; the steps sum to the difference. Operators inside a delegate call
/// replace the call; the unexplained remainder is listed under the call's name.
struct Waterfall {
    double from = 0;
    double to = 0;
    std::vector<WaterfallStep> steps{};  ///< largest change first; "others" and "between operators" last
};

/// At most `most` steps besides the last two; further ones are in "others".
[[nodiscard]] Waterfall makeWaterfall(const MethodComparison& method, WaterfallBy by, std::size_t most = 12);

}  // namespace et::inspector
