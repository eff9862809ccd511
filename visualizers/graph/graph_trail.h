#pragma once

#include "runtime/core/graph.h"

#include <QLabel>
#include <QStringList>

#include <optional>

namespace et::visualizers {

/// Path in a graph: the graph, its groups from the outermost to the innermost, the selection. A click on a
/// group goes to it.
class GraphTrail : public QLabel {
    Q_OBJECT

  public:
    explicit GraphTrail(QWidget* parent = nullptr);

    /// `group`: the innermost; `last`: the text after it, or nothing.
    void show(const core::ModelGraph& graph, std::optional<core::GraphGroupId> group, const QString& last);

  signals:
    void groupRequested(et::core::GraphGroupId group);
    void graphRequested();  ///< the whole graph

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void write();

    QStringList crumbs;  ///< with a placeholder for the link colour
};

}  // namespace et::visualizers
