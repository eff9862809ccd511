#pragma once

#include "app/studio/commands.h"

class QWidget;

namespace et::studio {

/// Shows the program's description and version. Non-modal.
void showAbout(QWidget* parent);

/// Shows the shortcuts of `commands` by menu, those of the panel titled `here` first, with a search field.
/// Non-modal.
void showKeys(QWidget* parent, QList<Command> commands, const QString& here);

}  // namespace et::studio
