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

/// Returns a command for each operator of a trace that selects and shows it. Each call deletes the commands
/// of the previous one; until then `owner` owns them. Null blocks: none.
[[nodiscard]] QList<Command> operatorCommands(const inspector::EventBlocks* blocks,
                                              visualizers::Selection& selection, QObject& owner);

}  // namespace et::studio
