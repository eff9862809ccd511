#pragma once

#include "inspector/comparison/statistics.h"
#include "inspector/history/change_points.h"
#include "inspector/history/history.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What changed in the history of a model: when, on which devices, by which operators.
namespace et::inspector {

struct TrendOptions {
    HistoryOptions history{};
    double threshold = 0.01;  ///< changes of a level by a smaller part do not count
    /// Of histories without any change, one is found in no more than 1 - confidence. A history is looked at
    /// after every commit: that is why it is higher than that of a comparison.
    double confidence = 0.99;
    std::uint64_t seed = 0;
};

/// Two levels of a series, nanoseconds (or ticks).
struct LevelStep {
    double before = 0;  ///< median of the points
    double after = 0;
    std::optional<Interval> ratio{};  ///< of after / before; nothing where before is 0
    double probability = 1;           ///< ChangePoint::probability; 1 where it has no change point of its own

    /// What it adds to one run.
    [[nodiscard]] double difference() const { return after - before; }
    /// after / before - 1; nothing where before is 0.
    [[nodiscard]] std::optional<double> change() const;
};

enum class OperatorPresence : std::uint8_t { Both, Added, Removed };
struct OperatorPresenceTraits {
    OperatorPresence presence;
    std::string_view name;
};
inline constexpr OperatorPresenceTraits operatorPresences[] = {
    {OperatorPresence::Both, "changed"},
    {OperatorPresence::Added, "added"},
    {OperatorPresence::Removed, "removed"},
};
[[nodiscard]] std::string_view name(OperatorPresence presence);

/// An operator that changed.
struct OperatorStep {
    std::size_t index = 0;  ///< in HistoryGroup::operators
    OperatorPresence presence = OperatorPresence::Both;
    LevelStep step;
};

/// A change of the times of one group.
struct TrendChange {
    std::size_t group = 0;     ///< in Trend::groups
    std::size_t at = 0;        ///< the first point behind it
    std::size_t earliest = 0;  ///< it began at one of these points, with 95 % confidence
    std::size_t latest = 0;
    bool totalMoved = false;  ///< false: of operators alone, which the total does not show
    LevelStep total{};
    std::vector<OperatorStep> operators{};  ///< largest effect first
};

/// The history of a model with its changes. Owns all it speaks of.
struct Trend {
    std::string model;
    TrendOptions options;
    std::vector<HistoryGroup> groups{};
    std::vector<TrendChange> changes{};  ///< oldest first

    [[nodiscard]] const HistoryGroup& groupOf(const TrendChange& change) const {
        return groups[change.group];
    }
    [[nodiscard]] const HistoryPoint& pointOf(const TrendChange& change) const {
        return groups[change.group].points[change.at];
    }
    /// The last change of a total is one to the worse, in any group.
    [[nodiscard]] bool slower() const;
    /// That, or the last change of an operator is.
    [[nodiscard]] bool anythingSlower() const;
};

/// Points of a series that have one level.
struct Level {
    std::size_t from = 0;
    std::size_t to = 0;  ///< the first point behind it
    double time = 0;     ///< median

    bool operator==(const Level&) const = default;
};
/// The levels of the total of a group, or of one of its operators; of an operator without times at all none.
[[nodiscard]] std::vector<Level> levelsOf(const Trend& trend, std::size_t group,
                                          std::optional<std::size_t> operatorIndex = std::nullopt);

/// Groups shorter than this have no changes.
inline constexpr std::size_t minTrendPoints = 6;

/// Finds the changes of a model. The same measurements, options and seed give the same answer. Errors:
/// InvalidArgument (a threshold or confidence that makes no sense), NotFound (no measurements).
[[nodiscard]] core::Result<Trend> findTrend(const MeasuredModel& model, const TrendOptions& options = {});

}  // namespace et::inspector
