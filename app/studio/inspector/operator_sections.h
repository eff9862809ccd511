#pragma once

#include "app/studio/inspector/choice_extras.h"
#include "app/studio/inspector/model_facts.h"
#include "inspector/names/python_stack.h"
#include "visualizers/toolkit/description.h"

#include <QString>

#include <cstddef>
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

/// Its tensors, as TensorCatalog::tensorsOf() has them.
[[nodiscard]] std::vector<std::size_t> chosenTensors(const ModelFacts& facts,
                                                     const visualizers::Selection& selection);
/// What the picture of a tensor is called in descriptions.
[[nodiscard]] QString pictureName(std::size_t tensor);

/// The lines of the user's own Python that it was made of, the first few.
[[nodiscard]] std::vector<inspector::PythonFrame> sourceFrames(const inspector::Block& block,
                                                               const inspector::Event& event);
/// These, with the lines around them as far as they have been read.
[[nodiscard]] visualizers::DetailSection lineSection(const inspector::Block& block,
                                                     const inspector::Event& event,
                                                     const ChoiceExtras& extras);

/// Who runs it; of what no delegate runs, what is known of why.
[[nodiscard]] visualizers::DetailSection delegationSection(const ModelFacts& facts,
                                                           const visualizers::Selection& selection);

/// Its weights and logged values, its tensors in the memory plan, its error, findings and notes.
[[nodiscard]] std::vector<visualizers::DetailSection> relatedSections(const ModelFacts* facts,
                                                                      const visualizers::Selection& selection,
                                                                      const visualizers::Results& results,
                                                                      const visualizers::NoteModel& notes,
                                                                      const ChoiceExtras& extras);

}  // namespace et::studio
