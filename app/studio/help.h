#pragma once

class QWidget;

namespace et::studio {

/// Shows what the program is and its version. Does not block.
void showAbout(QWidget* parent);

/// Shows every key of `window`: the shortcuts of its actions and those of its views. Does not block.
void showKeys(QWidget* window);

}  // namespace et::studio
