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

enum class Branches : std::uint8_t {
    Stay,  ///< above and below the frames beside which they stand, which are not wrapped inside, then
    Move,  ///< to before them (side_branches.h)
};

std::optional<GraphLayout> rowsOf(const GraphLayout& layout, const LayoutRequest& request, double length,
                                  Branches branches) {
    return branches == Branches::Stay
               ? detail::wrapChain(layout, request, length)
               : detail::wrapChain(detail::withBranchesAside(layout, request, length), request, length);
}

/// In the rows that show it largest; nothing: it is better as it is.
std::optional<GraphLayout> inRows(const GraphLayout& layout, const LayoutRequest& request,
                                  const LayoutPane& pane, Branches branches) {
    constexpr int steps = 8;
    // The longest rows first: if even those go on below the pane, so do all.
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
        // It scrolls, in one direction alone.
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
