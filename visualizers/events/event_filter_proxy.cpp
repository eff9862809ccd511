#include "visualizers/events/event_filter_proxy.h"

#include "visualizers/events/event_model.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

EventsInRange::EventsInRange(const inspector::EventBlocks& blocks, TickRange range) {
    // Scans the clock once in file order, because the samples of an event are far apart in the file.
    const etdump::EventColumns& columns = blocks.trace().events();
    std::vector<bool> samples(columns.start.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = columns.start[i] <= range.last && columns.end[i] >= range.first;
    }
    for (const inspector::Block& block : blocks.blocks()) {
        std::vector<bool>& events = touched.emplace_back();
        events.reserve(block.events.size());
        for (const inspector::Event& event : block.events) {
            events.push_back(std::ranges::any_of(event.profileEvents,
                                                 [&](etdump::EventIndex sample) { return samples[sample]; }));
        }
    }
}

EventFilterProxy::EventFilterProxy(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setSortRole(EventModel::SortRole);
    setDynamicSortFilter(true);
}

void EventFilterProxy::setTextFilter(const QString& text) {
    expression.reset();
    wanted = text;
    invalidateRowsFilter();
}

core::Result<> EventFilterProxy::setRegexFilter(const QString& text) {
    ET_ASSIGN(auto compiled, inspector::format::TextFilter::make(text.toStdString()));
    wanted.clear();
    expression = std::move(compiled);
    invalidateRowsFilter();
    return {};
}

void EventFilterProxy::setOperatorCalls(bool shown) {
    operatorCalls = shown;
    invalidateRowsFilter();
}

void EventFilterProxy::setIdleMethods(bool shown) {
    idleMethods = shown;
    invalidateRowsFilter();
}

EventFilterProxy::Hidden EventFilterProxy::hidden() const {
    const auto& all = static_cast<const EventModel&>(*sourceModel());
    return {.operatorCalls = operatorCalls ? 0 : all.counts().operatorCalls,
            .idle = idleMethods ? 0 : all.counts().idle};
}

void EventFilterProxy::setRange(std::optional<EventsInRange> range) {
    if (range || inRange) {
        inRange = std::move(range);
        invalidateRowsFilter();
    }
}

int EventFilterProxy::eventCount() const {
    int count = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex top = index(row, 0);
        count += top.data(EventModel::IsBlockRole).toBool() ? rowCount(top) : 1;
    }
    return count;
}

bool EventFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    const QModelIndex row = sourceModel()->index(sourceRow, 0, sourceParent);
    if (row.data(EventModel::IsBlockRole).toBool()) {
        return false;  // recursive filtering keeps it if a child passes
    }
    if ((!operatorCalls && row.data(EventModel::OperatorCallRole).toBool()) ||
        (!idleMethods && row.data(EventModel::IdleRole).toBool())) {
        return false;
    }
    if (inRange) {
        const auto event = static_cast<const EventModel*>(sourceModel())->eventAt(row);
        if (event && !inRange->contains(*event)) {
            return false;
        }
    }
    if (!expression && wanted.isEmpty()) {
        return true;  // collecting the texts of thousands of rows is slower than showing them
    }
    const QStringList texts = row.data(EventModel::SearchRole).toStringList();
    return std::ranges::any_of(texts, [this](const QString& text) { return matches(text); });
}

bool EventFilterProxy::matches(const QString& searched) const {
    return expression ? expression->matches(searched.toStdString())
                      : searched.contains(wanted, Qt::CaseInsensitive);
}

bool EventFilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    // For descending order, Qt swaps the arguments.
    const bool descending = sortOrder() == Qt::DescendingOrder;
    if (left.data(EventModel::IsBlockRole).toBool()) {
        return descending ? left.row() > right.row() : left.row() < right.row();
    }
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    if (!a.isValid() || !b.isValid()) {
        return a.isValid() != b.isValid() && a.isValid() != descending;
    }
    return QVariant::compare(a, b) == QPartialOrdering::Less;
}

}  // namespace et::visualizers
