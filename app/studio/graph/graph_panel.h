#pragma once

#include "app/studio/graph/graph_loader.h"
#include "app/studio/panel.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/session_graphs.h"
#include "visualizers/graph/graph_view_state.h"
#include "visualizers/graph/open_groups.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QToolBar;
class QToolButton;

namespace et::visualizers {
class GraphCanvas;
class GraphDetailsPane;
class GraphFindBar;
class GraphLegend;
class GraphTrail;
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

class GraphDebugMarks;
class GraphExport;
struct ExplorerContent;
class GraphFinder;
class GraphFit;
class GraphSelectionLink;
class GraphTracing;
class OverlayBox;

/// Panel of the session's graphs: a program with its delegates expanded in place, and the record's graphs
/// with modules as groups. Read and laid out in the background once the panel is first shown.
class GraphPanel : public Panel {
    Q_OBJECT

  public:
    GraphPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    void setInspectorOpen(bool open) override;
    void arrangedFor(const Perspective& perspective) override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::GraphCanvas& canvas() { return *view; }
    [[nodiscard]] const GraphExport& exporter() const { return *saving; }
    /// True while a graph is being read, laid out or searched.
    [[nodiscard]] bool busy() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void createTools(QToolBar& tools);
    void createBody();
    void createActions();
    void connectViews();
    QAction* add(const QString& text, const QKeySequence& key, const std::function<void()>& slot);

    void showSession();
    void saveViewState();
    void chooseGraph();
    void takeGraph(const GraphReading& reading);
    void layOut(const inspector::DiagramOptions& options);
    void takeScene(const SceneOutcome& outcome);
    void cancel();
    void setStatus(const QString& text, bool cancellable);

    void showColours();
    void showChoice();
    void takeChoice();
    void showNode(core::GraphNodeId node);
    void showGroups();
    /// Lays the graph out again for a resized pane, with another direction or other rows.
    void refit();
    [[nodiscard]] const inspector::GraphChoice* choice() const;
    [[nodiscard]] ExplorerContent explorerContent() const;
    [[nodiscard]] inspector::BoxColours colours(const visualizers::GraphScene& scene) const;

    const visualizers::OpenSession& opened;
    visualizers::Results& results;
    GraphLoader* loader;
    std::vector<inspector::GraphChoice> choices;
    std::shared_ptr<const core::ModelGraph> graph;  ///< of the choice; null until read
    inspector::GraphNumbers times;
    visualizers::OpenGroups groups;
    bool first = true;                                ///< the graph has no scene yet
    bool pending = false;                             ///< the choice waits until the panel is visible
    std::optional<core::GraphNodeId> wanted;          ///< node to select in the next scene
    inspector::SessionFiles files;                    ///< source files of the graphs
    std::optional<visualizers::GraphViewState> kept;  ///< view to restore after a reload

    QComboBox* graphBox;
    OverlayBox* overlayBox;
    QAction* everything = nullptr;  ///< shows all nodes, and repeated groups individually
    bool squeezed = false;          ///< the details are narrower than their preferred width
    std::size_t hiddenNodes = 0;
    visualizers::GraphFindBar* search;
    visualizers::GraphTrail* trail;
    QLabel* status;
    QToolButton* cancelButton;
    visualizers::Splitter* splitter;
    visualizers::GraphCanvas* view;
    visualizers::GraphDetailsPane* info;
    visualizers::GraphLegend* legend;
    GraphFinder* finder = nullptr;
    GraphFit* fit = nullptr;
    GraphSelectionLink* link = nullptr;
    GraphTracing* tracing = nullptr;
    GraphDebugMarks* debugMarks = nullptr;
    GraphExport* saving = nullptr;
};

}  // namespace et::studio
