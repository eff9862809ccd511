#include "visualizers/events/event_view.h"

#include "inspector/format/table.h"
#include "visualizers/events/event_filter_proxy.h"
#include "visualizers/events/event_model.h"
#include "visualizers/events/event_table.h"
#include "visualizers/events/group_table.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QString>
#include <QToolBar>
#include <QToolButton>

#include <chrono>
#include <vector>

namespace et::visualizers {

namespace {

/// The cells of `events` in `columns` as text with a header, formatted and quoted like `et-inspect --format`,
/// without row numbers.
QString toText(const EventModel& model, const std::vector<EventRef>& events,
               const std::vector<EventModel::Column>& columns, inspector::format::Format format) {
    inspector::format::Table table;
    table.indexed = false;
    for (const EventModel::Column column : columns) {
        table.columns.push_back(model.reportColumn(column));
    }
    for (const EventRef event : events) {
        std::vector<inspector::format::Cell>& row = table.rows.emplace_back();
        for (const EventModel::Column column : columns) {
            row.push_back(model.cell(event, column));
        }
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

constexpr quint32 stateVersion = 3;  // added counter columns
constexpr auto rangeRest = std::chrono::milliseconds(60);

}  // namespace

EventView::EventView(const OpenSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      opened(session),
      chosen(selection),
      model(new EventModel(this)),
      proxy(new EventFilterProxy(this)),
      tools(new QToolBar(this)),
      filter(new FilterField("filter", QStringLiteral("Filter by event, op type or module"), this)),
      rangeChip(new QToolButton(this)),
      count(new QLabel(this)),
      rows(new EventTable(*model, *proxy, this)),
      hint(hintLabel("eventsHint", rows->viewport())),
      groups(new GroupTable(this)),
      pages(new QStackedWidget(this)) {
    createTools();
    createActions();
    createSums();
    hint->setText(QStringLiteral("Open a trace (.etdp), or run the program, to list its events."));
    hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    fillColumn(*rows->viewport(), {hint});
    pages->addWidget(rows);
    pages->addWidget(groups);
    fillColumn(*this, {tools, pages});
    setFocusProxy(rows);
    connect(rows, &EventTable::eventChosen, this, &EventView::chooseCurrent);
    connect(rows, &EventTable::marksChanged, this, &EventView::chooseMarked);
    connect(rows, &EventTable::rowsChanged, this, &EventView::updateCount);
    connect(rows, &QAbstractItemView::entered, this,
            [this](const QModelIndex& row) { chosen.setHovered(model->eventAt(proxy->mapToSource(row))); });
    connect(rows, &HoverTree::pointerLeft, this, [this] { chosen.setHovered(std::nullopt); });
    connect(&chosen, &Selection::hoverChanged, this, [this] { rows->glow(chosen.hovered()); });
    connect(&opened, &OpenSession::changed, this, &EventView::showSession);
    connect(&chosen, &Selection::currentChanged, this, &EventView::showCurrent);
    connect(&chosen, &Selection::rangeChanged, this, [this] { rangeTimer.start(); });
    connect(&rangeTimer, &QTimer::timeout, this, &EventView::showRange);
    showSession();
}

void EventView::createTools() {
    count->setObjectName(QStringLiteral("count"));
    count->setContentsMargins(8, 0, 8, 0);
    count->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    rangeChip->setObjectName(QStringLiteral("rangeChip"));
    rangeChip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    rangeChip->setIcon(style()->standardIcon(QStyle::SP_LineEditClearButton));
    rangeChip->setToolTip(
        QStringLiteral("Showing only events in the selected time range. Click to show all."));
    rangeTimer.setSingleShot(true);
    rangeTimer.setInterval(rangeRest);
    tools->addWidget(filter);
    rangeAction = tools->addWidget(rangeChip);
    rangeAction->setVisible(false);
    connect(rangeChip, &QToolButton::clicked, this, [this] { chosen.setRange(std::nullopt); });
    countAction = tools->addWidget(count);
    connect(filter, &QLineEdit::textChanged, this, &EventView::applyFilter);
}

void EventView::createActions() {
    regexAction = keyedToggle(*this, QStringLiteral("Filter by Regular &Expression"), Qt::CTRL | Qt::Key_E,
                              false, [this](bool) { applyFilter(); });
    regexAction->setIconText(QStringLiteral(".*"));
    tools->insertAction(countAction, regexAction);
    keyedToggle(*this, QStringLiteral("&Group by Block"), Qt::CTRL | Qt::Key_G, true, [this](bool grouped) {
        rows->setGrouped(grouped);
        showCurrent();
    });
    keyedToggle(*this, QStringLiteral("Show &OPERATOR_CALL"), {}, false, [this](bool shown) {
        proxy->setOperatorCalls(shown);
        updateCount();
    });
    keyedToggle(*this, QStringLiteral("Show Methods That Execute &Nothing"), {}, false, [this](bool shown) {
        proxy->setIdleMethods(shown);
        updateCount();
    });
    addCopyActions(*this, [this](inspector::format::Format format) { return copied(format); });
    keyedAction(*this, QStringLiteral("Select &All"), QKeySequence::SelectAll, [this] { rows->selectAll(); });
}

void EventView::addTool(QMenu* menu) {
    QAction* const action = menu->menuAction();
    tools->addAction(action);
    if (auto* const button = qobject_cast<QToolButton*>(tools->widgetForAction(action))) {
        button->setPopupMode(QToolButton::InstantPopup);
    }
}

QTreeView& EventView::table() {
    return *rows;
}

QByteArray EventView::saveState() const {
    return packed(stateVersion, rows->saveColumns());
}

void EventView::restoreState(const QByteArray& state) {
    const auto read = unpacked<quint32, QByteArray>(state);
    if (read && std::get<0>(*read) == stateVersion) {
        rows->restoreColumns(std::get<1>(*read));
    }
}

void EventView::showSession() {
    const auto& session = opened.session();
    proxy->setRange(std::nullopt);  // range of the previous blocks
    model->setBlocks(session ? session->blocks : nullptr);
    hint->setVisible(opened.blocks() == nullptr);
    showRange();
    showSums();
    rows->fitOnce();
}

void EventView::setLimits(std::shared_ptr<const inspector::events::EventLimits> known) {
    model->setLimits(std::move(known));
    showCurrent();
}

void EventView::setAdaptUnits(bool adapt) {
    model->setAdaptUnits(adapt);
    showCurrent();
}

void EventView::showRange() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const auto range = blocks ? chosen.range() : std::nullopt;
    rangeAction->setVisible(range.has_value());
    if (range) {
        const inspector::JoinOptions& options = blocks->options();
        const double length = static_cast<double>(range->last - range->first) /
                              inspector::ticksPerUnit(options.clock.unit, options.target);
        rangeChip->setText(QStringLiteral("range: %1").arg(timeText(length, options.target)));
    }
    proxy->setRange(range ? std::optional(EventsInRange(*blocks, *range)) : std::nullopt);
    updateCount();
}

void EventView::showCurrent() {
    rows->choose(chosen.current());
}

void EventView::chooseCurrent(const std::optional<EventRef>& event) {
    // The row that follows a selection of debug handles must not narrow it.
    if (event != chosen.current()) {
        chosen.setCurrent(event);
    }
}

/// Shows the sum of several selected rows in the details.
void EventView::chooseMarked() {
    std::vector<EventRef> marked = rows->chosenEvents();
    if (marked.size() > 1 || chosen.events().size() > 1) {
        chosen.setEvents(std::move(marked), chosen.current());
    }
}

void EventView::updateCount() {
    if (sums && sums->checkedAction()) {
        const auto shown = static_cast<std::size_t>(groups->model().rowCount());
        count->setText(counted(shown, QStringLiteral("1 sum"), QStringLiteral("%1 sums")));
        return;
    }
    const int shown = proxy->eventCount();
    const int all = model->counts().all;
    count->setText(
        shown == all
            ? counted(static_cast<std::size_t>(all), QStringLiteral("1 event"), QStringLiteral("%1 events"))
            : QStringLiteral("%1 of %2 events%3").arg(shown).arg(all).arg(whyHidden(all - shown)));
}

/// Explains hidden events: wrapping events, events of constant methods, and filtered ones.
QString EventView::whyHidden(int missing) const {
    const EventFilterProxy::Hidden hidden = proxy->hidden();
    QStringList parts;
    if (hidden.operatorCalls > 0) {
        parts.append(QStringLiteral("%1 OPERATOR_CALL").arg(hidden.operatorCalls));
    }
    if (hidden.idle > 0) {
        parts.append(QStringLiteral("%1 of methods that execute nothing").arg(hidden.idle));
    }
    if (const int filtered = missing - hidden.operatorCalls - hidden.idle; filtered > 0) {
        parts.append(QStringLiteral("%1 by filter or range").arg(filtered));
    }
    count->setToolTip(
        parts.isEmpty() ? QString() : QStringLiteral("Not shown: %1").arg(parts.join(QStringLiteral(", "))));
    return parts.isEmpty()
               ? QString()
               : QStringLiteral(" (") + parts.join(QStringLiteral(", ")) + QStringLiteral(" hidden)");
}

void EventView::setNotes(std::map<EventRef, QString> texts, const QIcon& mark) {
    model->setNotes(std::move(texts), mark);
}

void EventView::applyFilter() {
    core::Result<> applied;
    if (regexAction->isChecked()) {
        applied = proxy->setRegexFilter(filter->text());
    } else {
        proxy->setTextFilter(filter->text());
    }
    // An incomplete expression keeps the rows of the last valid one.
    filter->setToolTip(applied ? QString() : toQString(applied.error().toString()));
    QPalette colours = palette();
    if (!applied) {
        colours.setColor(QPalette::Text, meaningColour(inspector::format::Meaning::Error, colours));
    }
    filter->setPalette(colours);
    showSums();
}

QString EventView::copied(inspector::format::Format format) const {
    return pages->currentWidget() == groups
               ? groups->text(format)
               : toText(*model, rows->chosenEvents(), rows->visibleColumns(), format);
}

void EventView::createSums() {
    struct Sum {
        inspector::events::GroupBy by;
        QString text;
    };
    sums = new QActionGroup(this);
    sums->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    auto* const menu = new QMenu(QStringLiteral("Sums"), this);
    for (const Sum& sum : {Sum{inspector::events::GroupBy::Op, QStringLiteral("Sum by O&perator")},
                           Sum{inspector::events::GroupBy::Module, QStringLiteral("Sum by &Module")},
                           Sum{inspector::events::GroupBy::Delegate, QStringLiteral("Sum by &Delegate")}}) {
        auto* const action = new QAction(sum.text, this);
        action->setCheckable(true);
        action->setData(static_cast<int>(sum.by));
        sums->addAction(action);
        menu->addAction(action);
        addAction(action);
        connect(action, &QAction::toggled, this, &EventView::showSums);
    }
    addTool(menu);
    connect(groups, &GroupTable::opened, this, &EventView::openGroup);
}

void EventView::showSums() {
    const QAction* const by = sums->checkedAction();
    QWidget* const page = by ? static_cast<QWidget*>(groups) : rows;
    pages->setCurrentWidget(page);
    setFocusProxy(page);  // a hidden one would leave the focus in another panel
    if (by) {
        const QString text = filter->text();
        const auto& session = opened.session();
        groups->show(session ? session->blocks : nullptr,
                     static_cast<inspector::events::GroupBy>(by->data().toInt()),
                     regexAction->isChecked() ? text : QRegularExpression::escape(text));
    } else {
        groups->show(nullptr, inspector::events::GroupBy::None, {});
    }
    updateCount();
}

// Shows the events of a group.
void EventView::openGroup(const QString& name) {
    if (QAction* const by = sums->checkedAction()) {
        by->setChecked(false);
    }
    regexAction->setChecked(false);
    filter->setText(name);
    rows->setFocus(Qt::OtherFocusReason);
}

}  // namespace et::visualizers
