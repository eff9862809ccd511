#include "inspector/graph/wrapped_layout.h"

#include "inspector/graph/detail/chain_wrap.h"
#include "inspector/graph/detail/side_branches.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector {

namespace {

/// Wrapping is worthwhile if rows are at most this fraction of the unwrapped length.
constexpr double worthwhile = 0.75;
/// Maximum row length relative to the pane at the smallest readable scale: longer rows would scroll in both
/// directions.
constexpr double longest = 1.15;
/// Minimum increase of the scale over a layout that is already readable.
constexpr double worthwhileScale = 1.1;

/// Swaps x and y.
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

enum class Branches : std::uint8_t {
    Stay,  ///< stay above and below their frames, which are then not wrapped inside
    Move,  ///< moved to before their frames (side_branches.h)
};

std::optional<GraphLayout> rowsOf(const GraphLayout& layout, const LayoutRequest& request, double length,
                                  Branches branches) {
    return branches == Branches::Stay
               ? graph::detail::wrapChain(layout, request, length)
               : graph::detail::wrapChain(graph::detail::withBranchesAside(layout, request, length), request,
                                          length);
}

/// Wraps to the number of rows that shows the layout largest; empty: better unwrapped.
std::optional<GraphLayout> inRows(const GraphLayout& layout, const LayoutRequest& request,
                                  const LayoutPane& pane, Branches branches) {
    constexpr int steps = 8;
    // Try the longest rows first: if even those extend below the pane, all do.
    auto best = rowsOf(layout, request, pane.width / pane.leastScale, branches);
    const bool scrolls = best && fitting(*best, pane) < pane.leastScale * pane.leastScale;
    for (int step = 0; step < steps && !scrolls; ++step) {
        const double scale = pane.mostScale - (pane.mostScale - pane.leastScale) * step / steps;
        auto made = rowsOf(layout, request, pane.width / scale, branches);
        if (made && (!best || fitting(*made, pane) > fitting(*best, pane))) {
            best = std::move(made);
        }
    }
    if (best && fitting(*best, pane) < pane.leastScale) {
        // Scrolls in one direction only.
        best = rowsOf(layout, request, pane.width / ((pane.leastScale + 1) / 2), branches);
    }
    const bool read = fitting(layout, pane) >= pane.leastScale;
    const bool better = best && best->width < worthwhile * layout.width &&
                        (read ? fitting(*best, pane) > worthwhileScale * fitting(layout, pane)
                              : best->width * pane.leastScale < longest * pane.width);
    return better ? std::move(best) : std::nullopt;
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
    if (auto plain = inRows(layout, request, pane, Branches::Stay)) {
        return *std::move(plain);
    }
    return inRows(layout, request, pane, Branches::Move).value_or(layout);
}

}  // namespace et::inspector
