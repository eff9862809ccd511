#include "visualizers/timeline/stretch_pane.h"

#include "visualizers/timeline/time_sum_table.h"
#include "visualizers/timeline/timeline_lists.h"
#include "visualizers/timeline/timeline_statistics.h"

#include <QTabWidget>
#include <QVBoxLayout>

namespace et::visualizers {

StretchPane::StretchPane(QWidget* parent)
    : QWidget(parent),
      names(new TimeSumTable(QStringLiteral("Operator"), QStringLiteral("Events"), this)),
      modules(new TimeSumTable(QStringLiteral("Module"), QStringLiteral("Events"), this)),
      delegates(new TimeSumTable(QStringLiteral("Delegate"), QStringLiteral("Events"), this)) {
    auto* const tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    names->setObjectName(QStringLiteral("stretchNames"));
    modules->setObjectName(QStringLiteral("stretchModules"));
    delegates->setObjectName(QStringLiteral("stretchDelegates"));
    for (TimeSumTable* const table : {names, modules, delegates}) {
        tabs->addTab(table, table->accessibleName());
        connect(table, &TimeSumTable::rowChosen, this, [this](const TimeSum& sum) {
            if (sum.event) {
                emit eventChosen(*sum.event);
            }
        });
    }
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(tabs);
}

void StretchPane::show(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    const StretchStatistics held = computeStatistics(timeline, from, to);
    const inspector::TimeScale unit = timeline.blocks->options().target;
    const std::uint64_t length = to - from;
    names->show(stretchSums(timeline, held.names, length, QStringLiteral("(no name)")), unit);
    modules->show(stretchSums(timeline, held.modules, length, QStringLiteral("(no module)")), unit);
    delegates->show(stretchSums(timeline, held.delegates, length, QStringLiteral("(not delegated)")), unit);
}

}  // namespace et::visualizers
