#pragma once

#include "app/studio/background.h"
#include "app/studio/graph/scene_maker.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/graph/session_graphs.h"
#include "inspector/session/session.h"

#include <QObject>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace et::studio {

/// A graph of the session as it was read.
struct GraphReading {
    std::shared_ptr<const core::ModelGraph> graph;  ///< null: see `error`
    std::string error;
    std::size_t hidden = 0;         ///< number of nodes omitted from it (inspector/graph/simplify.h)
    inspector::GraphNumbers times;  ///< without parts if no trace has any
};

/// Reads and lays out graphs on threads, one at a time, and caches the results.
class GraphLoader : public QObject {
    Q_OBJECT

  public:
    explicit GraphLoader(QObject* parent);
    ~GraphLoader() override;
    GraphLoader(const GraphLoader&) = delete;
    GraphLoader& operator=(const GraphLoader&) = delete;

    /// Drops the graphs of the previous session. May be null.
    void setSession(std::shared_ptr<const inspector::Session> of);
    /// `all`: the complete graph instead of the simplified one.
    void read(const inspector::GraphChoice& choice, bool all);
    /// Lays out for a pane of this size: long chains are wrapped to fit.
    void layOut(std::shared_ptr<const core::ModelGraph> graph, const inspector::DiagramOptions& options,
                bool leftToRight, const inspector::LayoutPane& pane);
    /// Drops the results of all pending requests.
    void cancel();

    [[nodiscard]] bool busy() const { return reading.running() || placing.running(); }

  signals:
    void graphRead(const et::studio::GraphReading& reading);
    void sceneMade(const et::studio::SceneOutcome& outcome);

  private:
    std::shared_ptr<const inspector::Session> session;
    Background<GraphReading> reading;
    Background<SceneOutcome> placing;
    std::map<std::pair<std::string, bool>, GraphReading> known;  ///< by the title of the choice and `all`
    std::shared_ptr<LayoutCache> layouts = std::make_shared<LayoutCache>();
    std::shared_ptr<std::atomic<bool>> stop;  ///< of the current layout
};

}  // namespace et::studio
