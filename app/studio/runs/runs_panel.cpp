#include "app/studio/runs/runs_panel.h"

#include "inspector/format/quantities.h"
#include "inspector/format/time_scale.h"
#include "inspector/join/event_blocks.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/executions.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/share_bar_delegate.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QLabel>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace et::studio {

using visualizers::ReportTableModel;
using visualizers::Span;
using visualizers::TickRange;

namespace {

constexpr int headMargin = 4;
constexpr int shareColumn = 2;
constexpr double wholePercent = 100;

}  // namespace

RunsPanel::RunsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      looking(this),
      head(visualizers::plainLabel("runsHead", this, {.margin = headMargin})),
      table(new visualizers::ReportTable(this)) {
    table->setHint(QStringLiteral("Open a trace to see the time of each run."));
    table->view().setObjectName(QStringLiteral("runTimes"));
    table->view().setAccessibleName(QStringLiteral("Runs and their times"));
    table->view().setRootIsDecorated(false);
    table->view().setSelectionMode(QAbstractItemView::SingleSelection);
    table->view().setItemDelegateForColumn(
        shareColumn, new visualizers::ShareBarDelegate(ReportTableModel::ShareRole, table));
    visualizers::fillColumn(*this, {head, table});
    setFocusProxy(table);
    connect(table, &visualizers::ReportTable::rowChosen, this, &RunsPanel::choose);
    connect(&chosen, &visualizers::Selection::rangeChanged, this, &RunsPanel::showRange);
    connect(&opened, &visualizers::OpenSession::changed, this, &RunsPanel::showSession);
    showSession();
}

bool RunsPanel::hasContent() const {
    return opened.blocks() != nullptr;
}

void RunsPanel::showSession() {
    const auto blocks = opened.session() ? opened.session()->blocks : nullptr;
    if (blocks == shown && blocks != nullptr) {
        return;  // another trace was added
    }
    shown = blocks;
    looking.forget();
    showRuns({});
    if (blocks) {
        looking.start([blocks] { return visualizers::executionsOf(blocks->trace(), 0); },
                      [this](const Runs& found) { showRuns(found); });
    }
}

void RunsPanel::showRuns(const Runs& found) {
    runs = found;
    const inspector::JoinOptions options = shown ? shown->options() : inspector::JoinOptions();
    const double ticks = inspector::ticksPerUnit(options.clock.unit, options.target);
    std::vector<double> times;
    std::ranges::transform(runs, std::back_inserter(times), [ticks](const Span& run) {
        return static_cast<double>(run.end - run.start) / ticks;
    });
    const double longest = times.empty() ? 0 : *std::ranges::max_element(times);
    visualizers::ReportRows rows;
    rows.table.columns = {
        {.id = "run", .header = QStringLiteral("Run").toStdString(), .numeric = true},
        {.id = "time",
         .header = QStringLiteral("Time").toStdString(),
         .numeric = true,
         .measure = inspector::format::measureOf(options.target)},
        {.id = "share", .header = QStringLiteral("Of longest").toStdString(), .numeric = true}};
    rows.styles = {visualizers::NumberStyle::Plain, visualizers::NumberStyle::Plain,
                   visualizers::NumberStyle::Percent};
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double share = longest > 0 ? times[i] / longest : 0;
        rows.table.rows.push_back({std::uint64_t{i + 1}, times[i], share * wholePercent});
        rows.table.heat.push_back(share);
    }
    table->setRows(std::move(rows));
    head->setVisible(!times.empty());
    if (!times.empty()) {
        const inspector::Statistics all = inspector::summarize(times);
        head->setText(
            QStringLiteral("%1: p50 %2, %3 to %4")
                .arg(visualizers::counted(times.size(), QStringLiteral("1 run"), QStringLiteral("%1 runs")),
                     visualizers::timeText(all.p50, options.target),
                     visualizers::timeText(all.minimum, options.target),
                     visualizers::timeText(all.maximum, options.target)));
    }
    showRange();
}

void RunsPanel::choose(std::size_t row) {
    if (row < runs.size()) {
        chosen.setRange(TickRange{runs[row].start, runs[row].end});
    }
}

/// Shows the selected run, whichever panel it was selected in.
void RunsPanel::showRange() {
    const auto range = chosen.range();
    const auto found = std::ranges::find_if(
        runs, [&](const Span& run) { return range && run.start == range->first && run.end == range->last; });
    table->choose(found == runs.end() ? std::nullopt
                                      : std::optional(static_cast<std::size_t>(found - runs.begin())));
}

}  // namespace et::studio
