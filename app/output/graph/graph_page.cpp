#include "app/output/graph/graph_page.h"

#include "app/output/cells.h"
#include "app/output/graph/graph_info.h"
#include "app/output/info/artifact_info.h"
#include "inspector/graph/graph_dot.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/graph/simplify.h"

#include <algorithm>
#include <utility>

namespace et::output {
namespace {

using core::Result;

constexpr std::int64_t graphSchema = 1;
/// Maximum number of nodes and groups side by side before they are divided into sections.
constexpr std::size_t maxAbreast = 100;

}  // namespace

Result<GraphPage> GraphPage::open(const GraphQuery& question) {
    if (question.overlay == inspector::Overlay::Time && question.source.trace.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, "--overlay time needs --etdump");
    }
    if (question.overlay == inspector::Overlay::Error && question.source.gap.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, "--overlay error needs --gap");
    }
    ET_ASSIGN(tasks::OpenedGraph graph, tasks::openGraph(question.source));
    if (question.simplify) {
        graph.graph = inspector::simplified(graph.graph).graph;
    }
    inspector::foldLongRuns(graph.graph, maxAbreast);
    GraphPage page;
    page.asked = question;
    page.opened = std::make_unique<const tasks::OpenedGraph>(std::move(graph));
    const tasks::OpenedGraph& opened = *page.opened;
    ET_ASSIGN(page.selected, tasks::select(opened.graph, question.selection));
    page.diagram = inspector::Diagram::of(opened.graph, page.selected.options);
    page.labels = inspector::labelsOf(opened.graph, page.diagram);
    page.shown = shownNodes(opened.graph, page.diagram);
    page.colours =
        inspector::coloursOf(opened.graph, page.diagram, question.overlay,
                             question.overlay == inspector::Overlay::Error ? page.errors() : page.times());
    return page;
}

inspector::GraphNumbers GraphPage::times() const {
    return inspector::placeTimes(opened->graph, opened->measured, opened->times.unit);
}

inspector::GraphNumbers GraphPage::errors() const {
    return opened->gap ? inspector::placeGap(opened->graph, *opened->gap, inspector::GapMetric::Mse)
                       : inspector::GraphNumbers{.title = {}, .unit = {}, .parts = {}};
}

inspector::ExplorerView GraphPage::explorerView(inspector::ExplorerLayers layers) const {
    return {.graph = opened->graph,
            .shown = shown,
            .label = asked.source.file.filename().string(),
            .layers = layers};
}

std::string GraphPage::explorer(inspector::ExplorerLayers layers) const {
    return inspector::explorerGraph(explorerView(layers));
}

std::vector<inspector::ExplorerData> GraphPage::explorerData() const {
    return inspector::explorerData(explorerView(inspector::ExplorerLayers::Groups), times(), errors());
}

inspector::GraphView GraphPage::view() const {
    return {.graph = opened->graph,
            .diagram = diagram,
            .labels = labels,
            .colours = colours,
            .found = selected.found,
            .leftToRight = asked.leftToRight};
}

bool GraphPage::foundNothing() const {
    return !selected.found.empty() && !std::ranges::contains(selected.found, true);
}

std::string GraphPage::text() const {
    return graphOutline(view(), !asked.selection.find.empty());
}

std::string GraphPage::json() const {
    Dict info{{"schema", graphSchema}, {"file", asked.source.file.string()}};
    append(info, graphInfo(view(), opened->times));
    return jsonLine(std::move(info));
}

std::string GraphPage::dot() const {
    return inspector::graphDot(view());
}

Result<std::string> GraphPage::picture(const inspector::LayoutOptions& options) const {
    return inspector::layOut(inspector::layoutRequest(view()), options)
        .transform(
            [&](const inspector::GraphLayout& placed) { return inspector::graphPicture(view(), placed); });
}

}  // namespace et::output
