#pragma once

class QMenu;
class QSettings;

namespace et::studio {

/// Adds the appearances to a menu as exclusive choices, and applies the last choice. `settings`, which must
/// outlive the menu, stores it.
void addAppearances(QMenu& menu, QSettings& settings);

}  // namespace et::studio
