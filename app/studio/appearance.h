#pragma once

#include <cstdint>

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

}  // namespace et::studio
