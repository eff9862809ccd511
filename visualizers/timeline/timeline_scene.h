#pragma once

#include "visualizers/timeline/timeline.h"
#include "visualizers/timeline/timeline_counters.h"
#include "visualizers/timeline/timeline_difference.h"
#include "visualizers/timeline/timeline_memory.h"
#include "visualizers/timeline/timeline_pin.h"

#include <QString>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// A span of one of the timelines of a scene.
struct SpanRef {
    std::size_t layer = 0;
    std::size_t lane = 0;
    std::size_t span = 0;  ///< among Lane::spans()
    bool operator==(const SpanRef&) const = default;
};

/// Areas below the first timeline: its memory (null: none), then its counters.
struct TimelineAreas {
    std::shared_ptr<const TimelineMemory> memory{};
    std::vector<TimelineCounter> counters{};
};

/// One timeline, or two below each other, where the second is aligned so that a given execution starts at the
/// same position in both. Times are ticks from the origin of the first. Handles search and navigation between
/// spans.
class TimelineScene {
  public:
    struct Layer {
        std::shared_ptr<const Timeline> timeline{};
        QString name{};
        double shift = 0;                ///< ticks to add to its times
        std::vector<bool> matching{};    ///< by name; empty: no search
        TimelineDifference elsewhere{};  ///< used if differences are shown
    };
    static constexpr std::size_t layerCount = 2;

    /// Null: none.
    void setTimeline(std::size_t layer, std::shared_ptr<const Timeline> shown);
    void setName(std::size_t layer, const QString& name) { layers[layer].name = name; }
    void setAreas(TimelineAreas shown) { below = std::move(shown); }
    /// Matches names (display names or those in the file) that contain the text; empty: no search.
    void setSearch(const QString& text);
    /// Whether to show relative changes of spans: each timeline against the other, or both against the median
    /// of all runs if the second is of the same trace (or missing).
    void setDifference(bool shown);
    /// Pins in any order.
    void setPins(std::vector<TimelinePin> marked);
    /// Aligns the second timeline so that its execution with the number of `chosen`'s execution starts at the
    /// same position; uses the first execution if `chosen` is not in the first timeline. A typical run starts
    /// where that execution does.
    void align(const std::optional<SpanRef>& chosen);

    [[nodiscard]] const Layer& layer(std::size_t at) const { return layers[at]; }
    [[nodiscard]] const std::shared_ptr<const Timeline>& timeline() const { return layers[0].timeline; }
    [[nodiscard]] const TimelineAreas& areas() const { return below; }
    [[nodiscard]] bool overlaid() const { return layers[1].timeline != nullptr; }
    [[nodiscard]] bool showsDifference() const { return differs; }
    /// Sorted by start time.
    [[nodiscard]] const std::vector<TimelinePin>& pins() const { return pinned; }
    /// The pinned rows of the first timeline, sorted.
    [[nodiscard]] const std::vector<EventRef>& pinnedRows() const { return marks; }
    /// The next pin that starts after a time (in ticks from the origin), or the last before it; wraps around.
    /// Null if there are no pins.
    [[nodiscard]] const TimelinePin* adjacentPin(double time, bool forward) const;
    [[nodiscard]] const QString& search() const { return searched; }
    [[nodiscard]] bool matches(std::size_t layer, const Span& span) const;

    [[nodiscard]] const Span& spanOf(const SpanRef& place) const;
    /// Start and end time.
    [[nodiscard]] std::pair<double, double> timesOf(const SpanRef& place) const;
    [[nodiscard]] std::optional<SpanRef> spanAt(std::size_t layer, std::size_t lane, double time) const;
    /// The first span of a row of the first timeline.
    [[nodiscard]] std::optional<SpanRef> spanOfRow(EventRef row) const;
    /// The row of the first timeline for a span; for a span of the second, the row with the same instruction
    /// and name.
    [[nodiscard]] std::optional<EventRef> rowOf(const SpanRef& place) const;
    /// The next (1) or previous (-1) span in the same lane; the first of all without `from`.
    [[nodiscard]] std::optional<SpanRef> beside(const std::optional<SpanRef>& from, int by) const;
    /// The next or previous search match in the first timeline across all lanes, by start time, then by lane.
    [[nodiscard]] std::optional<SpanRef> nextMatch(const std::optional<SpanRef>& from, bool forward) const;

  private:
    void compare();

    std::array<Layer, layerCount> layers;
    TimelineAreas below;
    QString searched;
    bool differs = false;
    std::vector<TimelinePin> pinned;
    std::vector<EventRef> marks;
};

}  // namespace et::visualizers
