#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/core/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Measurements of one model over time.
namespace et::inspector {

/// Identity of an operator across traces: its name, and its index among operators of that name.
struct TrackedOperator {
    std::string name{};
    OperatorKind kind = OperatorKind::Kernel;
    std::string backend{};         ///< of a delegate; empty: none or unknown
    std::uint32_t occurrence = 0;  ///< index among those of its method with the same name, kind and backend

    auto operator<=>(const TrackedOperator&) const = default;
};
/// "convolution.out", "convolution.out (3rd)".
[[nodiscard]] std::string text(const TrackedOperator& key);

/// Keys of the operators of a method, in order.
[[nodiscard]] std::vector<TrackedOperator> keysOf(const MethodTimes& method);

/// Labels of a measurement: device, threads, ...
using Tags = std::map<std::string, std::string>;

/// One measurement of one method.
struct TrendEntry {
    std::string measured{};  ///< UTC; entries are sorted by it
    std::string commit{};    ///< empty: unknown
    Tags tags{};
    std::string method{};
    bool cycles = false;     ///< times are ticks, not nanoseconds
    std::uint64_t runs = 0;  ///< number of runs in `total`
    double total = 0;        ///< median of the runs
    std::string trace{};     ///< path of the trace when it was imported; empty: another kind of file
    std::vector<std::pair<std::uint32_t, double>> operators{};  ///< index into MeasuredModel::operators,
                                                                ///< median
};

/// All measurements of a model.
struct MeasuredModel {
    std::string name;
    std::vector<TrackedOperator> operators;
    std::vector<TrendEntry> entries;  ///< oldest first
};

/// Placeholder for the commit among the grouping tags.
inline constexpr std::string_view commitKey = "commit";

/// A point of a history: all measurements of a commit on one kind of device, or a single measurement.
struct TrendPoint {
    std::string commit{};    ///< empty: unknown, or measurements are not grouped by it
    std::string measured{};  ///< UTC, of the first measurement
    std::size_t measurements = 0;
    std::uint64_t runs = 0;
    double total = 0;                   ///< median of the measurements' medians
    std::vector<std::string> traces{};  ///< paths of traces among the measurements, when they were imported

    bool operator==(const TrendPoint&) const = default;
};

/// Times of an operator at the points of a group.
struct OperatorTrend {
    TrackedOperator key;
    std::vector<double> times;  ///< one per point: median; NaN if it did not run
};

/// One method on one kind of device.
struct TrendGroup {
    std::string name;  ///< values of its grouping tags: "pixel8", "pixel8, 4"; empty: no tags
    std::string method;
    bool cycles = false;
    std::vector<TrendPoint> points{};  ///< oldest first
    std::size_t leftOut = 0;           ///< older points
    std::vector<OperatorTrend> operators{};
};

struct TrendGrouping {
    /// Names of tags; "commit" combines all measurements of a commit in a group into one point.
    std::vector<std::string> by{"device", std::string(commitKey)};
    std::size_t maxPoints = 500;  ///< per group: the latest
};

/// A model's measurements as series; groups are sorted by name, then method. Measurements without a grouping
/// tag form a group named "(none)".
[[nodiscard]] std::vector<TrendGroup> groupTrend(const MeasuredModel& model, const TrendGrouping& options);

}  // namespace et::inspector
