#pragma once

#include "runtime/core/result.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Positions of a diagram's boxes and lines. Lengths are in points (1/72 inch); y points down.
namespace et::inspector {

/// Input of a layout.
struct LayoutRequest {
    struct Node {
        double width = 0;
        double height = 0;
        std::optional<std::size_t> group{};
        bool operator==(const Node&) const = default;
    };
    struct Group {
        std::optional<std::size_t> parent{};  ///< precedes it
        double titleWidth = 0;                ///< space to reserve at its top
        double titleHeight = 0;
        bool operator==(const Group&) const = default;
    };
    struct Edge {
        std::size_t from = 0;
        std::size_t to = 0;
        /// Leads to an earlier node: `to` is placed before `from`.
        bool backward = false;
        bool operator==(const Edge&) const = default;
    };

    std::vector<Node> nodes;
    std::vector<Group> groups;
    std::vector<Edge> edges;
    bool leftToRight = false;  ///< instead of top to bottom
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

/// Positions of the requested items, in the same order. Immutable.
struct GraphLayout {
    double width = 0;
    double height = 0;
    std::vector<LayoutBox> nodes;
    std::vector<LayoutBox> groups;
    /// Bezier curves: a start, then three points for each piece. Empty for an edge that could not be drawn.
    std::vector<std::vector<LayoutPoint>> edges;
    std::size_t rows = 1;  ///< number of rows into which its chain is wrapped (wrapped_layout.h)
};

struct LayoutOptions {
    double timeoutSeconds = 60;
    const std::atomic<bool>* cancel = nullptr;  ///< if it becomes true, the layout fails with
                                                ///< ErrorCode::Cancelled
    std::filesystem::path helper{};             ///< path of et-layout; empty: the one next to this program
};

/// Lays out with Graphviz's dot in a separate process (et-layout), because dot takes minutes for some graphs,
/// cannot be stopped and crashes on some input. Callable from any thread. Errors: NotFound (no et-layout),
/// Limit (exceeded the timeout or its memory limit), Cancelled, Io.
[[nodiscard]] core::Result<GraphLayout> layOut(const LayoutRequest& request,
                                               const LayoutOptions& options = {});

}  // namespace et::inspector
