#include "app/studio/inspector/model_sections.h"

#include "app/studio/key_figures.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/quantities.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/prose.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace et::studio {

namespace {

using inspector::events::EventRow;
using visualizers::DetailSection;
using visualizers::toQString;

constexpr std::size_t mostLines = 8;

/// Operators by their fraction of their block's time, largest first.
std::vector<std::pair<double, const EventRow*>> slowest(const inspector::events::EventRows& rows) {
    std::vector<std::pair<double, const EventRow*>> shares;
    for (const EventRow& row : rows.rows) {
        const auto share = rows.selfShare(row);
        if (share && *share > 0 && !row.hasParts && row.event->chain >= 0) {
            shares.emplace_back(*share, &row);
        }
    }
    const auto end = shares.begin() + static_cast<std::ptrdiff_t>(std::min(mostLines, shares.size()));
    std::ranges::partial_sort(shares, end, std::ranges::greater{},
                              [](const auto& each) { return each.first; });
    shares.erase(end, shares.end());
    return shares;
}

DetailSection timeSection(const ModelSummary& facts) {
    DetailSection section{
        .title = QStringLiteral("Most time"), .info = {}, .link = QStringLiteral("panel:events")};
    for (const auto& [share, row] : slowest(facts.rows)) {
        section.info.push_back({.label = toQString(inspector::format::readablePercent(share)),
                                .text = toQString(inspector::events::readableName(*row->block, *row->event)),
                                .link = QStringLiteral("event:%1:%2")
                                            .arg(row->blockAt)
                                            .arg(row->event - row->block->events.data())});
    }
    return section;
}

DetailSection findingsSection(const ModelSummary& facts) {
    DetailSection section{
        .title = QStringLiteral("Top findings"), .info = {}, .link = QStringLiteral("panel:overview")};
    for (std::size_t i = 0; i < std::min(mostLines, facts.findings.size()); ++i) {
        const inspector::Finding& finding = facts.findings[i];
        const bool hasPlace = !finding.instructions.empty() || !finding.handles.empty();
        section.info.push_back({.label = {},
                                .text = visualizers::prosePlain(toQString(finding.title)),
                                .link = hasPlace ? QStringLiteral("finding:%1").arg(i) : QString()});
    }
    return section;
}

}  // namespace

visualizers::Description describeModel(const ModelSummary& facts) {
    visualizers::Description description{.title = fileNames(facts.session->files),
                                         .subtitle = keyFigures(*facts.session),
                                         .warnings = {},
                                         .sections = {}};
    addSection(description.sections, timeSection(facts));
    addSection(description.sections, findingsSection(facts));
    return description;
}

bool chooseFinding(const ModelSummary& facts, std::size_t place, visualizers::Selection& selection) {
    if (place >= facts.findings.size()) {
        return false;
    }
    const inspector::Finding& finding = facts.findings[place];
    if (!finding.instructions.empty()) {
        selection.setOperator({.method = finding.method, .instruction = finding.instructions.front()});
    } else if (!finding.handles.empty()) {
        selection.setHandles(finding.method, finding.handles);
    }
    return !finding.instructions.empty() || !finding.handles.empty();
}

}  // namespace et::studio
