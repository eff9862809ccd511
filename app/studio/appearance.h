#pragma once

#include <cstdint>

namespace et::studio {

/// The colours of the window.
enum class Appearance : std::uint8_t {
    System,  ///< the desktop's
    Light,
    Dark,
};

/// Repaints all windows of the program. Light and dark are painted in the style Fusion, which takes any
/// palette; System gives style and palette back.
void apply(Appearance appearance);

}  // namespace et::studio
