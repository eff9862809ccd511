#pragma once

#include <cstdint>

class QMenu;
class QSettings;

namespace et::studio {

/// Colour scheme of the window.
enum class Appearance : std::uint8_t {
    System,  ///< the desktop's
    Light,
    Dark,
};

/// Applies the appearance to all windows. Light and dark use the style Fusion, which supports any palette;
/// System restores the desktop's style and palette.
void apply(Appearance appearance);

/// Adds the appearances to a menu as exclusive choices, and applies the last choice. `settings`, which must
/// outlive the menu, stores it.
void addAppearances(QMenu& menu, QSettings& settings);

}  // namespace et::studio
