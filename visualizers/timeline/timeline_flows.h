#pragma once

#include "inspector/session/session.h"
#include "visualizers/timeline/timeline_scene.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Which step of a method takes what which other one gave, by rows of a trace.
class TimelineFlows {
  public:
    /// Null: the session has no program, or none of its methods is of the trace.
    [[nodiscard]] static std::shared_ptr<const TimelineFlows> build(const inspector::EventBlocks& blocks,
                                                                    const inspector::Session& session);

    /// The steps that gave what `row` takes, and those that take what it gave, each once and sorted.
    [[nodiscard]] std::vector<EventRef> before(EventRef row) const;
    [[nodiscard]] std::vector<EventRef> after(EventRef row) const;

  private:
    using Rows = std::map<EventRef, std::vector<EventRef>>;
    Rows sources;
    Rows takers;
};

/// Arrows from and to a span of the first timeline, within its execution.
struct SpanFlows {
    static constexpr std::size_t maxArrows = 64;  ///< of either kind: more are no picture any more

    std::vector<SpanPlace> before{};  ///< in the order of time
    std::vector<SpanPlace> after{};
    bool operator==(const SpanFlows&) const = default;

    /// Those of a span; none where it is of the second timeline, or no step.
    [[nodiscard]] static SpanFlows of(const TimelineScene& scene, const TimelineFlows& flows,
                                      const SpanPlace& chosen);
};

}  // namespace et::visualizers
