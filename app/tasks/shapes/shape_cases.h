#pragma once

#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Where sizes lie.
enum class ShapePlace : std::uint8_t {
    Typical,  ///< that the program was exported with
    Minimum,  ///< a symbol, or all of them
    Maximum,
    Inside,
    Below,     ///< a symbol below its minimum
    Beyond,    ///< a symbol beyond its maximum
    Exchange,  ///< beyond in one dimension, with no more elements than there is room for
    Fixed,     ///< a dimension that no symbol moves has another size
    Relation,  ///< dimensions that belong together have different sizes
};
struct ShapePlaceTraits {
    std::string_view name;
    bool isLegal;
};
[[nodiscard]] const ShapePlaceTraits& traits(ShapePlace place);

enum class ShapeVerdict : std::uint8_t {
    Pass,
    Allowed,    ///< not legal, and as right as the record's graph on these sizes
    Unchecked,  ///< it ran, and there is nothing to compare with
    Fail,
};
/// "pass", "allowed", "unchecked", "fail".
[[nodiscard]] std::string_view shapeVerdictName(ShapeVerdict verdict);

/// Sizes to run, and what came of it.
struct ShapeCase {
    ShapePlace place = ShapePlace::Inside;
    std::string what;                 ///< "s27 = 128", "input 0, dimension 2: 7 instead of 8"
    etrecord::SymbolValues values{};  ///< none where no values give the sizes
    InputSizes sizes{};
    InputSizes before{};  ///< that ran before it in its process; none: it was the first
    ShapeReport report{};
    ShapeVerdict verdict = ShapeVerdict::Pass;
    std::string reason{};  ///< of a failure, or of what else is worth a word
};

/// At, next to, below and beyond each bound, alone and together, and what breaks a relation or a size that is
/// fixed. No sizes twice. Errors: those of sizesAt().
[[nodiscard]] core::Result<std::vector<ShapeCase>> boundCases(const ShapeSpace& space);

/// Legal sizes of one symbol, the others typical, without those that `known` has. Errors: as above.
[[nodiscard]] core::Result<std::vector<ShapeCase>> casesAlong(const ShapeSpace& space,
                                                              std::string_view symbol,
                                                              std::span<const std::int64_t> sizes,
                                                              std::span<const ShapeCase> known);

}  // namespace et::app
