#pragma once

#include "inspector/format/table.h"
#include "visualizers/events/event_model.h"

#include <QString>

#include <vector>

namespace et::visualizers {

/// The cells of `events` in `columns` as text with a header, formatted and quoted like `et-inspect --format`,
/// without row numbers.
[[nodiscard]] QString toText(const EventModel& model, const std::vector<EventRef>& events,
                             const std::vector<EventModel::Column>& columns,
                             inspector::format::Format format);

}  // namespace et::visualizers
