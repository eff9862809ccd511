#include "app/studio/graph/graph_finder.h"

#include "inspector/graph/graph_search.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_find_bar.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <utility>

namespace et::studio {

using visualizers::GraphFindBar;

GraphFinder::GraphFinder(GraphFindBar& typed, visualizers::GraphCanvas& shown, QObject* parent)
    : QObject(parent), bar(typed), canvas(shown), searching(this) {
    connect(&bar, &GraphFindBar::searched, this, &GraphFinder::searchFor);
    connect(&bar, &GraphFindBar::nextRequested, this, &GraphFinder::next);
    connect(&bar, &GraphFindBar::previousRequested, this, &GraphFinder::previous);
}

bool GraphFinder::busy() const {
    return bar.waiting() || searching.running();
}

void GraphFinder::setGraph(std::shared_ptr<const core::ModelGraph> in) {
    graph = std::move(in);
    searchFor(bar.text());
}

void GraphFinder::searchFor(const QString& text) {
    searching.forget();
    if (!graph || text.isEmpty()) {
        take({});
        return;
    }
    const auto work = [in = graph, pattern = text.toStdString()]() -> Search {
        const auto search = inspector::GraphSearch::make(pattern);
        return search ? Search{.found = search->matchesIn(*in), .error = {}}
                      : Search{.found = {}, .error = search.error().toString()};
    };
    searching.start(work, [this](const Search& result) { take(result); });
}

void GraphFinder::take(const Search& result) {
    found.clear();
    place.reset();
    for (std::uint32_t i = 0; i < result.found.size(); ++i) {
        if (result.found[i]) {
            found.emplace_back(i);
        }
    }
    canvas.highlight(&visualizers::Highlights::found, found.empty() ? std::vector<bool>() : result.found);
    bar.showCount(found.size(), place);
    if (!result.error.empty()) {
        bar.showError(visualizers::toQString(result.error));
    }
}

void GraphFinder::next() {
    if (!found.empty()) {
        show(place ? (*place + 1) % found.size() : 0);
    }
}

void GraphFinder::previous() {
    if (!found.empty()) {
        show((place.value_or(0) + found.size() - 1) % found.size());
    }
}

void GraphFinder::show(std::size_t number) {
    place = number;
    bar.showCount(found.size(), place);
    emit nodeWanted(found[number]);
}

}  // namespace et::studio
