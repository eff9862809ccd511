#pragma once

class QModelIndex;

namespace et::visualizers {
class AnswerModel;
class OpenSession;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

/// Selects the subject of a row: by the cell's own column if it is `event`, `instruction` or `debug_handle`,
/// else by the first of these columns in the row. Returns false if there is none.
bool chooseAnswer(const visualizers::AnswerModel& answers, const QModelIndex& cell,
                  const visualizers::OpenSession& opened, visualizers::Selection& chosen);

}  // namespace et::studio
