#pragma once

#include "app/studio/inspector/choice_extras.h"
#include "app/studio/inspector/model_summary.h"
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

// Details of the selected operator other than its event. Titles link to the panel with more details:
// "panel:memory".
namespace et::studio {

/// Name and kind of its node in the program; without a title if the program does not contain it.
[[nodiscard]] visualizers::Description describeOperator(const ModelSummary& facts,
                                                        const visualizers::Selection& selection);

/// Its tensors, from TensorCatalog::tensorsOf().
[[nodiscard]] std::vector<std::size_t> chosenTensors(const ModelSummary& facts,
                                                     const visualizers::Selection& selection);
/// The name of a tensor's picture in descriptions.
[[nodiscard]] QString pictureName(std::size_t tensor);

/// The first lines of the user's own Python code that it was created from.
[[nodiscard]] std::vector<inspector::PythonFrame> sourceFrames(const inspector::Block& block,
                                                               const inspector::Event& event);
/// The same lines, with their surrounding lines if already read.
[[nodiscard]] visualizers::DetailSection lineSection(const inspector::Block& block,
                                                     const inspector::Event& event,
                                                     const ChoiceExtras& extras);

/// Where it runs and, if no delegate runs it, the known reasons.
[[nodiscard]] visualizers::DetailSection delegationSection(const ModelSummary& facts,
                                                           const visualizers::Selection& selection);

/// Its weights, logged values, tensors in the memory plan, error, findings and notes.
[[nodiscard]] std::vector<visualizers::DetailSection> relatedSections(const ModelSummary* facts,
                                                                      const visualizers::Selection& selection,
                                                                      const visualizers::Results& results,
                                                                      const visualizers::NoteModel& notes,
                                                                      const ChoiceExtras& extras);

}  // namespace et::studio
