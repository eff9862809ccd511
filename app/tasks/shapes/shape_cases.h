#pragma once

#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Position of sizes relative to their bounds.
enum class ShapeCaseKind : std::uint8_t {
    Typical,  ///< the sizes of the export
    Minimum,  ///< one symbol or all of them
    Maximum,
    Inside,
    Below,     ///< a symbol below its minimum
    Beyond,    ///< a symbol above its maximum
    Exchange,  ///< one dimension too large, with no more elements than the memory holds
    Fixed,     ///< a dimension without symbols has a different size
    Relation,  ///< related dimensions have different sizes
};
struct ShapeCaseKindInfo {
    std::string_view name;
    bool isLegal;
};
[[nodiscard]] const ShapeCaseKindInfo& traits(ShapeCaseKind place);

enum class ShapeVerdict : std::uint8_t {
    Pass,
    Allowed,    ///< not legal, but as accurate as the record's graph at these sizes
    Unchecked,  ///< it ran, but there is no reference
    Fail,
};
/// "pass", "allowed", "unchecked", "fail".
[[nodiscard]] std::string_view shapeVerdictName(ShapeVerdict verdict);

/// Sizes to run and their result.
struct ShapeCase {
    ShapeCaseKind place = ShapeCaseKind::Inside;
    std::string what;                 ///< "s27 = 128", "input 0, dimension 2: 7 instead of 8"
    etrecord::SymbolValues values{};  ///< empty if no values produce the sizes
    InputSizes sizes{};
    InputSizes before{};  ///< sizes run before in the same process; none: it was the first
    ShapeReport report{};
    ShapeVerdict verdict = ShapeVerdict::Pass;
    std::string reason{};  ///< of a failure, or another remark
};

/// Cases at, next to, below and above each bound, alone and combined, and cases that violate a relation or a
/// fixed size. No duplicates. Errors: those of sizesAt().
[[nodiscard]] core::Result<std::vector<ShapeCase>> boundCases(const ShapeSpace& space);

/// Legal sizes of one symbol, with typical values for the others, except those in `known`. Errors: as above.
[[nodiscard]] core::Result<std::vector<ShapeCase>> casesAlong(const ShapeSpace& space,
                                                              std::string_view symbol,
                                                              std::span<const std::int64_t> sizes,
                                                              std::span<const ShapeCase> known);

}  // namespace et::tasks
