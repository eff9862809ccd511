#include "inspector/graph/detail/side_branches.h"

#include "inspector/graph/detail/cut_curve.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector::graph::detail {

namespace {

// In points.
constexpr double branchGap = 26;  ///< between moved branches and the frame after them
constexpr double lineRoom = 12;   ///< between moved branches and lines that pass them
constexpr double lineStep = 8;    ///< space before a box for a line down or up to it

/// Minimum ratio between the boxes of a frame and those next to it; below it, neither is a branch of the
/// other.
constexpr std::size_t leastTimes = 2;

using Curve = std::vector<LayoutPoint>;

/// Moves the branches next to a frame to before it: the layout is widened at the left end of the frame by the
/// required space.
class BranchesAside {
  public:
    BranchesAside(const GraphLayout& of, const LayoutRequest& what, std::size_t frame)
        : given(of), request(what), chain(frame), start(of.groups[frame].x) {
        findBranches();
    }

    /// Empty if there is nothing next to it, or too much.
    [[nodiscard]] std::optional<GraphLayout> make() {
        if (boxes == 0 || boxes * leastTimes > boxesOfChain) {
            return std::nullopt;
        }
        stretch = right - left + branchGap;
        move = {.x = start - left, .y = wayDown()};
        return move.y > 0 && !canGrow() ? std::nullopt : std::optional(write());
    }

  private:
    [[nodiscard]] static bool isBeside(const LayoutBox& a, const LayoutBox& b) {
        return a.x < b.x + b.width && b.x < a.x + a.width;
    }

    void findBranches() {
        const auto& parent = request.groups[chain].parent;
        std::vector<bool> inChain(given.groups.size());
        branchGroups.assign(given.groups.size(), false);
        for (std::size_t i = 0; i < given.groups.size(); ++i) {  // inner frames come after outer ones
            const auto& around = request.groups[i].parent;
            inChain[i] = i == chain || (around && inChain[*around]);
            branchGroups[i] =
                (around && branchGroups[*around]) ||
                (around == parent && i != chain && isBeside(given.groups[i], given.groups[chain]));
            if (branchGroups[i]) {
                add(given.groups[i]);
            }
        }
        for (std::size_t i = 0; i < given.nodes.size(); ++i) {
            const auto& around = request.nodes[i].group;
            branchNodes.push_back((around && branchGroups[*around]) ||
                                  (around == parent && isBeside(given.nodes[i], given.groups[chain])));
            if (branchNodes[i]) {
                ++boxes;
                add(given.nodes[i]);
            }
            boxesOfChain += around && inChain[*around] ? 1 : 0;
        }
    }

    void add(const LayoutBox& box) {
        left = std::min(left, box.x);
        right = std::max(right, box.x + box.width);
        top = std::min(top, box.y);
        bottom = std::max(bottom, box.y + box.height);
    }

    [[nodiscard]] bool isBranch(std::size_t edge) const {
        return branchNodes[request.edges[edge].from] || branchNodes[request.edges[edge].to];
    }

    /// Splits a line where the layout is widened; one piece or none if it does not cross that position
    /// exactly once.
    [[nodiscard]] std::vector<CurvePiece> openedAt(const Curve& curve) const {
        return cutCurve(curve, std::array{start});
    }

    /// Distance to move the branches down, so that no line passes through them.
    [[nodiscard]] double wayDown() const {
        double lowest = -std::numeric_limits<double>::infinity();
        bool hit = false;
        for (std::size_t i = 0; i < given.edges.size(); ++i) {
            const auto pieces = isBranch(i) ? std::vector<CurvePiece>{} : openedAt(forward(given.edges[i]));
            if (pieces.size() == 2) {
                const double y = pieces.back().points.front().y;
                lowest = std::max(lowest, y);
                hit |= y > top - lineRoom && y < bottom + lineRoom;
            }
        }
        return hit ? lowest + lineRoom - top : 0;
    }

    /// Whether there is nothing below the enclosing frames, whose height will grow.
    [[nodiscard]] bool canGrow() const {
        for (auto frame = request.groups[chain].parent; frame; frame = request.groups[*frame].parent) {
            const auto& parent = request.groups[*frame].parent;
            for (std::size_t i = 0; i < given.nodes.size(); ++i) {
                if (request.nodes[i].group == parent && isBeside(given.nodes[i], given.groups[*frame])) {
                    return false;
                }
            }
            for (std::size_t i = 0; i < given.groups.size(); ++i) {
                if (request.groups[i].parent == parent && i != *frame &&
                    isBeside(given.groups[i], given.groups[*frame])) {
                    return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] static Curve forward(const Curve& curve) {
        const bool back = !curve.empty() && curve.front().x > curve.back().x;
        return back ? Curve(curve.rbegin(), curve.rend()) : curve;
    }

    [[nodiscard]] GraphLayout write() const {
        GraphLayout made = given;
        for (std::size_t i = 0; i < made.nodes.size(); ++i) {
            moveBox(made.nodes[i], branchNodes[i]);
        }
        for (std::size_t i = 0; i < made.groups.size(); ++i) {
            LayoutBox& box = made.groups[i];
            const bool opened = box.x < start && box.x + box.width > start;
            box.width += opened && !branchGroups[i] ? stretch : 0;
            moveBox(box, branchGroups[i]);
        }
        const double lowest = bottom + move.y + frameRoom;
        for (auto frame = request.groups[chain].parent; frame; frame = request.groups[*frame].parent) {
            LayoutBox& box = made.groups[*frame];
            box.height = std::max(box.height, lowest - box.y);
        }
        made.width += stretch;
        made.height = std::max(made.height, lowest);
        for (std::size_t i = 0; i < made.edges.size(); ++i) {
            if (!made.edges[i].empty()) {
                made.edges[i] = edgeOf(i, made);
            }
        }
        return made;
    }

    void moveBox(LayoutBox& box, bool branch) const {
        box.x += branch ? move.x : (box.x < start ? 0 : stretch);
        box.y += branch ? move.y : 0;
    }

    [[nodiscard]] Curve edgeOf(std::size_t edge, const GraphLayout& made) const {
        const bool fromBranch = branchNodes[request.edges[edge].from];
        const bool toBranch = branchNodes[request.edges[edge].to];
        const Curve& curve = given.edges[edge];
        if (fromBranch && toBranch) {
            return bent(curve, move, move);
        }
        if (fromBranch) {
            return ofBranch(curve, made.nodes[request.edges[edge].to]);
        }
        const bool turned = toBranch || curve.front().x > curve.back().x;
        const Curve onward = turned ? Curve(curve.rbegin(), curve.rend()) : curve;
        Curve way = toBranch ? ofBranch(onward, made.nodes[request.edges[edge].from]) : opened(onward);
        if (way.empty()) {
            const LayoutBox& from = made.nodes[request.edges[edge].from];
            const LayoutBox& to = made.nodes[request.edges[edge].to];
            return roundedPolyline(
                std::array{LayoutPoint{.x = from.x + from.width, .y = from.y + from.height / 2},
                           LayoutPoint{.x = to.x, .y = to.y + to.height / 2}});
        }
        if (turned) {
            std::ranges::reverse(way);
        }
        return way;
    }

    /// Moves the curve's first point by `first` and its last by `last`.
    [[nodiscard]] static Curve bent(Curve curve, const LayoutPoint& first, const LayoutPoint& last) {
        const auto count = static_cast<double>(std::max<std::size_t>(curve.size(), 2) - 1);
        for (std::size_t i = 0; i < curve.size(); ++i) {
            const double part = static_cast<double>(i) / count;
            curve[i].x += first.x + (last.x - first.x) * part;
            curve[i].y += first.y + (last.y - first.y) * part;
        }
        return curve;
    }

    /// A line that starts at a branch, extended to the branch's original position and continued unchanged; a
    /// line back to the branch ends at its box.
    [[nodiscard]] Curve ofBranch(const Curve& curve, const LayoutBox& box) const {
        if (curve.back().x < start) {
            return bent(curve, move, {});
        }
        const LayoutPoint from{.x = curve.front().x + move.x, .y = curve.front().y + move.y};
        const LayoutPoint was{.x = curve.front().x + stretch, .y = curve.front().y};
        const double lane = start + stretch - branchGap / 2;
        if (was.x <= lane) {
            return bent(curve, move, {.x = stretch});
        }
        if (curve.back().x < curve.front().x) {
            const double before = std::max(box.x - lineStep, lane);
            const double middle = box.y + box.height / 2;
            return roundedPolyline(
                std::array{from, LayoutPoint{.x = lane, .y = from.y}, LayoutPoint{.x = lane, .y = was.y},
                           LayoutPoint{.x = before, .y = was.y}, LayoutPoint{.x = before, .y = middle},
                           LayoutPoint{.x = box.x, .y = middle}});
        }
        Curve way = roundedPolyline(
            std::array{from, LayoutPoint{.x = lane, .y = from.y}, LayoutPoint{.x = lane, .y = was.y}, was});
        const Curve rest = bent(curve, {.x = stretch}, {.x = stretch});
        way.insert(way.end(), rest.begin() + 1, rest.end());
        return way;
    }

    /// A line past the branches, from left to right; empty if it crosses their new position more than once.
    [[nodiscard]] Curve opened(const Curve& curve) const {
        auto pieces = openedAt(curve);
        if (pieces.empty()) {
            return {};
        }
        Curve way = std::move(pieces.front().points);
        if (pieces.size() == 1) {
            const LayoutPoint by{.x = pieces.front().part == 0 ? 0 : stretch};
            return bent(std::move(way), by, by);
        }
        const Curve rest = bent(std::move(pieces.back().points), {.x = stretch}, {.x = stretch});
        const Curve across = roundedPolyline(std::array{way.back(), rest.front()});
        std::ranges::copy(across.begin() + 1, across.end(), std::back_inserter(way));
        std::ranges::copy(rest.begin() + 1, rest.end(), std::back_inserter(way));
        return way;
    }

    const GraphLayout& given;
    const LayoutRequest& request;
    std::size_t chain;               ///< the frame
    double start;                    ///< left end of the chain, where the layout is widened
    std::vector<bool> branchNodes;   ///< by node: to be moved
    std::vector<bool> branchGroups;  ///< by group
    std::size_t boxes = 0;           ///< number of boxes of the branches
    std::size_t boxesOfChain = 0;
    double left = std::numeric_limits<double>::infinity();  ///< left end of the branches
    double right = -std::numeric_limits<double>::infinity();
    double top = std::numeric_limits<double>::infinity();
    double bottom = -std::numeric_limits<double>::infinity();
    double stretch = 0;  ///< width added to the layout
    LayoutPoint move;    ///< offset of the branches
};

}  // namespace

GraphLayout withBranchesAside(const GraphLayout& layout, const LayoutRequest& request, double length) {
    GraphLayout made = layout;
    for (std::size_t i = 0; i < made.groups.size(); ++i) {  // outer frames come before inner ones
        if (made.groups[i].width > length) {
            if (auto next = BranchesAside(made, request, i).make()) {
                made = *std::move(next);
            }
        }
    }
    return made;
}

}  // namespace et::inspector::graph::detail
