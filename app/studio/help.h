#pragma once

#include "app/studio/commands.h"

class QWidget;

namespace et::studio {

/// Shows what the program is and its version. Does not block.
void showAbout(QWidget* parent);

/// Shows every key of `commands`, menu by menu. Does not block.
void showKeys(QWidget* parent, const QList<Command>& commands);

}  // namespace et::studio
