#pragma once

#include "visualizers/graph/graph_painter.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/graph_view_state.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Highlights of a scene: the selected box or open group, and nodes that are found, traced or related. They
/// are kept for another scene of the same graph (after opening a group).
class GraphMarking {
  public:
    /// Null: no scene. A scene of another graph starts without highlights.
    void setScene(std::shared_ptr<const GraphScene> now);
    /// Flags by node; empty: none.
    void setFound(std::vector<bool> nodes);
    void setTraced(std::vector<bool> nodes);
    void setRelated(std::vector<bool> nodes);
    void setGlowing(std::vector<bool> nodes);
    void setNoted(std::vector<bool> nodes);
    /// Replaces the selection; nothing clears it.
    void chooseBox(std::optional<std::size_t> box);
    void chooseFrame(std::optional<std::size_t> frame);
    void chooseGroup(core::GraphGroupId group);
    /// Selects it if the graph still contains it.
    void choosePart(const GraphViewState::Part& part, const NodeNames& names);

    [[nodiscard]] const GraphMarks& marks() const { return shown; }
    /// The selection: a box, or an open group as a box.
    [[nodiscard]] std::optional<inspector::DiagramBox> part() const;

  private:
    void keepChoice(const GraphScene& before, const GraphMarks& marked);
    void markBoxes();

    std::shared_ptr<const GraphScene> scene;
    GraphMarks shown;
    std::vector<bool> found;  ///< by node, like the others
    std::vector<bool> traced;
    std::vector<bool> related;
    std::vector<bool> glowing;
    std::vector<bool> noted;
};

}  // namespace et::visualizers
