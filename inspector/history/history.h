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

// What was measured of one model in the course of time.
namespace et::inspector {

/// An operator, as it is found again in other traces: by its name, and by the how-manieth of that name it is.
struct TrackedOperator {
    std::string name{};
    OperatorKind kind = OperatorKind::Kernel;
    std::string backend{};         ///< of a delegate; empty: none or unknown
    std::uint32_t occurrence = 0;  ///< among those of its method with the same name, kind and backend

    auto operator<=>(const TrackedOperator&) const = default;
};
/// "convolution.out", "convolution.out (3rd)".
[[nodiscard]] std::string text(const TrackedOperator& key);

/// The keys of the operators of a method, in their order.
[[nodiscard]] std::vector<TrackedOperator> keysOf(const MethodTimes& method);

/// Labels of a measurement: device, threads, ...
using Tags = std::map<std::string, std::string>;

/// One measurement of one method.
struct HistoryEntry {
    std::string measured{};  ///< UTC; entries are in this order
    std::string commit{};    ///< empty: not known
    Tags tags{};
    std::string method{};
    bool cycles = false;     ///< times are ticks, not nanoseconds
    std::uint64_t runs = 0;  ///< that `total` is of
    double total = 0;        ///< median of the runs
    std::string trace{};  ///< path of the trace, as it was when it was taken in; empty: another kind of file
    std::vector<std::pair<std::uint32_t, double>> operators{};  ///< index in MeasuredModel::operators, median
};

/// All measurements of a model.
struct MeasuredModel {
    std::string name;
    std::vector<TrackedOperator> operators;
    std::vector<HistoryEntry> entries;  ///< oldest first
};

/// What stands for the commit among the names that measurements are grouped by.
inline constexpr std::string_view commitKey = "commit";

/// A point of a history: all measurements of a commit on one kind of device, or one measurement.
struct HistoryPoint {
    std::string commit{};    ///< empty: not known, or measurements are not grouped by it
    std::string measured{};  ///< UTC, of the first
    std::size_t measurements = 0;
    std::uint64_t runs = 0;
    double total = 0;                   ///< median of the measurements' medians
    std::vector<std::string> traces{};  ///< paths of traces among the measurements, as they were then

    bool operator==(const HistoryPoint&) const = default;
};

/// An operator at the points of a group.
struct OperatorHistory {
    TrackedOperator key;
    std::vector<double> times;  ///< one a point: median; NaN where it did not run
};

/// One method on one kind of device.
struct HistoryGroup {
    std::string name;  ///< values of the tags it is grouped by: "pixel8", "pixel8, 4"; empty: of none
    std::string method;
    bool cycles = false;
    std::vector<HistoryPoint> points{};  ///< oldest first
    std::size_t leftOut = 0;             ///< older points
    std::vector<OperatorHistory> operators{};
};

struct HistoryOptions {
    /// Names of tags, and "commit" to make one point of all measurements of a commit in a group.
    std::vector<std::string> by{"device", std::string(commitKey)};
    std::size_t maxPoints = 500;  ///< of a group: the latest
};

/// A model's measurements as series, groups by name and then method. Measurements without a tag that they are
/// grouped by are a group named "(none)".
[[nodiscard]] std::vector<HistoryGroup> groupHistory(const MeasuredModel& model,
                                                     const HistoryOptions& options);

}  // namespace et::inspector
