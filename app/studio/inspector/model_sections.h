#pragma once

#include "app/studio/inspector/model_facts.h"
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
[[nodiscard]] visualizers::Description describeModel(const ModelFacts& facts);

/// Selects the operators of ModelFacts::findings[place]; returns false if it has none, or the index is
/// invalid.
bool chooseFinding(const ModelFacts& facts, std::size_t place, visualizers::Selection& selection);

}  // namespace et::studio
