#include "app/studio/events/events_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/icons.h"
#include "app/studio/time_unit_menu.h"
#include "app/tasks/machine/machine_cache.h"
#include "backends/builtin.h"
#include "inspector/roofline/trace_limits.h"
#include "visualizers/events/event_view.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/noted_events.h"
#include "visualizers/open_session.h"

#include <QTreeView>
#include <QVBoxLayout>

namespace et::studio {

EventsPanel::EventsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      view(new visualizers::EventView(context.opened, context.selection, this)),
      limits(this) {
    view->addTool(&context.timeUnits);
    const auto adaptUnits = [this, units = &context.timeUnits] { view->setAdaptUnits(units->adaptsUnits()); };
    connect(&context.timeUnits, &TimeUnitMenu::changed, this, adaptUnits);
    adaptUnits();
    addActions(view->actions());
    offerOnRightClick(view->table(), {addExtract(*this, context)});
    const auto showNotes = [this, &notes = context.notes] {
        if (opened.blocks() != nullptr) {
            view->setNotes(visualizers::notedEvents(notes.notes(), *opened.blocks()), icon("note"));
        }
    };
    connect(&context.notes, &visualizers::NoteModel::changed, this, showNotes);
    connect(&opened, &visualizers::OpenSession::settled, this, showNotes);
    connect(&opened, &visualizers::OpenSession::settled, this, &EventsPanel::findLimits);
    setFocusProxy(view);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view);
}

/// Computes the columns of work and minimum time, on one thread of the measured machine.
void EventsPanel::findLimits() {
    limits.forget();
    const visualizers::SessionPointer session = opened.session();
    if (!hasContent() || session->program == nullptr) {
        return;
    }
    limits.start(
        [session]() -> Limits {
            const auto profile = tasks::cachedProfile();
            const bool hasSeconds = session->blocks->options().target != inspector::TimeScale::Cycles;
            return std::make_shared<const inspector::events::EventLimits>(inspector::eventLimits(
                *session->blocks, {.program = *session->program,
                                   .backends = backends::describable(),
                                   .machine = hasSeconds && profile && *profile ? &**profile : nullptr}));
        },
        [this](const Limits& known) { view->setLimits(known); });
}

bool EventsPanel::hasContent() const {
    return opened.blocks() != nullptr;
}

void EventsPanel::find() {
    view->focusFilter();
}

QByteArray EventsPanel::saveState() const {
    return view->saveState();
}

void EventsPanel::restoreState(const QByteArray& state) {
    view->restoreState(state);
}

}  // namespace et::studio
