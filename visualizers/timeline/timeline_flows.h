#pragma once

#include "inspector/session/session.h"
#include "visualizers/timeline/timeline_scene.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Data flow between the steps of a method, by rows of a trace.
class TimelineFlows {
  public:
    /// Null if the session has no program or none of its methods is in the trace.
    [[nodiscard]] static std::shared_ptr<const TimelineFlows> build(const inspector::EventBlocks& blocks,
                                                                    const inspector::Session& session);

    /// The producers of `row`'s inputs, and the consumers of its outputs, each without duplicates and sorted.
    [[nodiscard]] std::vector<EventRef> before(EventRef row) const;
    [[nodiscard]] std::vector<EventRef> after(EventRef row) const;

  private:
    using Rows = std::map<EventRef, std::vector<EventRef>>;
    Rows sources;
    Rows takers;
};

/// Arrows to and from a span of the first timeline, within its execution.
struct SpanFlows {
    static constexpr std::size_t maxArrows = 64;  ///< per direction; more would be unreadable

    std::vector<SpanRef> before{};  ///< in time order
    std::vector<SpanRef> after{};
    bool operator==(const SpanFlows&) const = default;

    /// Arrows of a span; none if it is in the second timeline or not a step.
    [[nodiscard]] static SpanFlows of(const TimelineScene& scene, const TimelineFlows& flows,
                                      const SpanRef& chosen);
};

}  // namespace et::visualizers
