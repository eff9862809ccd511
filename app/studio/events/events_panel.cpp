#include "app/studio/events/events_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/icons.h"
#include "app/studio/time_unit_menu.h"
#include "visualizers/events/event_view.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/noted_events.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/toolkit/widgets.h"

#include <QTreeView>

namespace et::studio {

EventsPanel::EventsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      view(new visualizers::EventView(context.opened, context.selection, this)) {
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
    connect(&context.results, &visualizers::Results::limitsChanged, this,
            [this, &results = context.results] { view->setLimits(results.limits()); });
    setFocusProxy(view);
    visualizers::fillColumn(*this, {view});
}

bool EventsPanel::hasContent() const {
    return opened.blocks() != nullptr;
}

QByteArray EventsPanel::saveState() const {
    return view->saveState();
}

void EventsPanel::restoreState(const QByteArray& state) {
    view->restoreState(state);
}

}  // namespace et::studio
