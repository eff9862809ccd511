#pragma once

class QModelIndex;

namespace et::visualizers {
class AnswerModel;
class OpenSession;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

/// Chooses what a row is about in the selection: the cell's own column where that is `event`, `instruction`
/// or `debug_handle`, else the first of these that the row has. False: the row is about none of them.
bool chooseAnswer(const visualizers::AnswerModel& answers, const QModelIndex& cell,
                  const visualizers::OpenSession& opened, visualizers::Selection& chosen);

}  // namespace et::studio
