#pragma once

#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/kept_texts.h"
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

/// Where rows of a flame graph stand: the root on top (an icicle) or at the bottom.
struct FlameLayout {
    int width = 0;
    int height = 0;
    int rowHeight = 1;
    bool rootBelow = false;
    int scrolled = 0;  ///< pixels that the rows are moved towards the root

    [[nodiscard]] double topOf(std::size_t depth) const;
    /// The row at a height; nothing: it is above or below all.
    [[nodiscard]] std::optional<std::size_t> depthAt(double y) const;
    /// Rows as high as they are worth, so that a tree of this depth fills a widget of this height.
    [[nodiscard]] static FlameLayout of(std::size_t depth, int width, int height, int line, bool rootBelow,
                                        int scrolled);
    [[nodiscard]] int maxScroll(std::size_t depth) const;
};

/// What stands out.
struct FlameShown {
    const ZoomRange& window;
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> hovered{};
    QString search{};  ///< names without it are pale; empty: none is
};

/// Paints what is on screen of a tree: what is narrower than half a pixel is left out with all below it, so
/// that a frame costs what the screen's width and the tree's depth cost.
class FlamePainter {
  public:
    void restyle(const QPalette& palette);
    void paint(QPainter& painter, const FlameScene& scene, const FlameLayout& layout,
               const FlameShown& shown) const;
    [[nodiscard]] static QRectF rectOf(const FlameScene& scene, const FlameLayout& layout,
                                       const ZoomRange& window, std::size_t node);

  private:
    [[nodiscard]] QColor colourOf(const inspector::report::FlameNode& node, const FlameShown& shown) const;
    void paintNode(QPainter& painter, const FlameScene& scene, std::size_t node, const QRectF& bar,
                   const FlameShown& shown) const;

    [[nodiscard]] QString fitting(const QStringList& each, const QFont& font, int room) const;

    QPalette colours;
    bool dark = false;
    mutable KeptTexts texts;
};

/// "conv2d: 24.0 µs, 7.0 % of the run; before 20.0 µs (+20.0 %)".
[[nodiscard]] QString flameText(const FlameScene& scene, std::size_t node);

}  // namespace et::visualizers
