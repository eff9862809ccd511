#pragma once

class QMenu;
class QSettings;

namespace et::studio {

/// Adds the appearances to a menu, one to choose, and applies what was chosen last. `settings`, which outlive
/// the menu, remember it.
void addAppearances(QMenu& menu, QSettings& settings);

}  // namespace et::studio
