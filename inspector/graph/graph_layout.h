#pragma once

#include "runtime/core/result.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Where the boxes and lines of a diagram go. Lengths are in points (1/72 inch); y goes down.
namespace et::inspector {

/// What is to be laid out.
struct LayoutRequest {
    struct Node {
        double width = 0;
        double height = 0;
        std::optional<std::size_t> group{};
        bool operator==(const Node&) const = default;
    };
    struct Group {
        std::optional<std::size_t> parent{};  ///< stands before it
        double titleWidth = 0;                ///< room to keep at its top
        double titleHeight = 0;
        bool operator==(const Group&) const = default;
    };
    struct Edge {
        std::size_t from = 0;
        std::size_t to = 0;
        bool operator==(const Edge&) const = default;
    };

    std::vector<Node> nodes;
    std::vector<Group> groups;
    std::vector<Edge> edges;
    bool leftToRight = false;  ///< instead of downwards
    bool operator==(const LayoutRequest&) const = default;
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
};

struct LayoutBox {
    double x = 0;  ///< left
    double y = 0;  ///< top
    double width = 0;
    double height = 0;
};

/// Positions of what was asked for, in its order. Immutable.
struct GraphLayout {
    double width = 0;
    double height = 0;
    std::vector<LayoutBox> nodes;
    std::vector<LayoutBox> groups;
    /// Bezier curves: a start, then three points for each piece. Empty for an edge that could not be drawn.
    std::vector<std::vector<LayoutPoint>> edges;
    std::size_t rows = 1;  ///< that its chain is wrapped into (wrapped_layout.h)
};

struct LayoutOptions {
    double timeoutSeconds = 60;
    const std::atomic<bool>* cancel = nullptr;  ///< becomes true: the layout ends with ErrorCode::Cancelled
    std::filesystem::path helper{};             ///< et-layout; empty: the one beside this program
};

/// Lays out with Graphviz's dot, which takes minutes for some graphs, cannot be stopped and does not survive
/// all input: so it runs in a process of its own (et-layout), from any thread. Errors: NotFound (no
/// et-layout), Limit (it took longer than the timeout, or more memory than it may), Cancelled, Io.
[[nodiscard]] core::Result<GraphLayout> layOut(const LayoutRequest& request,
                                               const LayoutOptions& options = {});

}  // namespace et::inspector
