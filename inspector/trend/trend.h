#pragma once

#include "inspector/comparison/statistics.h"
#include "inspector/trend/change_points.h"
#include "inspector/trend/trend_groups.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Changes in the history of a model: when, on which devices, in which operators.
namespace et::inspector {

struct TrendOptions {
    TrendGrouping grouping{};
    double threshold = 0.01;  ///< smaller relative changes of a level are ignored
    /// A change is found in at most 1 - confidence of histories without any change. Higher than for a
    /// comparison, because a history is evaluated after every commit.
    double confidence = 0.99;
    std::uint64_t seed = 0;
};

/// Two levels of a series, in nanoseconds (or ticks).
struct LevelStep {
    double before = 0;  ///< median of the points
    double after = 0;
    std::optional<Interval> ratio{};  ///< of after / before; empty if before is 0
    double probability = 1;           ///< ChangePoint::probability; 1 if it has no change point of its own

    /// Time added to one run.
    [[nodiscard]] double difference() const { return after - before; }
    /// after / before - 1; empty if before is 0.
    [[nodiscard]] std::optional<double> change() const;
};

enum class OperatorPresence : std::uint8_t { Both, Added, Removed };
struct OperatorPresenceInfo {
    OperatorPresence presence;
    std::string_view name;
};
inline constexpr OperatorPresenceInfo operatorPresences[] = {
    {OperatorPresence::Both, "changed"},
    {OperatorPresence::Added, "added"},
    {OperatorPresence::Removed, "removed"},
};
[[nodiscard]] std::string_view name(OperatorPresence presence);

/// Change of an operator.
struct OperatorStep {
    std::size_t index = 0;  ///< in TrendGroup::operators
    OperatorPresence presence = OperatorPresence::Both;
    LevelStep step;
};

/// A change of the times of one group.
struct TrendChange {
    std::size_t group = 0;     ///< in Trend::groups
    std::size_t at = 0;        ///< the first point after it
    std::size_t earliest = 0;  ///< first of the points where it may have begun, with 95 % confidence
    std::size_t latest = 0;
    bool totalMoved = false;  ///< false: only operators changed
    LevelStep total{};
    std::vector<OperatorStep> operators{};  ///< largest effect first
};

/// The history of a model with its changes. Owns everything it refers to.
struct Trend {
    std::string model;
    TrendOptions options;
    std::vector<TrendGroup> groups{};
    std::vector<TrendChange> changes{};  ///< oldest first

    [[nodiscard]] const TrendGroup& groupOf(const TrendChange& change) const { return groups[change.group]; }
    [[nodiscard]] const TrendPoint& pointOf(const TrendChange& change) const {
        return groups[change.group].points[change.at];
    }
    /// True if the last change of the total is an increase, in any group.
    [[nodiscard]] bool slower() const;
    /// slower(), or the last change of an operator is an increase.
    [[nodiscard]] bool anythingSlower() const;
};

/// Consecutive points of a series with one level.
struct Level {
    std::size_t from = 0;
    std::size_t to = 0;  ///< end (exclusive)
    double time = 0;     ///< median

    bool operator==(const Level&) const = default;
};
/// Levels of a group's total, or of one of its operators; empty for an operator without times.
[[nodiscard]] std::vector<Level> levelsOf(const Trend& trend, std::size_t group,
                                          std::optional<std::size_t> operatorIndex = std::nullopt);

/// Minimum number of points for finding changes in a group.
inline constexpr std::size_t minTrendPoints = 6;

/// Finds the changes of a model. Deterministic for the same measurements, options and seed. Errors:
/// InvalidArgument (an invalid threshold or confidence), NotFound (no measurements).
[[nodiscard]] core::Result<Trend> findTrend(const MeasuredModel& model, const TrendOptions& options = {});

}  // namespace et::inspector
