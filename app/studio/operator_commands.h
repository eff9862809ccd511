#pragma once

#include "app/studio/commands.h"

class QObject;

namespace et::inspector {
class EventBlocks;
}
namespace et::visualizers {
class Selection;
}

namespace et::studio {

/// A command for each operator of a trace that selects it and shows it. Those of the last call go; `owner`
/// keeps them till then. Null blocks: none.
[[nodiscard]] QList<Command> operatorCommands(const inspector::EventBlocks* blocks,
                                              visualizers::Selection& selection, QObject& owner);

}  // namespace et::studio
