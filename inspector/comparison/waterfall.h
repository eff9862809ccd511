#pragma once

#include "inspector/comparison/comparison.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The way from A's total to B's, part by part.
namespace et::inspector {

enum class WaterfallBy : std::uint8_t { Operator, Module };

struct WaterfallStep {
    std::string name;       ///< of the operator or module; "others", "between operators"
    double change = 0;      ///< nanoseconds (or ticks) of one run, B less A
    std::size_t count = 1;  ///< operators in it
    std::optional<std::size_t>
        row;  ///< into MethodComparison::rows: the one with the largest change; none for the rest
};

/// Starts at `from`, ends at `to`; the steps add up to the difference. What is inside of a call of a delegate
/// stands for the call, and what none of it explains stands under the call's name.
struct Waterfall {
    double from = 0;
    double to = 0;
    std::vector<WaterfallStep> steps{};  ///< largest change first; "others" and "between operators" last
};

/// At most `most` steps beside the last two; further ones are in "others".
[[nodiscard]] Waterfall waterfallOf(const MethodComparison& method, WaterfallBy by, std::size_t most = 12);

}  // namespace et::inspector
