#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/model/size_range.h"
#include "app/tasks/shapes/curve_measure.h"
#include "app/tasks/shapes/shape_cases.h"
#include "app/tasks/shapes/shape_space.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

struct ShapesSettings {
    std::filesystem::path model;
    ModelOptions options;             ///< includes the record, if there is one
    std::vector<SizeRange> ranges{};  ///< ranges to measure; none: the full range of each symbol, up to
                                      ///< maxCurves
    bool checks = true;
    bool curves = true;
    std::optional<std::size_t> iterations{};  ///< per launch; nothing: see repetitionsFor()
    ProgressOptions progress{};

    static constexpr std::size_t maxCurves = 3;
};

/// Adds all options except those of the output.
void addShapesOptions(OptionList& options, ShapesSettings& settings);

struct ShapesResult {
    std::string file;
    ShapeSpace space;
    std::vector<ShapeCase> cases{};
    std::vector<SizeCurve> curves{};
    std::vector<std::string> warnings{};
    bool interrupted = false;

    [[nodiscard]] std::size_t count(ShapeVerdict verdict) const;
};

/// Determines the legal sizes, checks results at, below and above each bound, and measures cost over size.
/// Every run is a separate process. Call while there are no threads. Errors: those of the files and of
/// loading the method; InvalidArgument (a range of an unknown symbol, or outside the legal sizes); those of
/// measureSize().
[[nodiscard]] core::Result<ShapesResult> runShapes(const ShapesSettings& settings);

/// Sets the verdict of each case. Legal sizes must run, match the record's graph and not depend on
/// uninitialized memory. An output may deviate by the rounding tolerance, or by the error that is usual in
/// this program: a multiple of the median error of its legal sizes, within limits. Sizes that are not legal
/// must be an error, unless the graph accepts them too and gives the same result.
void judge(std::span<ShapeCase> cases);

}  // namespace et::tasks
