#pragma once

#include "runtime/core/graph.h"

#include <QLabel>
#include <QStringList>

#include <optional>

namespace et::visualizers {

/// Where in a graph one is: the graph, the groups from the outermost to the innermost, what is chosen. A
/// click on a group leads there.
class GraphTrail : public QLabel {
    Q_OBJECT

  public:
    explicit GraphTrail(QWidget* parent = nullptr);

    /// `group`: the innermost; `last`: what stands behind it, or nothing.
    void show(const core::ModelGraph& graph, std::optional<core::GraphGroupId> group, const QString& last);

  signals:
    void groupRequested(et::core::GraphGroupId group);
    void graphRequested();  ///< the whole of it

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void write();

    QStringList crumbs;  ///< with a place for the colour of links
};

}  // namespace et::visualizers
