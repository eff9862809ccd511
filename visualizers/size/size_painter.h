#pragma once

#include "inspector/size/treemap.h"
#include "visualizers/size/size_scene.h"

#include <QColor>
#include <QPalette>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// A map as it lies on screen, and what stands out in it.
struct ShownMap {
    const SizeScene& scene;
    const std::vector<inspector::SizeNode>& nodes;
    const std::vector<inspector::MapCell>& cells;  ///< by node, in pixels
    std::size_t root = 0;
    std::optional<std::size_t> chosen{};  ///< a node
    std::vector<bool> linked{};           ///< by piece: what the chosen operators read
    std::vector<bool> hovered{};          ///< by piece: glows
    QString search{};                     ///< names without it are pale; empty: none is
};

/// Paints areas in the colour of what their bytes are there for, with names where there is room.
class SizePainter {
  public:
    void restyle(const QPalette& palette) { colours = palette; }
    void paint(QPainter& painter, const ShownMap& map, const inspector::TreemapStyle& style) const;

  private:
    void paintSum(QPainter& painter, const ShownMap& map, std::size_t node,
                  const inspector::TreemapStyle& style) const;
    void paintPiece(QPainter& painter, const ShownMap& map, std::size_t node) const;
    void paintFrames(QPainter& painter, const ShownMap& map) const;

    QPalette colours;
};

/// The colour of a kind on the ground of `palette`.
[[nodiscard]] QColor sizeColour(inspector::SizeKind kind, const QPalette& palette);

/// "features.0.weight   ·   1.1 KiB (1,152 bytes)   ·   3.4 % of all   ·   constants   ·   float32 [32, 3]".
[[nodiscard]] QString sizeNodeText(const SizeScene& scene, const std::vector<inspector::SizeNode>& nodes,
                                   std::size_t node);

}  // namespace et::visualizers
