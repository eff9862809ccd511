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
    std::shared_ptr<const core::ModelGraph> graph;  ///< null: `error` says why
    std::string error;
    std::size_t hidden = 0;         ///< nodes that are left out of it (inspector/graph/simplify.h)
    inspector::GraphNumbers times;  ///< without parts where no trace has any
};

/// Reads graphs and lays them out on threads, one at a time, and keeps what it has made.
class GraphLoader : public QObject {
    Q_OBJECT

  public:
    explicit GraphLoader(QObject* parent);
    ~GraphLoader() override;
    GraphLoader(const GraphLoader&) = delete;
    GraphLoader& operator=(const GraphLoader&) = delete;

    /// Forgets the graphs of the session before. May be null.
    void setSession(std::shared_ptr<const inspector::Session> of);
    /// All of it, or what people want to see.
    void read(const inspector::GraphChoice& choice, bool all);
    /// For a pane of this size: a long chain is wrapped in it.
    void layOut(std::shared_ptr<const core::ModelGraph> graph, const inspector::DiagramOptions& options,
                bool leftToRight, const inspector::LayoutPane& pane);
    /// Nothing that was asked for comes any more.
    void cancel();

    [[nodiscard]] bool busy() const { return reading.running() || placing.running(); }

  signals:
    void graphRead(const et::studio::GraphReading& reading);
    void sceneMade(const et::studio::SceneOutcome& outcome);

  private:
    std::shared_ptr<const inspector::Session> session;
    Background<GraphReading> reading;
    Background<SceneOutcome> placing;
    std::map<std::pair<std::string, bool>, GraphReading> known;  ///< by the title of the choice, and `all`
    std::shared_ptr<LayoutCache> layouts = std::make_shared<LayoutCache>();
    std::shared_ptr<std::atomic<bool>> stop;  ///< of what is laid out now
};

}  // namespace et::studio
