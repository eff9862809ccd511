#pragma once

#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/text_layout_cache.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QColor>
#include <QPalette>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// Row layout of a flame graph with the root on top (icicle) or at the bottom.
struct FlameLayout {
    int width = 0;
    int height = 0;
    int rowHeight = 1;
    bool rootBelow = false;
    int scrolled = 0;  ///< scroll offset in pixels towards the root

    [[nodiscard]] double topOf(std::size_t depth) const;
    /// The row at a vertical position; nothing above or below all rows.
    [[nodiscard]] std::optional<std::size_t> depthAt(double y) const;
    /// Chooses a row height so that a tree of this depth fills a widget of this height.
    [[nodiscard]] static FlameLayout of(std::size_t depth, int width, int height, int line, bool rootBelow,
                                        int scrolled);
    [[nodiscard]] int maxScroll(std::size_t depth) const;
};

/// View state and highlights.
struct FlameShown {
    const ZoomRange& window;
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> hovered{};
    QString search{};  ///< nodes whose name does not contain it are pale; empty: none
};

/// Paints the visible part of a tree. Nodes narrower than half a pixel are skipped with their subtrees, so
/// the cost depends on screen width and tree depth.
class FlamePainter {
  public:
    void restyle(const QPalette& palette);
    void paint(QPainter& painter, const FlameScene& scene, const FlameLayout& layout,
               const FlameShown& shown) const;
    [[nodiscard]] static QRectF rectOf(const FlameScene& scene, const FlameLayout& layout,
                                       const ZoomRange& window, std::size_t node);

  private:
    [[nodiscard]] QColor colourOf(const inspector::events::FlameNode& node, const FlameShown& shown) const;
    void paintNode(QPainter& painter, const FlameScene& scene, std::size_t node, const QRectF& bar,
                   const FlameShown& shown) const;

    [[nodiscard]] QString fitting(const QStringList& each, const QFont& font, int room) const;

    QPalette colours;
    bool dark = false;
    mutable TextLayoutCache texts;
};

/// "conv2d: 24.0 µs, 7.0 % of the run; before 20.0 µs (+20.0 %)".
[[nodiscard]] QString flameText(const FlameScene& scene, std::size_t node);

}  // namespace et::visualizers
