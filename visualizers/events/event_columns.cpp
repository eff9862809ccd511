#include "visualizers/events/event_columns.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace et::visualizers {
namespace {

using inspector::events::EventColumnRule;

/// In the order of EventModel::Column.
constexpr std::array leading = std::to_array<std::string_view>(
    {"event_name", "share", "p50", "avg", "min", "max", "op_types", "module", "p10", "p90", "outliers",
     "delegate_backend_name", "self_share", "event_block_name", "source"});
static_assert(leading.size() == EventModel::Source + 1);

}  // namespace

std::span<const EventColumnRule* const> eventColumns() {
    static const std::vector<const EventColumnRule*> columns = [] {
        std::vector<const EventColumnRule*> all;
        for (const std::string_view id : leading) {
            all.push_back(inspector::events::findEventColumn(id));
        }
        for (const EventColumnRule& rule : inspector::events::eventColumnRules()) {
            if (!std::ranges::contains(leading, rule.column.id)) {
                all.push_back(&rule);
            }
        }
        return all;
    }();
    return columns;
}

const EventColumnRule& eventColumnRule(EventModel::Column column) {
    return *eventColumns()[static_cast<std::size_t>(column)];
}

}  // namespace et::visualizers
