#pragma once

#include "app/studio/inspector/model_facts.h"
#include "visualizers/toolkit/description.h"

#include <cstddef>
#include <string_view>

namespace et::visualizers {
class Selection;
}

// What is known of the model as a whole: shown while nothing is chosen, each line a way to choose something.
namespace et::studio {

/// What takes most time, and what to look at first. Texts link to "event:BLOCK:EVENT" and "finding:PLACE".
[[nodiscard]] visualizers::Description describeModel(const ModelFacts& facts);

/// Chooses the operators of ModelFacts::findings[place]; false where it has none, or there is no such.
bool chooseFinding(const ModelFacts& facts, std::size_t place, visualizers::Selection& selection);

}  // namespace et::studio
