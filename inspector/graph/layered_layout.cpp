#include "inspector/graph/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace et::inspector {

namespace {

// In points.
constexpr double gapInRow = 16;
constexpr double gapBetweenRows = 30;
constexpr double framePadding = 10;
/// Maximum boxes in a row; further ones start another row.
constexpr std::size_t longestRow = 48;
/// Number of sweeps down and up that move boxes near their neighbours.
constexpr int orderingSweeps = 4;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// Sizes and positions in a top-to-bottom layout; left-to-right layouts are transposed at the end.
struct Extent {
    double across = 0;
    double along = 0;
};

/// A box or a frame among its siblings.
struct Item {
    std::size_t node = none;
    std::size_t group = none;
    std::size_t first = none;  ///< first node in it, in the order of the request
    Extent size{};
    Extent at{};                        ///< of its corner, relative to that of the enclosing frame
    std::vector<std::size_t> before{};  ///< its producers
    std::vector<std::size_t> after{};
};

using Rows = std::vector<std::vector<std::size_t>>;

void dropRepeated(std::vector<std::size_t>& list) {
    std::ranges::sort(list);
    const auto repeated = std::ranges::unique(list);
    list.erase(repeated.begin(), repeated.end());
}

/// Assigns rows by the longest path from a source. Back edges are ignored.
Rows rowsOf(std::vector<Item>& items) {
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return items[i].first; });
    std::vector<std::size_t> places(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        places[order[i]] = i;
    }
    std::vector<std::size_t> ranks(items.size());
    Rows rows;
    for (const std::size_t i : order) {
        for (const std::size_t giver : items[i].before) {
            if (places[giver] < places[i]) {
                ranks[i] = std::max(ranks[i], ranks[giver] + 1);
            }
        }
        rows.resize(std::max(rows.size(), ranks[i] + 1));
        rows[ranks[i]].push_back(i);
    }
    return rows;
}

/// Sorts every row by the positions of its boxes' neighbours in previous rows.
void orderRows(const std::vector<Item>& items, Rows& rows) {
    std::vector<double> places(items.size());
    const auto number = [&](const std::vector<std::size_t>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            places[row[i]] = static_cast<double>(i) - static_cast<double>(row.size()) / 2;
        }
    };
    std::ranges::for_each(rows, number);
    std::vector<double> wanted(items.size());
    for (int sweep = 0; sweep < orderingSweeps; ++sweep) {
        const bool down = sweep % 2 == 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::vector<std::size_t>& row = rows[down ? r : rows.size() - 1 - r];
            for (const std::size_t i : row) {
                const auto& near = down ? items[i].before : items[i].after;
                double sum = 0;
                for (const std::size_t other : near) {
                    sum += places[other];
                }
                wanted[i] = near.empty() ? places[i] : sum / static_cast<double>(near.size());
            }
            std::ranges::stable_sort(row, {}, [&](std::size_t i) { return wanted[i]; });
            number(row);
        }
    }
}

Rows shortened(const Rows& rows) {
    Rows all;
    for (const std::vector<std::size_t>& row : rows) {
        for (std::size_t first = 0; first < row.size(); first += longestRow) {
            const std::size_t end = std::min(first + longestRow, row.size());
            all.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(first),
                             row.begin() + static_cast<std::ptrdiff_t>(end));
        }
    }
    return all;
}

double middleOf(const Item& item) {
    return item.at.across + item.size.across / 2;
}

/// Places boxes below the middle of their producers, as far as their neighbours in the row allow.
void placeRow(std::vector<Item>& items, const std::vector<std::size_t>& row) {
    double end = -std::numeric_limits<double>::infinity();
    double off = 0;
    for (const std::size_t i : row) {
        Item& item = items[i];
        double wanted = 0;
        for (const std::size_t giver : item.before) {
            wanted += middleOf(items[giver]);
        }
        wanted = item.before.empty() ? 0 : wanted / static_cast<double>(item.before.size());
        item.at.across = std::max(wanted - item.size.across / 2, end + gapInRow);
        end = item.at.across + item.size.across;
        off += wanted - middleOf(item);
    }
    for (const std::size_t i : row) {
        items[i].at.across += off / static_cast<double>(row.size());
    }
}

/// Places items starting at (0, 0). Returns the total size.
Extent place(std::vector<Item>& items) {
    Rows rows = rowsOf(items);
    orderRows(items, rows);
    double along = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    for (const std::vector<std::size_t>& row : shortened(rows)) {
        placeRow(items, row);
        double height = 0;
        for (const std::size_t i : row) {
            height = std::max(height, items[i].size.along);
        }
        for (const std::size_t i : row) {
            items[i].at.along = along + (height - items[i].size.along) / 2;
            min = std::min(min, items[i].at.across);
            max = std::max(max, items[i].at.across + items[i].size.across);
        }
        along += height + gapBetweenRows;
    }
    for (Item& item : items) {
        item.at.across -= min;
    }
    return items.empty() ? Extent{} : Extent{.across = max - min, .along = along - gapBetweenRows};
}

class RowLayout {
  public:
    explicit RowLayout(const LayoutRequest& of)
        : request(of),
          top(of.groups.size()),
          contents(of.groups.size() + 1),
          itemOfNode(of.nodes.size()),
          itemOfGroup(of.groups.size()),
          corners(of.groups.size()) {}

    GraphLayout layOut() {
        addItems();
        connect();
        // Groups come after their parents.
        for (std::size_t group = request.groups.size(); group-- > 0;) {
            placeFrame(group);
        }
        const Extent size = place(contents[top]);
        layout.width = request.leftToRight ? size.along : size.across;
        layout.height = request.leftToRight ? size.across : size.along;
        layout.nodes.resize(request.nodes.size());
        layout.groups.resize(request.groups.size());
        write(top, {});
        for (std::size_t group = 0; group < request.groups.size(); ++group) {
            write(group, corners[group]);
        }
        for (const LayoutRequest::Edge& edge : request.edges) {
            layout.edges.push_back(curve(layout.nodes[edge.from], layout.nodes[edge.to]));
        }
        return std::move(layout);
    }

  private:
    [[nodiscard]] Extent turned(double width, double height) const {
        return request.leftToRight ? Extent{.across = height, .along = width}
                                   : Extent{.across = width, .along = height};
    }
    [[nodiscard]] std::size_t around(std::optional<std::size_t> group) const { return group.value_or(top); }

    void addItems() {
        std::vector<std::size_t> firsts(request.groups.size(), none);
        for (std::size_t i = 0; i < request.nodes.size(); ++i) {
            const LayoutRequest::Node& node = request.nodes[i];
            std::vector<Item>& in = contents[around(node.group)];
            itemOfNode[i] = in.size();
            in.push_back({.node = i, .first = i, .size = turned(node.width, node.height)});
            for (auto group = node.group; group && firsts[*group] == none;
                 group = request.groups[*group].parent) {
                firsts[*group] = i;
            }
        }
        for (std::size_t i = 0; i < request.groups.size(); ++i) {
            std::vector<Item>& in = contents[around(request.groups[i].parent)];
            itemOfGroup[i] = in.size();
            in.push_back({.group = i, .first = firsts[i]});
        }
    }

    [[nodiscard]] std::size_t depthOf(std::size_t container) const {
        std::size_t depth = 0;
        for (; container != top; container = around(request.groups[container].parent)) {
            ++depth;
        }
        return depth;
    }

    /// Connects items of the same frame: the edge's nodes, or the groups around them.
    void connect() {
        for (const LayoutRequest::Edge& edge : request.edges) {
            std::size_t from = around(request.nodes[edge.from].group);
            std::size_t to = around(request.nodes[edge.to].group);
            std::size_t fromItem = itemOfNode[edge.from];
            std::size_t toItem = itemOfNode[edge.to];
            std::size_t fromDepth = depthOf(from);
            std::size_t toDepth = depthOf(to);
            const auto climb = [&](std::size_t& container, std::size_t& item, std::size_t& depth) {
                item = itemOfGroup[container];
                container = around(request.groups[container].parent);
                --depth;
            };
            while (from != to) {
                if (fromDepth >= toDepth) {
                    climb(from, fromItem, fromDepth);
                } else {
                    climb(to, toItem, toDepth);
                }
            }
            if (fromItem != toItem) {
                contents[from][fromItem].after.push_back(toItem);
                contents[from][toItem].before.push_back(fromItem);
            }
        }
        for (std::vector<Item>& items : contents) {
            for (Item& item : items) {
                dropRepeated(item.before);
                dropRepeated(item.after);
            }
        }
    }

    /// Space for the title, from the frame's corner.
    [[nodiscard]] Extent titleRoom(std::size_t group) const {
        const double height = request.groups[group].titleHeight + framePadding;
        const Extent room = turned(framePadding, height + framePadding);
        return {.across = std::max(room.across, framePadding), .along = std::max(room.along, framePadding)};
    }

    void placeFrame(std::size_t group) {
        Extent size = place(contents[group]);
        const Extent title = titleRoom(group);
        size.across += title.across + framePadding;
        size.along += title.along + framePadding;
        const double widest = request.groups[group].titleWidth + 2 * framePadding;
        double& width = request.leftToRight ? size.along : size.across;
        width = std::max(width, widest);
        contents[around(request.groups[group].parent)][itemOfGroup[group]].size = size;
    }

    /// Writes a frame's items to the layout; frames precede those inside them.
    void write(std::size_t container, const Extent& corner) {
        for (const Item& item : contents[container]) {
            const Extent at{.across = corner.across + item.at.across, .along = corner.along + item.at.along};
            LayoutBox box{
                .x = at.across, .y = at.along, .width = item.size.across, .height = item.size.along};
            if (request.leftToRight) {
                std::swap(box.x, box.y);
                std::swap(box.width, box.height);
            }
            if (item.node != none) {
                layout.nodes[item.node] = box;
            } else {
                layout.groups[item.group] = box;
                const Extent title = titleRoom(item.group);
                corners[item.group] = {.across = at.across + title.across, .along = at.along + title.along};
            }
        }
    }

    [[nodiscard]] std::vector<LayoutPoint> curve(const LayoutBox& from, const LayoutBox& to) const {
        constexpr double minBend = 12;
        LayoutPoint start{.x = from.x + from.width / 2, .y = from.y + from.height};
        LayoutPoint end{.x = to.x + to.width / 2, .y = to.y};
        if (request.leftToRight) {
            start = {.x = from.x + from.width, .y = from.y + from.height / 2};
            end = {.x = to.x, .y = to.y + to.height / 2};
        }
        const double way = request.leftToRight ? end.x - start.x : end.y - start.y;
        const double bend = std::clamp(std::abs(way) / 2, minBend, 4 * gapBetweenRows);
        const double dx = request.leftToRight ? bend : 0;
        const double dy = request.leftToRight ? 0 : bend;
        return {start, {.x = start.x + dx, .y = start.y + dy}, {.x = end.x - dx, .y = end.y - dy}, end};
    }

    const LayoutRequest& request;
    std::size_t top;                          ///< index of the whole layout among the groups
    std::vector<std::vector<Item>> contents;  ///< by group
    std::vector<std::size_t> itemOfNode;
    std::vector<std::size_t> itemOfGroup;
    std::vector<Extent> corners;  ///< by group: start of its content
    GraphLayout layout;
};

}  // namespace

GraphLayout layOutInRows(const LayoutRequest& request) {
    return RowLayout(request).layOut();
}

}  // namespace et::inspector
