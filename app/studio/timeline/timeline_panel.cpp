#include "app/studio/timeline/timeline_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/key_figures.h"
#include "app/studio/timeline/timeline_pins.h"
#include "inspector/events/typical_run.h"
#include "visualizers/debug_state.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/note_target.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/time_sum_table.h"
#include "visualizers/timeline/timeline_flows.h"
#include "visualizers/timeline/timeline_lists.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolBar>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace et::studio {

using visualizers::Timeline;

namespace {

/// Content below the trace, other than indices of additional traces.
constexpr int nothingBelow = -2;
constexpr int typicalBelow = -1;
constexpr int stackBelow = -3;

}  // namespace

TimelinePanel::TimelinePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      results(context.results),
      notes(context.notes),
      debugger(context.debugger),
      enterPanel(context.enter),
      building(this),
      buildingOther(this),
      search(new visualizers::FilterField(
          "timelineSearch",
          QStringLiteral("Find events by operator, module or name; Enter jumps to the next"), this)),
      matches(new QLabel(this)),
      others(visualizers::choiceBox(
          "timelineOthers", QStringLiteral("Content below the timeline, aligned at the same run"), this)),
      widget(new visualizers::TimelineWidget(context.selection, this)),
      found(new visualizers::TimeSumTable(QStringLiteral("Found"), QStringLiteral("Runs"), this)),
      measurement(visualizers::plainLabel(
          "measurement", this, {.margin = 4, .wraps = false, .shrinks = true, .selectable = true})),
      hint(visualizers::hintLabel("timelineHint", widget)),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Lanes, widget)) {
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    createTools();
    createPanes();
    createCommands();
    layout->addWidget(measurement);
    hint->setText(QStringLiteral("Open a trace (.etdp), or run the program, to see where its time goes."));
    hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    measurement->hide();
    visualizers::fillColumn(*widget, {hint});
    addActions(widget->actions());
    extractAction = addExtract(*this, context);
    setFocusProxy(widget);
    connect(widget, &visualizers::TimelineWidget::measured, this, [this](const QString& text) {
        measurement->setText(
            text.isEmpty()
                ? QStringLiteral("Shift-drag marks a range · W/S zoom · A/D or drag pan · ? lists all keys")
                : text);
    });
    connect(widget, &visualizers::TimelineWidget::viewMoved, this, &Panel::viewChanged);
    connect(&opened, &visualizers::OpenSession::changed, this, &TimelinePanel::showSession);
    connect(found, &visualizers::TimeSumTable::rowHovered, this,
            [this](const visualizers::TimeSum& sum) { chosen.setHovered(sum.event); });
    showSession();
}

void TimelinePanel::createTools() {
    auto* const tools = new QToolBar(this);
    matches->setObjectName(QStringLiteral("timelineMatches"));
    matches->setContentsMargins(8, 0, 8, 0);
    tools->addWidget(search);
    tools->addWidget(matches);
    othersAction = tools->addWidget(others);
    layout()->addWidget(tools);
    connect(search, &QLineEdit::textChanged, this, &TimelinePanel::showMatches);
    connect(search, &QLineEdit::returnPressed, widget, [this] { widget->navigation().goToMatch(true); });
    connect(others, &QComboBox::currentIndexChanged, this, &TimelinePanel::showOther);
}

void TimelinePanel::createCommands() {
    pinAction = visualizers::keyedAction(*widget, QStringLiteral("&Pin the Event or the Range"),
                                         Qt::CTRL | Qt::Key_B, [this] { pin(); });
    pinAction->setShortcutContext(Qt::WindowShortcut);  // also in the inspector and tables of the selection
    addPanelAction(QStringLiteral("Show in &Graph"), Qt::SHIFT | Qt::Key_G, "graph");
    addPanelAction(QStringLiteral("Show in &Source"), Qt::SHIFT | Qt::Key_L, "source");
    addPanelAction(QStringLiteral("Show in &Events"), Qt::SHIFT | Qt::Key_E, "events");
    addPanelAction(QStringLiteral("Show Its &Tensors"), Qt::SHIFT | Qt::Key_T, "tensors");
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(widget, &QWidget::customContextMenuRequested, this, &TimelinePanel::showMenu);
    connect(&notes, &visualizers::NoteModel::changed, this, &TimelinePanel::showPins);
    connect(&debugger, &visualizers::DebugState::pointChanged, this, &TimelinePanel::showDebugger);
}

/// Adds a command that opens a panel with more details of the selected event.
void TimelinePanel::addPanelAction(const QString& text, const QKeySequence& key, const char* panel) {
    ways.append(visualizers::keyedAction(*widget, text, key, [this, panel] {
        if (!chosen.current()) {
            emit noticed(QStringLiteral("Select an event to see its details."));
        } else if (enterPanel) {
            enterPanel(panel);
        }
    }));
}

void TimelinePanel::showMenu(const QPoint& at) {
    widget->click(at);
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(ways);
    menu->addSeparator();
    menu->addActions({pinAction, extractAction});
    menu->popup(widget->mapToGlobal(at));
}

void TimelinePanel::showDebugger() {
    const auto& point = debugger.point();
    widget->setCurrentRow(point ? visualizers::findEvent(opened.blocks(), point->place) : std::nullopt);
}

void TimelinePanel::showPins() {
    widget->setPins(opened.blocks() == nullptr ? std::vector<visualizers::TimelinePin>()
                                               : collectPins(notes.notes(), *opened.blocks()));
}

/// Adds a note on the measured range or the selected event, which can be edited in the Notes panel; removes
/// it if it exists.
void TimelinePanel::pin() {
    const auto range = chosen.range();
    if (built == nullptr || (!range && !chosen.current())) {
        emit noticed(QStringLiteral("Select an event or measure a range to pin it."));
        return;
    }
    inspector::store::Note note;
    if (range) {
        note = noteToRange(*built, *range);
    } else {
        note = visualizers::noteTo(chosen);
        note.text = QStringLiteral("Pinned: %1").arg(widget->cursor().text()).toStdString();
    }
    std::vector<int> places;
    const auto pins = collectPins(notes.notes(), *opened.blocks(), &places);
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const bool same = range ? pins[i].range == range : pins[i].row == chosen.current();
        if (same && pins[i].text.startsWith(QStringLiteral("Pinned"))) {
            notes.remove(places[i]);
            return;
        }
    }
    notes.add(std::move(note));
}

/// Creates the timeline with the search results next to it.
void TimelinePanel::createPanes() {
    auto* const beside = new visualizers::Splitter(Qt::Horizontal, this);
    beside->addParts({{widget, 3}, {found, 1}});
    beside->setCollapsible(0, false);
    static_cast<QVBoxLayout*>(layout())->addWidget(beside, 1);
    found->setObjectName(QStringLiteral("timelineFound"));
    found->hide();
    connect(found, &visualizers::TimeSumTable::rowChosen, this, [this](const visualizers::TimeSum& sum) {
        if (sum.event) {
            widget->navigation().chooseRow(*sum.event);
        }
    });
}

bool TimelinePanel::hasContent() const {
    return opened.blocks() != nullptr;
}

QByteArray TimelinePanel::viewState() const {
    return visualizers::packed(widget->view().from(), widget->view().to());
}

void TimelinePanel::restoreView(const QByteArray& state) {
    if (building.running()) {  // when built
        kept = state;
        keptWhole = false;
        return;
    }
    const auto read = visualizers::unpacked<double, double>(state);
    const auto [from, to] = read.value_or(std::tuple(0.0, 0.0));
    if (std::isfinite(from) && std::isfinite(to) && from < to) {
        widget->navigation().showTimes(from, to);
    }
}

void TimelinePanel::showMatches() {
    widget->setSearch(search->text());
    matches->setText(visualizers::matchText(widget->content()));
    std::vector<visualizers::TimeSum> sums = visualizers::matchSums(widget->content());
    found->setVisible(!sums.empty());
    found->show(std::move(sums),
                opened.blocks() ? opened.blocks()->options().target : inspector::JoinOptions().target);
}

void TimelinePanel::showSession() {
    const auto& session = opened.session();
    auto blocks = session ? session->blocks : nullptr;
    if (blocks == shown) {
        listOthers();
        showOther();  // another trace was added: the view is kept
        return;
    }
    keepView();
    shown = blocks;
    built = nullptr;
    results.setTimeline(nullptr);
    listOthers();
    widget->setAreas({});
    widget->setTimeline(nullptr);
    building.forget();
    skeleton->setWaiting(false);
    hint->setVisible(!blocks);
    measurement->setVisible(blocks != nullptr);
    if (blocks) {
        skeleton->setWaiting(true);
        building.start(
            [blocks, session] {
                const Built timeline = Timeline::build(blocks);
                return Whole{timeline, visualizers::TimelineMemory::build(*timeline, *session),
                             visualizers::makeCounters(*timeline),
                             visualizers::TimelineFlows::build(*blocks, *session)};
            },
            [this](const Whole& made) { showBuilt(made); });
    }
    showOther();
}

void TimelinePanel::showBuilt(const Whole& made) {
    skeleton->setWaiting(false);
    built = made.timeline;
    widget->setAreas({.memory = made.memory, .counters = made.counters});
    widget->setTimeline(built);
    widget->setFlows(made.flows);
    results.setTimeline(built);
    showPins();
    showDebugger();
    if (std::exchange(keptWhole, false)) {
        widget->fitAll();
    } else {
        restoreView(std::exchange(kept, {}));
    }
    showMatches();
    listOthers();
    showOther();
}

/// Keeps the view of a trace that is reloaded, as far as possible.
void TimelinePanel::keepView() {
    const std::filesystem::path now = opened.blocks() ? opened.session()->files.trace : "";
    if (now.empty() || now != file) {
        kept.clear();
        keptWhole = false;
    } else if (!building.running()) {
        kept = viewState();
        keptWhole = widget->view().isWhole();
    }
    file = now;
}

/// Shows the newest additional trace, which the user has just opened; without one, the typical run if there
/// are several. If there is nothing new, the choice is kept.
void TimelinePanel::listOthers() {
    const QSignalBlocker quiet(others);
    const QString before = others->currentText();
    const int known = others->count();
    others->clear();
    others->addItem(QStringLiteral("Nothing below"), nothingBelow);
    const auto& session = opened.session();
    if (session) {
        widget->setName(traceName(session->files, session->files.trace));
    }
    if (built && built->runs.spans().size() > 1) {
        others->addItem(QStringLiteral("Below: all runs"), stackBelow);
        others->addItem(QStringLiteral("Below: the typical run"), typicalBelow);
    }
    for (std::size_t i = 0; session && i < session->others.size(); ++i) {
        others->addItem(
            QStringLiteral("Below: %1").arg(traceName(session->files, session->others[i].files.trace)),
            static_cast<int>(i));
    }
    const int place = others->count() == known ? others->findText(before) : -1;
    others->setCurrentIndex(place >= 0 ? place : others->count() - 1);
    othersAction->setVisible(others->count() > 1);
}

void TimelinePanel::showOther() {
    buildingOther.forget();
    const int place = others->currentData().toInt();
    const auto& session = opened.session();
    if (session && place == typicalBelow) {
        showTypical();
        return;
    }
    if (session && place == stackBelow) {
        buildingOther.start([all = built] { return Timeline::stack(*all); },
                            [this](const Built& made) {
                                widget->setOverlay(made, QStringLiteral("All runs, each from its start"));
                            });
        return;
    }
    if (!session || place < 0 || static_cast<std::size_t>(place) >= session->others.size()) {
        widget->setOverlay(nullptr, {});
        return;
    }
    const inspector::OtherTrace& other = session->others[static_cast<std::size_t>(place)];
    buildingOther.start([blocks = other.blocks] { return Timeline::build(blocks); },
                        [this, name = traceName(session->files, other.files.trace)](const Built& made) {
                            widget->setOverlay(made, name);
                        });
}

void TimelinePanel::showTypical() {
    buildingOther.start(
        [all = built] {
            const auto rows = inspector::events::eventRows(*all->blocks);
            const auto block = inspector::events::busiestBlock(rows);
            return block ? Timeline::typical(*all, *block) : nullptr;
        },
        [this](const Built& made) {
            widget->setOverlay(
                made, made ? QStringLiteral("Typical run: the median of %1").arg(made->folded) : QString());
        });
}

}  // namespace et::studio
