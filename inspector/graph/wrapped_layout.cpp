#include "inspector/graph/wrapped_layout.h"

#include "inspector/graph/detail/chain_wrap.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector {

namespace {

/// Rows are worth their links where they are so much shorter than one.
constexpr double worthwhile = 0.75;
/// Of the pane, where letters are as small as they may be: longer rows would scroll in both directions.
constexpr double longest = 1.15;
/// And so much larger than one that can be read.
constexpr double worthwhileScale = 1.1;

/// With x and y in each other's place.
GraphLayout turned(GraphLayout layout) {
    std::swap(layout.width, layout.height);
    for (auto* const boxes : {&layout.nodes, &layout.groups}) {
        for (LayoutBox& box : *boxes) {
            std::swap(box.x, box.y);
            std::swap(box.width, box.height);
        }
    }
    for (std::vector<LayoutPoint>& curve : layout.edges) {
        for (LayoutPoint& point : curve) {
            std::swap(point.x, point.y);
        }
    }
    return layout;
}

double fitting(const GraphLayout& layout, const LayoutPane& pane) {
    return std::min(pane.width / std::max(layout.width, 1.0), pane.height / std::max(layout.height, 1.0));
}

}  // namespace

GraphLayout wrapLayout(const GraphLayout& layout, const LayoutRequest& request, const LayoutPane& pane) {
    if (!request.leftToRight) {
        LayoutRequest across = request;
        across.leftToRight = true;
        return turned(wrapLayout(turned(layout), across,
                                 {.width = pane.height,
                                  .height = pane.width,
                                  .leastScale = pane.leastScale,
                                  .mostScale = pane.mostScale}));
    }
    if (fitting(layout, pane) >= 1 || pane.width <= 0 || pane.height <= 0) {
        return layout;
    }
    constexpr int steps = 8;
    std::optional<GraphLayout> best;
    for (int step = 0; step <= steps; ++step) {
        const double scale = pane.mostScale - (pane.mostScale - pane.leastScale) * step / steps;
        auto made = detail::wrapChain(layout, request, pane.width / scale);
        if (made && (!best || fitting(*made, pane) > fitting(*best, pane))) {
            best = std::move(made);
        }
    }
    if (best && fitting(*best, pane) < pane.leastScale) {
        // It scrolls, in one direction alone.
        best = detail::wrapChain(layout, request, pane.width / ((pane.leastScale + 1) / 2));
    }
    const bool read = fitting(layout, pane) >= pane.leastScale;
    const bool better = best && best->width < worthwhile * layout.width &&
                        (read ? fitting(*best, pane) > worthwhileScale * fitting(layout, pane)
                              : best->width * pane.leastScale < longest * pane.width);
    return better ? *std::move(best) : layout;
}

}  // namespace et::inspector
