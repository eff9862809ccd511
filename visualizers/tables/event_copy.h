#pragma once

#include "visualizers/tables/event_model.h"

#include <QString>

#include <vector>

namespace et::visualizers {

/// The cells of `events` in `columns` as tab-separated text with a header, spelled and quoted as
/// `et-inspect --tsv` does, without the row numbers in front.
[[nodiscard]] QString toTsv(const EventModel& model, const std::vector<EventRef>& events,
                            const std::vector<EventModel::Column>& columns);

}  // namespace et::visualizers
