#include "visualizers/events/event_view.h"

#include "visualizers/events/details_pane.h"
#include "visualizers/events/event_copy.h"
#include "visualizers/events/event_filter_proxy.h"
#include "visualizers/events/group_table.h"
#include "visualizers/events/share_bar_delegate.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDataStream>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace et::visualizers {

namespace {

constexpr int widestColumn = 360;
constexpr int columnPadding = 2;
constexpr int tableShare = 3;  // of the width, to 1 of the details
constexpr quint32 stateVersion = 1;
constexpr auto rangeRest = std::chrono::milliseconds(60);
constexpr int rowsToMeasure = 100;  // for the widths of columns, so that a long table opens at once

}  // namespace

EventView::EventView(const OpenSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      opened(session),
      chosen(selection),
      model(new EventModel(this)),
      proxy(new EventFilterProxy(this)),
      tools(new QToolBar(this)),
      filter(new QLineEdit(this)),
      rangeChip(new QToolButton(this)),
      count(new QLabel(this)),
      splitter(new QSplitter(this)),
      rows(new QTreeView(splitter)),
      groups(new GroupTable(this)),
      pages(new QStackedWidget(this)) {
    proxy->setSourceModel(model);
    createTools();
    createTable();
    createActions();
    createSums();
    splitter->addWidget(new DetailsPane(session, selection, splitter));
    splitter->setStretchFactor(0, tableShare);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(true);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    pages->addWidget(splitter);
    pages->addWidget(groups);
    layout->addWidget(pages, 1);
    connect(&opened, &OpenSession::changed, this, &EventView::showSession);
    connect(&chosen, &Selection::currentChanged, this, &EventView::showCurrent);
    connect(&chosen, &Selection::rangeChanged, this, [this] { rangeTimer.start(); });
    connect(&rangeTimer, &QTimer::timeout, this, &EventView::showRange);
    resetColumns();
    showSession();
}

void EventView::createTools() {
    filter->setObjectName(QStringLiteral("filter"));
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(tr("Filter by event, op type or module"));
    count->setObjectName(QStringLiteral("count"));
    count->setContentsMargins(8, 0, 8, 0);
    rangeChip->setObjectName(QStringLiteral("rangeChip"));
    rangeChip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    rangeChip->setIcon(style()->standardIcon(QStyle::SP_LineEditClearButton));
    rangeChip->setToolTip(tr("Only events within the range of the timeline are shown. Click to show all."));
    rangeTimer.setSingleShot(true);
    rangeTimer.setInterval(rangeRest);
    tools->addWidget(filter);
    rangeAction = tools->addWidget(rangeChip);
    rangeAction->setVisible(false);
    connect(rangeChip, &QToolButton::clicked, this, [this] { chosen.setRange(std::nullopt); });
    countAction = tools->addWidget(count);
    connect(filter, &QLineEdit::textChanged, this, &EventView::applyFilter);
}

void EventView::createTable() {
    rows->setObjectName(QStringLiteral("events"));
    rows->setModel(proxy);
    rows->setUniformRowHeights(true);
    rows->setAlternatingRowColors(true);
    rows->setAllColumnsShowFocus(true);
    rows->setSelectionMode(QAbstractItemView::ExtendedSelection);
    rows->setFrameShape(QFrame::NoFrame);
    auto* const bars = new ShareBarDelegate(EventModel::ShareRole, rows);
    rows->setItemDelegateForColumn(EventModel::Share, bars);
    rows->setItemDelegateForColumn(EventModel::SelfShare, bars);
    QHeaderView* const header = rows->header();
    header->setSortIndicatorClearable(true);
    header->setSectionsMovable(true);
    header->setFirstSectionMovable(false);
    header->setStretchLastSection(false);
    header->setResizeContentsPrecision(rowsToMeasure);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    rows->setSortingEnabled(true);
    // After setModel, so that the tree has taken the rows in before they are dressed.
    connect(proxy, &QAbstractItemModel::modelReset, this, &EventView::dressBlocks);
    connect(proxy, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex& parent) { parent.isValid() ? updateCount() : dressBlocks(); });
    connect(proxy, &QAbstractItemModel::rowsRemoved, this, &EventView::updateCount);
    connect(header, &QWidget::customContextMenuRequested, this, &EventView::showColumnMenu);
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EventView::chooseCurrent);
}

void EventView::createActions() {
    regexAction = addToggle(tr("Filter by Regular &Expression"), QKeySequence(Qt::CTRL | Qt::Key_E), false,
                            &EventView::setRegex);
    regexAction->setIconText(QStringLiteral(".*"));
    tools->insertAction(countAction, regexAction);
    addToggle(tr("&Group by Block"), QKeySequence(Qt::CTRL | Qt::Key_G), true, &EventView::setGrouped);
    addToggle(tr("Show &OPERATOR_CALL"), {}, false, &EventView::setOperatorCalls);
    addTableAction(tr("&Copy as TSV"), QKeySequence::Copy, &EventView::copyTsv);
    addTableAction(tr("Copy as &Markdown"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
                   &EventView::copyMarkdown);
    QAction* const all = new QAction(tr("Select &All"), this);
    connect(all, &QAction::triggered, rows, &QTreeView::selectAll);
    addKeyed(all, QKeySequence::SelectAll);
}

// Another view of the window may have the same keys: they work for the one with the focus.
void EventView::addKeyed(QAction* action, const QKeySequence& key) {
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
}

QAction* EventView::addTableAction(const QString& text, const QKeySequence& key, void (EventView::*slot)()) {
    auto* const action = new QAction(text, this);
    connect(action, &QAction::triggered, this, slot);
    addKeyed(action, key);
    return action;
}

QAction* EventView::addToggle(const QString& text, const QKeySequence& key, bool checked,
                              void (EventView::*slot)(bool)) {
    auto* const action = new QAction(text, this);
    action->setCheckable(true);
    action->setChecked(checked);
    connect(action, &QAction::toggled, this, slot);
    addKeyed(action, key);
    return action;
}

void EventView::addTool(QMenu* menu) {
    QAction* const action = menu->menuAction();
    tools->addAction(action);
    if (auto* const button = qobject_cast<QToolButton*>(tools->widgetForAction(action))) {
        button->setPopupMode(QToolButton::InstantPopup);
    }
}

QByteArray EventView::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << stateVersion << rows->header()->saveState() << splitter->saveState();
    return state;
}

void EventView::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    quint32 version = 0;
    QByteArray header;
    QByteArray split;
    stream >> version >> header >> split;
    if (stream.status() == QDataStream::Ok && version == stateVersion) {
        widthsKnown = rows->header()->restoreState(header);
        for (int column = 0; widthsKnown && column < EventModel::columnTotal; ++column) {
            fitted[static_cast<std::size_t>(column)] = !rows->isColumnHidden(column);
        }
        splitter->restoreState(split);
        rows->header()->setSortIndicator(-1, Qt::AscendingOrder);
    }
}

void EventView::showSession() {
    const auto& session = opened.session();
    proxy->setRange(std::nullopt);  // of the blocks before
    model->setBlocks(session ? session->blocks : nullptr);
    showRange();
    showSums();
    if (opened.blocks() && !widthsKnown) {
        fitColumns();
        widthsKnown = true;
    }
}

void EventView::showRange() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const auto range = blocks ? chosen.range() : std::nullopt;
    rangeAction->setVisible(range.has_value());
    if (range) {
        const inspector::JoinOptions& options = blocks->options();
        const double length = static_cast<double>(range->last - range->first) /
                              inspector::ticksPerUnit(options.source, options.target);
        rangeChip->setText(tr("range of %1 %2")
                               .arg(length, 0, 'g', 4)
                               .arg(toQString(inspector::facts(options.target).name)));
    }
    proxy->setRange(range ? std::optional(EventsInRange(*blocks, *range)) : std::nullopt);
    updateCount();
}

void EventView::showCurrent() {
    const QModelIndex row =
        chosen.current() ? proxy->mapFromSource(model->indexOf(*chosen.current())) : QModelIndex();
    if (row.isValid() && row.siblingAtColumn(0) != rows->currentIndex().siblingAtColumn(0)) {
        rows->setCurrentIndex(row);
    }
}

void EventView::chooseCurrent(const QModelIndex& row) {
    // The row that follows a choice of debug handles must not narrow it to its own.
    const std::optional<EventRef> event = model->eventAt(proxy->mapToSource(row));
    if (event != chosen.current()) {
        chosen.setCurrent(event);
    }
}

// Blocks are headings: open, and as wide as the table. A flat list, which may be long, has none.
void EventView::dressBlocks() {
    const bool grouped = model->layout() == EventModel::Layout::Grouped;
    for (int row = 0; grouped && row < proxy->rowCount(); ++row) {
        rows->setFirstColumnSpanned(row, {}, true);
        rows->setExpanded(proxy->index(row, 0), true);
    }
    rows->setRootIsDecorated(grouped);
    updateCount();
}

void EventView::updateCount() {
    if (sums && sums->checkedAction()) {
        const auto shown = static_cast<std::size_t>(groups->model().rowCount());
        count->setText(counted(shown, tr("1 sum"), tr("%1 sums")));
        return;
    }
    const int shown = proxy->eventCount();
    const int all = model->eventCount();
    count->setText(shown == all ? counted(static_cast<std::size_t>(all), tr("1 event"), tr("%1 events"))
                                : tr("%1 of %2 events").arg(shown).arg(all));
}

// Measuring a column prints its cells, some of which are long: those that are hidden wait until they are
// shown.
void EventView::fitColumns() {
    for (int column = 0; column < EventModel::columnTotal; ++column) {
        fitted[static_cast<std::size_t>(column)] = false;
        showColumn(column, !rows->isColumnHidden(column));
    }
}

void EventView::showColumn(int column, bool shown) {
    rows->setColumnHidden(column, !shown);
    const auto place = static_cast<std::size_t>(column);
    if (shown && !fitted[place] && opened.blocks()) {
        rows->resizeColumnToContents(column);
        rows->setColumnWidth(column, std::min(rows->columnWidth(column) + columnPadding, widestColumn));
        fitted[place] = true;
    }
}

void EventView::resetColumns() {
    for (int column = 0; column < EventModel::columnTotal; ++column) {
        rows->setColumnHidden(column, !EventModel::facts(static_cast<EventModel::Column>(column)).shown);
    }
}

void EventView::showColumnMenu(const QPoint& position) {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (int column = 1; column < EventModel::columnTotal; ++column) {  // the tree's own column stays
        QAction* const action = menu->addAction(model->headerData(column, Qt::Horizontal).toString());
        action->setToolTip(model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        action->setCheckable(true);
        action->setChecked(!rows->isColumnHidden(column));
        connect(action, &QAction::toggled, rows, [this, column](bool shown) { showColumn(column, shown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset Columns")), &QAction::triggered, this, [this] {
        resetColumns();
        fitColumns();
    });
    menu->popup(rows->header()->mapToGlobal(position));
}

void EventView::focusFilter() {
    filter->setFocus(Qt::ShortcutFocusReason);
    filter->selectAll();
}

void EventView::applyFilter() {
    core::Result<> applied;
    if (regexAction->isChecked()) {
        applied = proxy->setRegexFilter(filter->text());
    } else {
        proxy->setTextFilter(filter->text());
    }
    // A half-typed expression keeps the rows of the last good one.
    filter->setToolTip(applied ? QString() : toQString(applied.error().toString()));
    QPalette colours = palette();
    if (!applied) {
        colours.setColor(QPalette::Text, Qt::red);
    }
    filter->setPalette(colours);
    showSums();
}

void EventView::copy(inspector::report::Format format) {
    if (pages->currentWidget() == groups) {
        QApplication::clipboard()->setText(groups->text(format));
        return;
    }
    QApplication::clipboard()->setText(toText(*model, selectedEvents(), visibleColumns(), format));
}

void EventView::setGrouped(bool grouped) {
    model->setLayout(grouped ? EventModel::Layout::Grouped : EventModel::Layout::Flat);
    showColumn(EventModel::Block, !grouped);
    showCurrent();
}

void EventView::setRegex(bool) {
    applyFilter();
}

void EventView::setOperatorCalls(bool shown) {
    proxy->setOperatorCalls(shown);
    updateCount();
}

std::vector<EventRef> EventView::selectedEvents() const {
    QModelIndexList selected = rows->selectionModel()->selectedRows();
    // As on screen, not in the order of clicks.
    std::ranges::sort(selected, {}, [](const QModelIndex& row) {
        return row.parent().isValid() ? std::pair(row.parent().row(), row.row()) : std::pair(row.row(), -1);
    });
    std::vector<EventRef> events;
    for (const QModelIndex& row : selected) {
        if (const std::optional<EventRef> event = model->eventAt(proxy->mapToSource(row))) {
            events.push_back(*event);
        }
    }
    return events;
}

std::vector<EventModel::Column> EventView::visibleColumns() const {
    std::vector<EventModel::Column> columns;
    for (int visual = 0; visual < EventModel::columnTotal; ++visual) {
        const int column = rows->header()->logicalIndex(visual);
        if (!rows->isColumnHidden(column)) {
            columns.push_back(static_cast<EventModel::Column>(column));
        }
    }
    return columns;
}

}  // namespace et::visualizers
