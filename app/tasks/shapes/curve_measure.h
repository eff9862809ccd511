#pragma once

#include "app/tasks/shapes/shape_cases.h"
#include "app/tasks/shapes/shape_space.h"
#include "app/tasks/shapes/size_curve.h"
#include "app/tasks/shapes/size_measure.h"
#include "app/tasks/shapes/size_range.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// Time and memory over the sizes of one symbol, the others typical.
struct SizeCurve {
    std::string symbol;
    std::vector<SizeSample> times{};     ///< nanoseconds of one execution
    std::vector<SizeSample> memory{};    ///< bytes that the size takes beside what is planned
    std::uint64_t planned = 0;           ///< bytes that are planned for all sizes
    std::vector<std::uint64_t> peaks{};  ///< of the whole process, in bytes
    std::vector<SizePart> operators{};   ///< nanoseconds
    SizeTrend time{};
    SizeTrend space{};

    /// Nothing for a size that was measured to place a step, and not checked.
    [[nodiscard]] std::optional<double> memoryAt(std::int64_t size) const;
};

/// What a curve is measured of; all but `run` is borrowed.
struct CurveSources {
    SizeMeasure run;
    std::optional<std::size_t> iterations;  ///< of one launch; nothing: see repetitionsFor()
    const ShapeSpace& space;
    const program::Method& method;
    std::span<const ShapeCase> cases;  ///< that were run: no size is measured that does not
};

/// Measures the sizes of a range, and where the time makes a step those between, until it is between
/// neighbours. Ends early when InterruptionGuard is asked to. Starts processes: call it while there are no
/// threads. Errors: those of measureSize() and sizesAt().
[[nodiscard]] core::Result<SizeCurve> measureCurve(const CurveSources& sources, const SizeRange& range);

}  // namespace et::app
