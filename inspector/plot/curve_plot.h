#pragma once

#include "inspector/format/quantities.h"
#include "inspector/plot/frame.h"

#include <optional>
#include <string>
#include <vector>

namespace et::inspector::plot {

/// A place on the x axis where a curve changes.
struct CurveStep {
    double at = 0;
    std::string cause{};  ///< may be empty
};

/// A quantity measured over a size, drawn from 0, or from its smallest value if that is negative.
struct Curve {
    std::string title{};  ///< first line above the plot; may be empty
    std::string note{};   ///< second line
    std::string axis{};   ///< name of the size; empty: the x axis has no labels
    format::Measure measure = format::Measure::Nanoseconds;
    std::vector<Point> samples{};    ///< size and value, sorted by size
    std::vector<Point> fit{};        ///< ends of the fitted line; empty: none
    std::vector<CurveStep> steps{};  ///< drawn as vertical lines
    std::optional<double> chosen{};  ///< size of a sample that is drawn larger
};

/// Adds a curve to a scene; its items are the samples, in order.
void addCurve(Scene& scene, const Frame& frame, const Curve& curve);

}  // namespace et::inspector::plot
