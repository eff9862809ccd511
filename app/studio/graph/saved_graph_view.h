#pragma once

#include "visualizers/graph/graph_view_state.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace et::studio {

/// The visible part of a graph in a short form for links and navigation.
struct SavedGraphView {
    QString graph;  ///< title
    visualizers::GraphViewState place;

    /// Without the selection; empty if the result would be too long for a link.
    [[nodiscard]] QByteArray toBytes() const;
    /// Returns nothing if the bytes do not come from toBytes().
    [[nodiscard]] static std::optional<SavedGraphView> fromBytes(const QByteArray& compressed);
};

}  // namespace et::studio
