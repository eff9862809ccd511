#include "app/studio/graph/scene_maker.h"

#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"
#include "inspector/graph/layered_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace et::studio {

using inspector::GraphLayout;
using inspector::LayoutRequest;

namespace {

/// Total boxes in cached layouts: some tens of megabytes.
constexpr std::size_t maxKeptBoxes = 100'000;
/// Number of boxes and lines above which Graphviz is not used, because it would take more than a minute.
constexpr std::size_t maxForGraphviz = 8'000;

struct Placed {
    std::optional<GraphLayout> layout;
    std::string notice;
};

std::string simpler(const std::string& why) {
    return fmt::format("Simple layout: {}. Fold groups for a better one.", why);
}

Placed place(const LayoutRequest& what, const SceneRequest& request) {
    if (request.cache) {
        if (auto known = request.cache->find(what)) {
            return {.layout = std::move(known), .notice = {}};
        }
    }
    if (what.nodes.size() + what.edges.size() > maxForGraphviz) {
        return {.layout = inspector::layOutInRows(what),
                .notice = simpler(fmt::format("{} boxes and {} edges are too many for Graphviz",
                                              what.nodes.size(), what.edges.size()))};
    }
    auto layout = inspector::layOut(
        what, {.timeoutSeconds = request.timeoutSeconds, .cancel = request.cancel.get(), .helper = {}});
    if (layout) {
        if (request.cache) {
            request.cache->add(what, *layout);
        }
        return {.layout = std::move(*layout), .notice = {}};
    }
    if (layout.error().code == core::ErrorCode::Cancelled) {
        return {};
    }
    const bool late = layout.error().code == core::ErrorCode::Limit;
    return {.layout = inspector::layOutInRows(what),
            .notice = simpler(late ? fmt::format("Graphviz took more than {:.0f} s", request.timeoutSeconds)
                                   : layout.error().toString())};
}

}  // namespace

std::optional<GraphLayout> LayoutCache::find(const LayoutRequest& request) {
    const std::scoped_lock lock(mutex);
    const auto found = std::ranges::find(layouts, request,
                                         [](const auto& each) -> const LayoutRequest& { return each.first; });
    if (found == layouts.end()) {
        return std::nullopt;
    }
    layouts.splice(layouts.begin(), layouts, found);
    return layouts.front().second;
}

void LayoutCache::add(const LayoutRequest& request, const GraphLayout& layout) {
    const std::scoped_lock lock(mutex);
    layouts.emplace_front(request, layout);
    boxes += request.nodes.size();
    while (boxes > maxKeptBoxes && layouts.size() > 1) {
        boxes -= layouts.back().first.nodes.size();
        layouts.pop_back();
    }
}

SceneOutcome makeScene(const SceneRequest& request) {
    auto diagram = inspector::Diagram::of(*request.graph, request.options);
    auto labels = inspector::labelsOf(*request.graph, diagram);
    const inspector::BoxColours plain{
        .fills = {}, .notes = std::vector<std::string>(diagram.boxes.size()), .title = {}, .legend = {}};
    const LayoutRequest what = inspector::layoutRequest({.graph = *request.graph,
                                                         .diagram = diagram,
                                                         .labels = labels,
                                                         .colours = plain,
                                                         .leftToRight = request.leftToRight,
                                                         .names = true});
    Placed placed = place(what, request);
    if (!placed.layout) {
        return {};
    }
    *placed.layout = inspector::wrapLayout(*placed.layout, what, request.pane);
    return {.scene = std::make_shared<const visualizers::GraphScene>(
                visualizers::GraphScene::Parts{.graph = request.graph,
                                               .diagram = std::move(diagram),
                                               .labels = std::move(labels),
                                               .layout = std::move(*placed.layout),
                                               .leftToRight = request.leftToRight}),
            .notice = std::move(placed.notice)};
}

}  // namespace et::studio
