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

/// View state and highlights of a size map.
struct ShownMap {
    const SizeScene& scene;
    const std::vector<inspector::SizeNode>& nodes;
    const std::vector<inspector::MapCell>& cells;  ///< by node, in pixels
    std::size_t root = 0;
    std::optional<std::size_t> chosen{};  ///< a node
    std::vector<bool> linked{};           ///< by piece: read by the selected operators
    std::vector<bool> hovered{};          ///< by piece: highlighted
    QString search{};                     ///< nodes whose name does not contain it are pale; empty: none
};

/// Paints areas in the colour of their kind, with names if there is space.
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

/// The colour of a kind on the background of `palette`.
[[nodiscard]] QColor sizeColour(inspector::SizeKind kind, const QPalette& palette);

/// "features.0.weight   ·   1.1 KiB (1,152 bytes)   ·   3.4 % of all   ·   constants   ·   float32 [32, 3]".
[[nodiscard]] QString sizeNodeText(const SizeScene& scene, const std::vector<inspector::SizeNode>& nodes,
                                   std::size_t node);

}  // namespace et::visualizers
