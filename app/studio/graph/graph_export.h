#pragma once

#include "inspector/graph/graph_numbers.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/model_explorer.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"
#include "runtime/core/graph.h"

#include <QObject>

#include <functional>
#include <string>

class QSettings;

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Labels, layers and numbers of files for Model Explorer.
struct ExplorerContent {
    std::string label;  ///< name of the graph's file
    inspector::ExplorerLayers layers = inspector::ExplorerLayers::Groups;
    inspector::GraphNumbers times;
    inspector::GraphNumbers gap;
};

/// `overlay`: the shown one, which selects the layers. `gap` may be null.
[[nodiscard]] ExplorerContent makeExplorerContent(const inspector::SessionFiles& files,
                                                  inspector::Overlay overlay, inspector::GraphNumbers times,
                                                  const core::ModelGraph& graph,
                                                  const inspector::GapReport* gap);

/// Exports the picture of a graph: to the clipboard, or to a file as SVG, PNG or DOT. Exports the graph with
/// node data for Model Explorer.
class GraphExport : public QObject {
    Q_OBJECT

  public:
    using GetContent = std::function<ExplorerContent()>;

    /// Adds its actions to `canvas`.
    GraphExport(visualizers::GraphCanvas& shown, QSettings& settings, GetContent get, QObject* parent);

    /// Writes the format of the name's extension: .svg, .png, .dot, or .json for Model Explorer, with node
    /// data in files next to it. Returns an empty text or a one-line error.
    [[nodiscard]] QString save(const QString& file) const;
    void copyPicture() const;

  signals:
    void noticed(const QString& line);

  private:
    void promptAndSave();
    [[nodiscard]] QString saveForExplorer(const QString& file) const;

    visualizers::GraphCanvas& canvas;
    QSettings& store;
    GetContent content;
};

}  // namespace et::studio
