#pragma once

#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/shapes/shape_cases.h"
#include "app/tasks/shapes/shape_space.h"
#include "app/tasks/shapes/size_curve.h"
#include "app/tasks/shapes/size_measure.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What --dim says: NAME=FIRST..LAST[:STEP].
struct SizeRange {
    std::string symbol;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t step = 0;  ///< 0: as many sizes as usual
};
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<SizeRange> sizeRangeOf(std::string_view text);

struct ShapesSettings {
    std::filesystem::path model;
    ModelOptions options;             ///< with the record, if there is one
    std::vector<SizeRange> ranges{};  ///< to measure; none: all of each symbol, up to maxCurves
    bool checks = true;
    bool curves = true;
    std::optional<std::size_t> iterations{};  ///< of one launch; nothing: see repetitionsFor()
    ProgressOptions progress{};

    static constexpr std::size_t maxCurves = 3;
    static constexpr std::size_t usualSizes = 17;
};

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
};

struct ShapesResult {
    std::string file;
    ShapeSpace space;
    std::vector<ShapeCase> cases{};
    std::vector<SizeCurve> curves{};
    std::vector<std::string> warnings{};
    bool interrupted = false;

    [[nodiscard]] std::size_t count(ShapeVerdict verdict) const;
};

/// What is legal, whether it is right at, below and beyond each bound, and what it costs over the size. Every
/// run is a process of its own. Call it while there are no threads. Errors: those of the files and of loading
/// the method; InvalidArgument (a range of no symbol, or beyond what is legal); those of measureSize().
[[nodiscard]] core::Result<ShapesResult> runShapes(const ShapesSettings& settings);

}  // namespace et::app
