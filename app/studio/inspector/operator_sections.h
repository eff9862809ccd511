#pragma once

#include "app/studio/inspector/model_facts.h"
#include "visualizers/toolkit/description.h"

#include <vector>

namespace et::visualizers {
class NoteModel;
class Results;
class Selection;
}  // namespace et::visualizers

// What is known of the chosen operator besides its event. Titles link to the room that shows more:
// "room:memory".
namespace et::studio {

/// The name and kind of its node in the program; without a title where the program does not have it.
[[nodiscard]] visualizers::Description describeOperator(const ModelFacts& facts,
                                                        const visualizers::Selection& selection);

/// Where it is in the Python that it was made of, innermost line first.
[[nodiscard]] visualizers::DetailSection lineSection(const inspector::Block& block,
                                                     const inspector::Event& event);

/// Who runs it; of what no delegate runs, what is known of why.
[[nodiscard]] visualizers::DetailSection delegationSection(const ModelFacts& facts,
                                                           const visualizers::Selection& selection);

/// Its weights and logged values, its tensors in the memory plan, its error, findings and notes.
[[nodiscard]] std::vector<visualizers::DetailSection> relatedSections(const ModelFacts* facts,
                                                                      const visualizers::Selection& selection,
                                                                      const visualizers::Results& results,
                                                                      const visualizers::NoteModel& notes);

}  // namespace et::studio
