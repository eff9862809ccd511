// Tests of wrapping long chains into rows.
#include "inspector/graph/wrapped_layout.h"

#include "inspector/graph/layered_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace et::test {
namespace {

using inspector::GraphLayout;
using inspector::LayoutBox;
using inspector::LayoutPane;
using inspector::LayoutPoint;
using inspector::LayoutRequest;

constexpr LayoutPane pane{.width = 900, .height = 500};

/// A chain of boxes in which every third box also has an edge to the box two further on.
LayoutRequest chainOf(std::size_t length, bool leftToRight) {
    LayoutRequest request{.nodes = {}, .groups = {}, .edges = {}, .leftToRight = leftToRight};
    request.nodes.assign(length, {.width = 90, .height = 40});
    for (std::size_t i = 1; i < length; ++i) {
        request.edges.push_back({i - 1, i});
        if (i % 3 == 0) {
            request.edges.push_back({i - 3, i});
        }
    }
    return request;
}

GraphLayout wrapped(const LayoutRequest& request, const LayoutPane& in = pane) {
    return wrapLayout(layOutInRows(request), request, in);
}

bool collide(const LayoutBox& a, const LayoutBox& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool contains(const LayoutBox& box, const LayoutPoint& point, double edge = 0) {
    return point.x >= box.x - edge && point.x <= box.x + box.width + edge && point.y >= box.y - edge &&
           point.y <= box.y + box.height + edge;
}

bool liesIn(const LayoutBox& inner, const LayoutBox& outer) {
    return contains(outer, {inner.x, inner.y}) &&
           contains(outer, {inner.x + inner.width, inner.y + inner.height});
}

void expectSound(const LayoutRequest& request, const GraphLayout& layout) {
    const LayoutBox all{.x = 0, .y = 0, .width = layout.width, .height = layout.height};
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
        EXPECT_TRUE(liesIn(layout.nodes[i], all)) << i;
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(collide(layout.nodes[i], layout.nodes[j])) << i << " and " << j;
        }
        for (auto group = request.nodes[i].group; group; group = request.groups[*group].parent) {
            EXPECT_TRUE(liesIn(layout.nodes[i], layout.groups[*group])) << i << " in " << *group;
        }
        for (std::size_t group = 0; group < layout.groups.size(); ++group) {
            if (!request.nodes[i].group) {
                EXPECT_FALSE(collide(layout.nodes[i], layout.groups[group])) << i << " is not in " << group;
            }
        }
    }
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
        const auto& curve = layout.edges[i];
        ASSERT_GE(curve.size(), 4U);
        EXPECT_EQ(curve.size() % 3, 1U);
        EXPECT_TRUE(contains(layout.nodes[request.edges[i].from], curve.front(), 2)) << i;
        EXPECT_TRUE(contains(layout.nodes[request.edges[i].to], curve.back(), 2)) << i;
        for (const LayoutPoint& point : curve) {
            EXPECT_TRUE(contains(all, point, 1)) << i << " at " << point.x << ", " << point.y;
        }
    }
}

/// Checks that links run between rows: no edge between neighbours crosses a box.
void expectFreeLinks(const LayoutRequest& request, const GraphLayout& layout) {
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
        const auto [from, to, backward] = request.edges[i];
        for (std::size_t at = 0; to == from + 1 && at < layout.edges[i].size(); at += 3) {
            for (std::size_t box = 0; box < layout.nodes.size(); ++box) {
                EXPECT_TRUE(box == from || box == to || !contains(layout.nodes[box], layout.edges[i][at]))
                    << "line " << i << " through box " << box;
            }
        }
    }
}

TEST(WrappedLayout, FillsThePaneInRowsThatCanBeRead) {
    const LayoutRequest request = chainOf(40, true);
    const GraphLayout layout = wrapped(request);
    expectSound(request, layout);
    expectFreeLinks(request, layout);
    EXPECT_GT(layout.rows, 2U);
    EXPECT_GE(std::min(pane.width / layout.width, pane.height / layout.height), pane.leastScale)
        << layout.width << " x " << layout.height;
    EXPECT_GT(layout.height * pane.width / layout.width, 0.5 * pane.height) << "it is no strip";
    EXPECT_GT(layout.nodes.back().y, layout.nodes.front().y + layout.nodes.front().height);
    EXPECT_LT(layout.nodes[0].x, layout.nodes[1].x);
}

TEST(WrappedLayout, UsesColumnsForVerticalLayout) {
    const LayoutRequest request = chainOf(40, false);
    const GraphLayout layout = wrapped(request, {.width = 500, .height = 900});
    expectSound(request, layout);
    EXPECT_GT(layout.rows, 1U);
    EXPECT_GT(layout.nodes.back().x, layout.nodes.front().x + layout.nodes.front().width);
    EXPECT_LT(layout.nodes[0].y, layout.nodes[1].y);
}

TEST(WrappedLayout, ScrollsInOneDirectionWhereItIsTooLong) {
    const LayoutRequest request = chainOf(400, true);
    const GraphLayout layout = wrapped(request);
    expectSound(request, layout);
    EXPECT_LE(layout.width * pane.leastScale, pane.width) << "rows are as long as the pane";
    EXPECT_GT(layout.height * pane.leastScale, pane.height);
}

TEST(WrappedLayout, FramesAroundTheChainGrowAndOthersStayWhole) {
    LayoutRequest request = chainOf(40, true);
    request.groups = {{.parent = {}, .titleWidth = 60, .titleHeight = 12},
                      {.parent = 0, .titleWidth = 60, .titleHeight = 12},
                      {.parent = 1, .titleWidth = 60, .titleHeight = 12}};
    for (std::size_t i = 2; i < 38; ++i) {
        request.nodes[i].group = i >= 8 && i < 12 ? 2 : 1;
    }
    const GraphLayout layout = wrapped(request);
    expectSound(request, layout);
    EXPECT_GT(layout.rows, 2U);
    EXPECT_TRUE(liesIn(layout.groups[1], layout.groups[0]));
    EXPECT_TRUE(liesIn(layout.groups[2], layout.groups[1]));
    EXPECT_EQ(layout.nodes[8].y, layout.nodes[11].y) << "a short frame is not cut";
    EXPECT_GT(layout.nodes[39].x, layout.groups[0].x + layout.groups[0].width)
        << "what is behind it stays so";
}

/// Groups longer than a row, like transformer blocks.
TEST(WrappedLayout, LongFramesAreWrappedInside) {
    LayoutRequest request = chainOf(80, true);
    request.groups.assign(3, {.parent = {}, .titleWidth = 60, .titleHeight = 12});
    for (std::size_t i = 4; i < 76; ++i) {
        request.nodes[i].group = (i - 4) / 24;
    }
    const GraphLayout layout = wrapped(request);
    expectSound(request, layout);
    EXPECT_LE(layout.width * pane.leastScale, 1.15 * pane.width) << "it scrolls in one direction";
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LE(layout.groups[i].width, layout.width);
        EXPECT_FALSE(i > 0 && collide(layout.groups[i - 1], layout.groups[i]));
    }
}

/// Graph of a transformer: a mask is computed from an input next to long blocks, reads from them and feeds
/// them; its edges run past half of each block.
struct Transformer {
    LayoutRequest request = chainOf(64, true);
    GraphLayout strip;

    Transformer() {
        request.groups.assign(3, {.parent = {}, .titleWidth = 60, .titleHeight = 12});
        request.groups[2].titleWidth = 40;
        for (std::size_t i = 4; i < 60; ++i) {
            request.nodes[i].group = i < 32 ? 0 : 1;
        }
        strip = layOutInRows(request);
        for (std::size_t i = 0; i < 8; ++i) {
            addBranch(i);
        }
        strip.groups[2] = {.x = strip.nodes[68].x - 8,
                           .y = branchTop() - 20,
                           .width = strip.nodes[71].x + 98 - strip.nodes[68].x,
                           .height = 70};
        for (const LayoutRequest::Edge edge :
             {LayoutRequest::Edge{71, 24}, {71, 50}, {71, 9}, {27, 69}, {2, 18}, {20, 45}}) {
            addLine(edge);
        }
        strip.height = branchTop() + 60;
    }

    [[nodiscard]] double branchTop() const { return strip.groups[0].y + strip.groups[0].height + 60; }

    /// Adds a branch below the boxes of the first block, with its second half in a group.
    void addBranch(std::size_t i) {
        const std::size_t box = request.nodes.size();
        request.nodes.push_back({.width = 90, .height = 40, .group = {}});
        strip.nodes.push_back({.x = strip.nodes[10].x + 115.0 * static_cast<double>(i),
                               .y = branchTop(),
                               .width = 90,
                               .height = 40});
        if (i >= 4) {
            request.nodes[box].group = 2;
        }
        if (i > 0) {
            addLine({box - 1, box});
        }
    }

    void addLine(const LayoutRequest::Edge& edge) {
        const LayoutBox& from = strip.nodes[edge.from];
        const LayoutBox& to = strip.nodes[edge.to];
        const bool back = to.x < from.x;
        const LayoutPoint start{.x = back ? from.x : from.x + from.width, .y = from.y + from.height / 2};
        const LayoutPoint end{.x = back ? to.x + to.width : to.x, .y = to.y + to.height / 2};
        request.edges.push_back(edge);
        strip.edges.push_back({start,
                               {.x = (2 * start.x + end.x) / 3, .y = start.y},
                               {.x = (start.x + 2 * end.x) / 3, .y = end.y},
                               end});
    }
};

void expectSoundFrames(const LayoutRequest& request, const GraphLayout& layout) {
    for (std::size_t i = 0; i < layout.groups.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(collide(layout.groups[i], layout.groups[j])) << "frames " << i << " and " << j;
        }
        for (std::size_t node = 0; node < layout.nodes.size(); ++node) {
            EXPECT_TRUE(request.nodes[node].group == i || !collide(layout.nodes[node], layout.groups[i]))
                << node << " is not in " << i;
        }
    }
}

TEST(WrappedLayout, BranchesBesideLongFramesStandBeforeThem) {
    const Transformer model;
    for (const LayoutPane size : {LayoutPane{.width = 1100, .height = 420}, pane}) {
        const GraphLayout layout = wrapLayout(model.strip, model.request, size);
        expectSound(model.request, layout);
        expectSoundFrames(model.request, layout);
        EXPECT_GT(layout.rows, 2U);
        EXPECT_LE(layout.width * size.leastScale, 1.15 * size.width) << "it scrolls in one direction";
        EXPECT_LT(layout.nodes[71].y + layout.nodes[71].height, layout.groups[0].y)
            << "what the block takes stands above it";
        EXPECT_GT(layout.groups[1].y, layout.groups[0].y + layout.groups[0].height);
        const GraphLayout again = wrapLayout(model.strip, model.request, size);
        EXPECT_EQ(again.edges[70].size(), layout.edges[70].size());
        EXPECT_EQ(again.nodes[71].x, layout.nodes[71].x);
    }
}

/// Of two long groups next to each other, neither is a branch of the other.
TEST(WrappedLayout, FramesOfSimilarSizeStaySideBySide) {
    LayoutRequest request{.nodes = {}, .groups = {}, .edges = {}, .leftToRight = true};
    request.nodes.assign(60, {.width = 90, .height = 40});
    request.groups.assign(2, {.parent = {}, .titleWidth = 60, .titleHeight = 12});
    for (std::size_t i = 0; i < 60; ++i) {
        request.nodes[i].group = i % 2;
        if (i >= 2) {
            request.edges.push_back({i - 2, i});
        }
    }
    EXPECT_EQ(wrapped(request).rows, 1U);
}

/// An edge far from all boxes leaves no white stripe.
TEST(WrappedLayout, RowsHaveNoMoreRoomThanTheirLinesNeed) {
    const LayoutRequest request = chainOf(40, true);
    GraphLayout strip = layOutInRows(request);
    const GraphLayout before = wrapLayout(strip, request, pane);
    for (LayoutPoint& point : strip.edges[20]) {
        const bool end = &point == &strip.edges[20].front() || &point == &strip.edges[20].back();
        point.y += end ? 0 : 900;
    }
    strip.height += 900;
    const GraphLayout layout = wrapLayout(strip, request, pane);
    expectSound(request, layout);
    EXPECT_LT(layout.height, before.height + 120);
}

TEST(WrappedLayout, KeepsGraphsThatFitOrAreNotChains) {
    const LayoutRequest few = chainOf(5, true);
    EXPECT_EQ(wrapped(few).rows, 1U);
    LayoutRequest woven = chainOf(40, true);  // each node has an edge to all later nodes
    for (std::size_t i = 0; i < 40; ++i) {
        for (std::size_t j = i + 2; j < 40; ++j) {
            woven.edges.push_back({i, j});
        }
    }
    EXPECT_EQ(wrapped(woven, {.width = 300, .height = 300}).rows, 1U) << "so many lines lead nowhere";
    EXPECT_EQ(wrapped({}).rows, 1U);
    EXPECT_EQ(wrapped(chainOf(40, true), {}).rows, 1U) << "there is no pane";
}

TEST(WrappedLayout, DrawsBackEdges) {
    LayoutRequest request = chainOf(40, true);
    request.edges.push_back({39, 0});
    expectSound(request, wrapped(request));
}

}  // namespace
}  // namespace et::test
