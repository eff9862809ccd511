#pragma once

#include "visualizers/graph/graph_painter.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/graph_view_state.h"

#include <QString>

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
    /// Flags by node; empty: none. Returns false if they are unchanged.
    bool highlight(Highlight which, std::vector<bool> nodes);
    /// Notes by node; empty: none.
    void setNotes(std::vector<QString> texts);
    /// Replaces the selection; nothing clears it.
    void chooseBox(std::optional<std::size_t> box);
    void chooseFrame(std::optional<std::size_t> frame);
    void chooseGroup(core::GraphGroupId group);
    /// Selects it if the graph still contains it.
    void choosePart(const GraphViewState::Part& part, const NodeNames& names);

    [[nodiscard]] const GraphMarks& marks() const { return shown; }
    /// The selection: a box, or an open group as a box.
    [[nodiscard]] std::optional<inspector::DiagramBox> part() const;
    /// Notes on a box, one a line.
    [[nodiscard]] QString notesTo(std::size_t box) const;

  private:
    void keepChoice(const GraphScene& before, const GraphMarks& marked);
    void markBoxes(Highlight which);

    std::shared_ptr<const GraphScene> scene;
    GraphMarks shown;
    Highlights byNode;
    std::vector<QString> notes;  ///< by node
};

}  // namespace et::visualizers
