#include "visualizers/timeline/timeline_lanes.h"

#include "inspector/events/wrapper_events.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::visualizers {

namespace {

/// Deeper nesting, which no runtime produces, is dropped.
constexpr std::size_t maxNested = 32;
constexpr std::size_t leftOut = ~std::size_t{0};

struct LaneGroup {
    LaneKind kind;
    std::string_view backend;
    auto operator<=>(const LaneGroup&) const = default;
};

std::string titleOf(const LaneGroup& group) {
    switch (group.kind) {
        case LaneKind::Generation:
            return "Prefill, decode and sampling";
        case LaneKind::Phases:
            return {};  // their names are self-explanatory
        case LaneKind::Steps:
            return "Kernels and delegate calls";
        case LaneKind::Delegate:
            return group.backend.empty() ? "Inside delegates" : "Inside " + std::string(group.backend);
        case LaneKind::Other:
            break;
    }
    return "Other events";
}

LaneGroup groupOf(const inspector::Block& block, const inspector::Event& event) {
    if (block.name == inspector::phaseBlockName && inspector::parsePhaseMark(event.name)) {
        return {LaneKind::Generation, {}};
    }
    if (event.delegated) {
        return {LaneKind::Delegate, event.backend};
    }
    if (inspector::names::detail::isFrameworkEvent(event.name) ||
        event.name == core::event_name::loadProgram) {
        return {LaneKind::Phases, {}};
    }
    const bool step =
        inspector::names::detail::isCall(event.name) || (event.chain >= 0 && event.instruction.value >= 0);
    return {step ? LaneKind::Steps : LaneKind::Other, {}};
}

/// The group of each row, and whether it is shown.
class Groups {
  public:
    explicit Groups(const inspector::EventBlocks& joined) {
        std::set<LaneGroup> known{{LaneKind::Other, {}}};
        for (const inspector::Block& block : joined.blocks()) {
            for (const inspector::Event& event : block.events) {
                known.insert(groupOf(block, event));
            }
        }
        all.assign(known.begin(), known.end());
        for (const inspector::Block& block : joined.blocks()) {
            addBlock(block);
        }
    }

    /// Index into groups(), or leftOut.
    [[nodiscard]] std::size_t of(EventRef row) const {
        return row.block == TimelineNames::noBlock ? placeOf({LaneKind::Other, {}})
                                                   : byRow[row.block][row.event];
    }
    [[nodiscard]] const std::vector<LaneGroup>& groups() const { return all; }

  private:
    [[nodiscard]] std::size_t placeOf(const LaneGroup& group) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(all, group) - all.begin());
    }

    void addBlock(const inspector::Block& block) {
        const std::vector<bool> wrappers = inspector::events::wrapperEvents(block);
        std::vector<std::size_t>& places = byRow.emplace_back();
        places.reserve(block.events.size());
        for (std::size_t i = 0; i < block.events.size(); ++i) {
            places.push_back(wrappers[i] ? leftOut : placeOf(groupOf(block, block.events[i])));
        }
    }

    std::vector<LaneGroup> all;                   ///< in lane order
    std::vector<std::vector<std::size_t>> byRow;  ///< by block and event
};

/// Places each span below all spans that are active when it starts.
std::vector<std::vector<Span>> nested(const std::vector<Span>& spans) {
    std::vector<std::vector<Span>> lanes;
    for (const Span& span : spans) {
        std::size_t lane = lanes.size();
        while (lane > 0 && lanes[lane - 1].back().end <= span.start) {
            --lane;
        }
        if (lane == maxNested) {
            continue;
        }
        if (lane == lanes.size()) {
            lanes.emplace_back();
        }
        lanes[lane].push_back(span);
    }
    return lanes;
}

}  // namespace

LabelledLanes makeLanes(const inspector::EventBlocks& joined, const TimelineNames& naming,
                        std::vector<Span> spans) {
    const Groups groups(joined);
    std::ranges::sort(spans, [](const Span& a, const Span& b) {
        // Zero-length spans contain nothing and come first; otherwise the longer span contains the shorter,
        // and of equal ones the one written later contains the other.
        return std::tuple(a.start, a.end != a.start, b.end, b.event) <
               std::tuple(b.start, b.end != b.start, a.end, a.event);
    });
    std::vector<std::vector<Span>> byGroup(groups.groups().size());
    for (const Span& span : spans) {
        if (const std::size_t group = groups.of(naming.rows[span.event]); group != leftOut) {
            byGroup[group].push_back(span);
        }
    }
    LabelledLanes result;
    for (std::size_t group = 0; group < byGroup.size(); ++group) {
        std::string title = titleOf(groups.groups()[group]);
        for (std::vector<Span>& lane : nested(byGroup[group])) {
            result.lanes.emplace_back(std::move(lane));
            result.labels.push_back(
                {.kind = groups.groups()[group].kind, .title = std::exchange(title, std::string())});
        }
        byGroup[group] = {};
    }
    return result;
}

}  // namespace et::visualizers
