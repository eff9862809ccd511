#include "visualizers/events/event_table.h"

#include "visualizers/events/event_filter_proxy.h"
#include "visualizers/toolkit/share_bar_delegate.h"
#include "visualizers/toolkit/table_view.h"

#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int widestColumn = 360;
constexpr int columnPadding = 2;
constexpr int rowsToMeasure = 40;  // limits column measuring, so that a long table opens quickly

}  // namespace

EventTable::EventTable(EventModel& events, EventFilterProxy& filtered, QWidget* parent)
    : HoverTree(parent),
      source(events),
      proxy(filtered),
      fitted(static_cast<std::size_t>(EventModel::columnTotal())) {
    setObjectName(QStringLiteral("events"));
    proxy.setSourceModel(&source);
    setModel(&proxy);
    auto* const bars = new ShareBarDelegate(EventModel::ShareRole, this);
    setItemDelegateForColumn(EventModel::Share, bars);
    setItemDelegateForColumn(EventModel::SelfShare, bars);
    header()->setSectionsMovable(true);
    header()->setFirstSectionMovable(false);
    header()->setStretchLastSection(false);
    header()->setResizeContentsPrecision(rowsToMeasure);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    dressTable(*this);
    // Connected after setModel(), so that the tree has processed the rows first.
    connect(&proxy, &QAbstractItemModel::modelReset, this, &EventTable::dressBlocks);
    connect(&proxy, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex& above) { above.isValid() ? emit rowsChanged() : dressBlocks(); });
    connect(&proxy, &QAbstractItemModel::rowsRemoved, this, &EventTable::rowsChanged);
    connect(header(), &QWidget::customContextMenuRequested, this, &EventTable::showColumnMenu);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) { emit eventChosen(source.eventAt(proxy.mapToSource(row))); });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &EventTable::marksChanged);
    resetColumns();
}

void EventTable::fitOnce() {
    if (source.counts().all > 0 && !widthsKnown) {
        fitColumns();
        widthsKnown = true;
    }
}

void EventTable::setGrouped(bool grouped) {
    source.setLayout(grouped ? EventModel::Layout::Grouped : EventModel::Layout::Flat);
    showColumn(EventModel::Block, !grouped);
}

void EventTable::choose(std::optional<EventRef> event) {
    if (!event) {
        selectionModel()->clear();
        return;
    }
    const QModelIndex row = proxy.mapFromSource(source.indexOf(*event));
    if (!row.isValid() || row.siblingAtColumn(0) == currentIndex().siblingAtColumn(0)) {
        return;
    }
    if (selectionModel()->isRowSelected(row.row(), row.parent())) {
        // part of a multiple selection
        selectionModel()->setCurrentIndex(row, QItemSelectionModel::NoUpdate);
    } else {
        setCurrentIndex(row);
    }
}

void EventTable::glow(const std::optional<EventRef>& event) {
    setGlowing(event ? proxy.mapFromSource(source.indexOf(*event)) : QModelIndex());
}

QByteArray EventTable::saveColumns() const {
    return header()->saveState();
}

void EventTable::restoreColumns(const QByteArray& state) {
    widthsKnown = header()->restoreState(state);
    for (int column = 0; widthsKnown && column < EventModel::columnTotal(); ++column) {
        fitted[static_cast<std::size_t>(column)] = !isColumnHidden(column);
    }
    header()->setSortIndicator(-1, Qt::AscendingOrder);
}

// Block rows are headings: expanded and spanning the table. A flat list, which may be long, has none.
void EventTable::dressBlocks() {
    const bool grouped = source.layout() == EventModel::Layout::Grouped;
    for (int row = 0; grouped && row < proxy.rowCount(); ++row) {
        setFirstColumnSpanned(row, {}, true);
        setExpanded(proxy.index(row, 0), true);
    }
    setRootIsDecorated(grouped);
    emit rowsChanged();
}

// Measuring a column formats its cells, some of which are long, so hidden columns are measured when shown.
void EventTable::fitColumns() {
    for (int column = 0; column < EventModel::columnTotal(); ++column) {
        fitted[static_cast<std::size_t>(column)] = false;
        showColumn(column, !isColumnHidden(column));
    }
}

void EventTable::showColumn(int column, bool shown) {
    setColumnHidden(column, !shown);
    const auto place = static_cast<std::size_t>(column);
    if (shown && !fitted[place] && source.counts().all > 0) {
        resizeColumnToContents(column);
        setColumnWidth(column, std::min(columnWidth(column) + columnPadding, widestColumn));
        fitted[place] = true;
    }
}

void EventTable::resetColumns() {
    for (int column = 0; column < EventModel::columnTotal(); ++column) {
        setColumnHidden(column, !EventModel::isInitiallyShown(static_cast<EventModel::Column>(column)));
    }
}

void EventTable::showColumnMenu(const QPoint& position) {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (int column = 1; column < EventModel::columnTotal(); ++column) {  // the tree column stays
        QAction* const action = menu->addAction(source.headerData(column, Qt::Horizontal).toString());
        action->setToolTip(source.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) { showColumn(column, shown); });
    }
    menu->addSeparator();
    connect(menu->addAction(QStringLiteral("Reset Columns")), &QAction::triggered, this, [this] {
        resetColumns();
        fitColumns();
    });
    menu->popup(header()->mapToGlobal(position));
}

std::vector<EventRef> EventTable::chosenEvents() const {
    QModelIndexList selected = selectionModel()->selectedRows();
    // In screen order, not in click order.
    std::ranges::sort(selected, {}, [](const QModelIndex& row) {
        return row.parent().isValid() ? std::pair(row.parent().row(), row.row()) : std::pair(row.row(), -1);
    });
    std::vector<EventRef> events;
    for (const QModelIndex& row : selected) {
        if (const std::optional<EventRef> event = source.eventAt(proxy.mapToSource(row))) {
            events.push_back(*event);
        }
    }
    return events;
}

std::vector<EventModel::Column> EventTable::visibleColumns() const {
    std::vector<EventModel::Column> columns;
    for (int visual = 0; visual < EventModel::columnTotal(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column)) {
            columns.push_back(static_cast<EventModel::Column>(column));
        }
    }
    return columns;
}

}  // namespace et::visualizers
