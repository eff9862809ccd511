#include "app/studio/range/range_panel.h"

#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/stretch_pane.h"
#include "visualizers/timeline/timeline.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/widgets.h"

#include <QLabel>
#include <QStackedLayout>

#include <chrono>
#include <optional>

namespace et::studio {

namespace {

constexpr auto rangeRest = std::chrono::milliseconds(60);

/// The selected range in ticks from the timeline's origin.
std::optional<visualizers::TickRange> rangeIn(const visualizers::Timeline* timeline,
                                              const visualizers::Selection& selection) {
    const auto range = selection.range();
    return timeline != nullptr && range && range->first >= timeline->origin && range->last >= range->first
               ? std::optional(
                     visualizers::TickRange{range->first - timeline->origin, range->last - timeline->origin})
               : std::nullopt;
}

}  // namespace

RangePanel::RangePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      hint(visualizers::hintLabel("rangeHint", this)),
      measurement(visualizers::plainLabel("rangeMeasurement", this, {.margin = 4, .selectable = true})),
      sums(new visualizers::StretchPane(this)),
      pages(new QStackedLayout(this)) {
    auto* const shown = new QWidget(this);
    visualizers::fillColumn(*shown, {measurement, sums});
    hint->setText(QStringLiteral(
        "Drag with Shift on the timeline, or choose a run in Runs, to see the time in that range."));
    pages->addWidget(hint);
    pages->addWidget(shown);
    rest.setSingleShot(true);
    rest.setInterval(rangeRest);
    connect(&rest, &QTimer::timeout, this, &RangePanel::showSums);
    connect(&chosen, &visualizers::Selection::rangeChanged, this, [this] {
        follow();
        if (pages->currentIndex() == 1) {
            emit frontWanted();
        }
    });
    connect(&results, &visualizers::Results::timelineChanged, this, &RangePanel::follow);
    connect(sums, &visualizers::StretchPane::eventChosen, this,
            [this](visualizers::EventRef event) { chosen.setCurrent(event); });
    follow();
}

bool RangePanel::hasContent() const {
    return opened.blocks() != nullptr;
}

void RangePanel::follow() {
    const bool any = rangeIn(results.timeline().get(), chosen).has_value();
    pages->setCurrentIndex(any ? 1 : 0);
    if (any) {
        rest.start();
    }
}

void RangePanel::showSums() {
    const auto timeline = results.timeline();
    if (const auto range = rangeIn(timeline.get(), chosen)) {
        measurement->setText(visualizers::stretchText(*timeline, range->first, range->last));
        sums->show(*timeline, range->first, range->last);
    }
}

}  // namespace et::studio
