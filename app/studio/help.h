#pragma once

#include "app/studio/commands.h"

class QWidget;

namespace et::studio {

/// Shows what the program is and its version. Does not block.
void showAbout(QWidget* parent);

/// Shows every key of `commands`, menu by menu, those of the room with the title `here` first, and a field to
/// find one. Does not block.
void showKeys(QWidget* parent, QList<Command> commands, const QString& here);

}  // namespace et::studio
