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
struct SpanPlace {
    std::size_t layer = 0;
    std::size_t lane = 0;
    std::size_t span = 0;  ///< among Lane::spans()
    bool operator==(const SpanPlace&) const = default;
};

/// One timeline, or two below one another: the second is laid so that the same execution of both begins at
/// the same place. Times are ticks from the origin of the first. Knows what is searched, and the way from one
/// span to the next.
class TimelineScene {
  public:
    struct Layer {
        std::shared_ptr<const Timeline> timeline{};
        QString name{};
        double shift = 0;                ///< ticks to add to its times
        std::vector<bool> matching{};    ///< by name; empty: nothing is searched
        TimelineDifference elsewhere{};  ///< where differences are shown
    };
    static constexpr std::size_t layerCount = 2;

    /// Null: none.
    void setTimeline(std::size_t layer, std::shared_ptr<const Timeline> shown);
    void setName(std::size_t layer, const QString& name) { layers[layer].name = name; }
    /// What stands below the first timeline; null: nothing.
    void setMemory(std::shared_ptr<const TimelineMemory> shown) { below = std::move(shown); }
    /// What stands below that, an area each.
    void setCounters(std::vector<TimelineCounter> shown) { counted = std::move(shown); }
    /// Names (or those that the file has) that contain it match; empty: nothing is searched.
    void setSearch(const QString& text);
    /// Whether spans say how much longer or shorter they are than elsewhere: each timeline than the other, or
    /// where the second is of the same trace (or none), both than the median of all runs.
    void setDifference(bool shown);
    /// What somebody marked, in any order.
    void setPins(std::vector<TimelinePin> marked);
    /// Lays the second so that its execution of the same number begins where that of `chosen` does; of the
    /// first execution where `chosen` is none of the first timeline. A typical run begins where that does.
    void align(const std::optional<SpanPlace>& chosen);

    [[nodiscard]] const Layer& layer(std::size_t at) const { return layers[at]; }
    [[nodiscard]] const std::shared_ptr<const Timeline>& timeline() const { return layers[0].timeline; }
    [[nodiscard]] const TimelineMemory* memory() const { return below.get(); }
    [[nodiscard]] const std::vector<TimelineCounter>& counters() const { return counted; }
    [[nodiscard]] bool overlaid() const { return layers[1].timeline != nullptr; }
    [[nodiscard]] bool showsDifference() const { return differs; }
    /// By the time at which they begin.
    [[nodiscard]] const std::vector<TimelinePin>& pins() const { return pinned; }
    /// The rows of the first timeline that are marked, sorted.
    [[nodiscard]] const std::vector<EventRef>& pinnedRows() const { return marks; }
    /// The next pin that begins after a time (in ticks from the origin), or the last before it; round the
    /// ends. Null: there is none.
    [[nodiscard]] const TimelinePin* pinBeside(double time, bool forward) const;
    [[nodiscard]] const QString& search() const { return searched; }
    [[nodiscard]] bool matches(std::size_t layer, const Span& span) const;

    [[nodiscard]] const Span& spanOf(const SpanPlace& place) const;
    /// When it starts and ends.
    [[nodiscard]] std::pair<double, double> timesOf(const SpanPlace& place) const;
    [[nodiscard]] std::optional<SpanPlace> spanAt(std::size_t layer, std::size_t lane, double time) const;
    /// The first of a row of the first timeline.
    [[nodiscard]] std::optional<SpanPlace> spanOfRow(EventRef row) const;
    /// The row of the first timeline that stands for a span: of a span of the second, the one of the same
    /// instruction and name.
    [[nodiscard]] std::optional<EventRef> rowOf(const SpanPlace& place) const;
    /// The next (1) or the previous (-1) in the same lane; the first of all without `from`.
    [[nodiscard]] std::optional<SpanPlace> beside(const std::optional<SpanPlace>& from, int by) const;
    /// The next or previous span of the first timeline that is searched, of all lanes: by the time at which
    /// spans start, then by lane.
    [[nodiscard]] std::optional<SpanPlace> nextMatch(const std::optional<SpanPlace>& from,
                                                     bool forward) const;

  private:
    void compare();

    std::array<Layer, layerCount> layers;
    std::shared_ptr<const TimelineMemory> below;
    std::vector<TimelineCounter> counted;
    QString searched;
    bool differs = false;
    std::vector<TimelinePin> pinned;
    std::vector<EventRef> marks;
};

}  // namespace et::visualizers
