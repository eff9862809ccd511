#include "visualizers/events/event_copy.h"

#include "inspector/format/table.h"

namespace et::visualizers {

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

}  // namespace et::visualizers
