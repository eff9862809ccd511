#include "app/studio/graph/graph_loader.h"

#include "backends/builtin.h"

#include <utility>

namespace et::studio {

using inspector::GraphChoice;
using inspector::Session;

namespace {

core::Result<inspector::SimplifiedGraph> graphFor(const Session& session, const GraphChoice& choice,
                                                  bool all) {
    if (!all) {
        return inspector::makeReadableGraph(session, choice, backends::describable());
    }
    ET_ASSIGN(core::ModelGraph graph, inspector::graphOf(session, choice, backends::describable()));
    return inspector::SimplifiedGraph{.graph = std::move(graph)};
}

GraphReading readGraph(const Session& session, const GraphChoice& choice, bool all) {
    auto graph = graphFor(session, choice, all);
    if (!graph) {
        return {.graph = nullptr, .error = graph.error().toString(), .times = {}};
    }
    GraphReading out{.graph = std::make_shared<const core::ModelGraph>(std::move(graph->graph)),
                     .error = {},
                     .hidden = graph->hidden,
                     .times = {}};
    const program::Method* method =
        session.program == nullptr ? nullptr : session.program->findMethod(choice.method);
    if (session.blocks != nullptr && method != nullptr) {
        const auto measured = inspector::measuredTimes({.program = *session.program,
                                                        .backends = backends::describable(),
                                                        .record = session.record.get(),
                                                        .blocks = session.blocks.get(),
                                                        .method = method->name},
                                                       *method);
        const auto unit = inspector::traits(session.blocks->options().target).name;
        out.times = inspector::placeTimes(*out.graph, measured, std::string(unit));
    }
    return out;
}

}  // namespace

GraphLoader::GraphLoader(QObject* parent) : QObject(parent), reading(this), placing(this) {
}

GraphLoader::~GraphLoader() {
    cancel();
}

void GraphLoader::setSession(std::shared_ptr<const Session> of) {
    cancel();
    known.clear();
    session = std::move(of);
}

void GraphLoader::read(const GraphChoice& choice, bool all) {
    const std::pair key(choice.title, all);
    if (const auto found = known.find(key); found != known.end()) {
        emit graphRead(found->second);
        return;
    }
    reading.start([from = session, choice, all] { return readGraph(*from, choice, all); },
                  [this, key](const GraphReading& made) {
                      if (made.graph) {
                          known[key] = made;
                      }
                      emit graphRead(made);
                  });
}

void GraphLoader::layOut(std::shared_ptr<const core::ModelGraph> graph,
                         const inspector::DiagramOptions& options, bool leftToRight,
                         const inspector::LayoutPane& pane) {
    cancel();
    stop = std::make_shared<std::atomic<bool>>(false);
    SceneRequest request{.graph = std::move(graph),
                         .options = options,
                         .leftToRight = leftToRight,
                         .pane = pane,
                         .cancel = stop,
                         .cache = layouts};
    placing.start([request = std::move(request)] { return makeScene(request); },
                  [this](const SceneOutcome& outcome) { emit sceneMade(outcome); });
}

void GraphLoader::cancel() {
    if (stop) {
        stop->store(true);
        stop = nullptr;
    }
    reading.forget();
    placing.forget();
}

}  // namespace et::studio
