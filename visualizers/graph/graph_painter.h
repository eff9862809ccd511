#pragma once

#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/graph_style.h"
#include "visualizers/graph/plane_view.h"

#include <QTransform>

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

class QPainter;
class QPainterPath;

namespace et::visualizers {

/// Highlights by node or by box; an empty list sets none.
struct Highlights {
    std::vector<bool> related;  ///< related to the selection anywhere in the window
    std::vector<bool> glowing;  ///< under the pointer, here or in another view
    std::vector<bool> found;
    std::vector<bool> traced;    ///< all others are pale
    std::vector<bool> noted;     ///< has a note
    std::vector<bool> current;   ///< the debugger has stopped here
    std::vector<bool> breaking;  ///< has an enabled breakpoint
    std::vector<bool> passing;   ///< has a disabled breakpoint
};
using Highlight = std::vector<bool> Highlights::*;

/// Highlights by box, and the selection.
struct GraphMarks : Highlights {
    std::optional<std::size_t> box;
    std::optional<std::size_t> frame;
};

/// Draws the visible part of a scene: at a small scale with dots and straight lines, at a large scale with
/// text.
class GraphPainter {
  public:
    /// Borrows all arguments.
    GraphPainter(const GraphScene& of, const inspector::BoxColours& fills, const GraphMarks& standOut,
                 const GraphStyle& look, const PlaneView& through);

    /// Paints on the whole device of `painter` without filling its background.
    void paint(QPainter& painter) const;
    /// Paints all boxes as dots, for the overview map.
    void paintSpots(QPainter& painter, const QTransform& toPixels) const;

  private:
    [[nodiscard]] bool pale(std::size_t box) const { return !marks.traced.empty() && !marks.traced[box]; }
    [[nodiscard]] bool lit(std::size_t edge) const;
    [[nodiscard]] QColor fillOf(std::size_t box) const;
    [[nodiscard]] QColor colour(std::string_view text) const;
    using Places = std::vector<std::size_t>;
    void paintFew(QPainter& painter, const Places& edges, const Places& boxes) const;
    void paintMany(QPainter& painter, const Places& edges, const Places& boxes) const;
    void paintFrame(QPainter& painter, std::size_t frame, bool plain) const;
    void paintEdge(QPainter& painter, std::size_t edge) const;
    /// Draws the size of the tensor on an edge, "1×31×64", if there is space.
    void paintSize(QPainter& painter, std::size_t edge, const QPainterPath& path) const;
    void paintBox(QPainter& painter, std::size_t box, double minHeight) const;
    void paintWords(QPainter& painter, std::size_t box, const QRectF& rect) const;
    void paintOutline(QPainter& painter, std::size_t box) const;
    void paintNoteMark(QPainter& painter, std::size_t box) const;
    void paintDebugMarks(QPainter& painter, std::size_t box) const;
    [[nodiscard]] bool wordsShow() const;

    const GraphScene& scene;
    const inspector::BoxColours& colours;
    const GraphMarks& marks;
    const GraphStyle& style;
    const PlaneView& view;
    inspector::GraphView words;
    QRectF seen;
    mutable std::unordered_map<std::string_view, QColor> known;  ///< by text
    mutable std::vector<QRectF> titles{};  ///< rectangles of frame titles and sizes in pixels, which sizes
                                           ///< must not overlap
};

}  // namespace et::visualizers
