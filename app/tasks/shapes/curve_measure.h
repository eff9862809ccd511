#pragma once

#include "app/tasks/model/size_range.h"
#include "app/tasks/shapes/shape_cases.h"
#include "app/tasks/shapes/shape_space.h"
#include "app/tasks/shapes/size_curve.h"
#include "app/tasks/shapes/size_measure.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Time and memory over the sizes of one symbol, with typical sizes for the others.
struct SizeCurve {
    std::string symbol;
    std::vector<SizeSample> times{};     ///< nanoseconds per execution
    std::vector<SizeSample> memory{};    ///< bytes used in addition to the planned memory
    std::uint64_t planned = 0;           ///< bytes planned for all sizes
    std::vector<std::uint64_t> peaks{};  ///< peak of the whole process in bytes
    std::vector<SizePart> operators{};   ///< nanoseconds
    SizeTrend time{};
    SizeTrend space{};

    /// Nothing for a size that was measured only to locate a step and not checked.
    [[nodiscard]] std::optional<double> memoryAt(std::int64_t size) const;
};

/// Inputs of a curve measurement; everything except `run` is borrowed.
struct CurveSources {
    SizeMeasure run;
    std::optional<std::size_t> iterations;  ///< per launch; nothing: see repetitionsFor()
    const ShapeSpace& space;
    const program::Method& method;
    std::span<const ShapeCase> cases;  ///< cases that were run; sizes that fail are not measured
};

/// Measures the sizes of a range. If the time has a step, also measures sizes in between until it is located
/// between adjacent sizes. Ends early if InterruptionGuard requests it. Starts processes: call while there
/// are no threads. Errors: those of measureSize() and sizesAt().
[[nodiscard]] core::Result<SizeCurve> measureCurve(const CurveSources& sources, const SizeRange& range);

}  // namespace et::tasks
