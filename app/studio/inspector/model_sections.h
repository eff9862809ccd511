#pragma once

#include "app/studio/inspector/model_summary.h"
#include "visualizers/toolkit/description.h"

#include <cstddef>
#include <string_view>

namespace et::visualizers {
class Selection;
}

// Details of the whole model, shown while nothing is selected; each line is a link.
namespace et::studio {

/// Operators with the longest time, and the most important findings. Texts link to "event:BLOCK:EVENT" and
/// "finding:PLACE".
[[nodiscard]] visualizers::Description describeModel(const ModelSummary& facts);

/// Selects the operators of ModelSummary::findings[place]; returns false if it has none, or the index is
/// invalid.
bool chooseFinding(const ModelSummary& facts, std::size_t place, visualizers::Selection& selection);

}  // namespace et::studio
