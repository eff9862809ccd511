#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_layout.h"
#include "inspector/graph/wrapped_layout.h"
#include "runtime/core/graph.h"
#include "visualizers/graph/graph_scene.h"

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace et::studio {

/// Cache of layouts by their requests; the oldest are dropped. Thread-safe.
class LayoutCache {
  public:
    [[nodiscard]] std::optional<inspector::GraphLayout> find(const inspector::LayoutRequest& request);
    void add(const inspector::LayoutRequest& request, const inspector::GraphLayout& layout);

  private:
    std::mutex mutex;
    std::list<std::pair<inspector::LayoutRequest, inspector::GraphLayout>> layouts;  ///< newest first
    std::size_t boxes = 0;
};

struct SceneRequest {
    std::shared_ptr<const core::ModelGraph> graph;
    inspector::DiagramOptions options{};
    bool leftToRight = false;
    inspector::LayoutPane pane{};  ///< size for wrapping; without a width: not wrapped
    double timeoutSeconds = 8;
    std::shared_ptr<const std::atomic<bool>> cancel{};  ///< may be null
    std::shared_ptr<LayoutCache> cache{};               ///< may be null
};

struct SceneOutcome {
    std::shared_ptr<const visualizers::GraphScene> scene;  ///< null: cancelled
    std::string notice;  ///< why the picture is simplified; empty if it is not
};

/// Decides what to draw and lays it out, with Graphviz if it finishes in time, else in simple rows. Meant for
/// a separate thread.
[[nodiscard]] SceneOutcome makeScene(const SceneRequest& request);

}  // namespace et::studio
