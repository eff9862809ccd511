#include "visualizers/toolkit/name_colour.h"

#include <cstddef>

namespace et::visualizers {

namespace {

std::size_t hashOf(std::string_view name) {
    std::size_t hash = 5381;
    for (const char each : name) {
        if (each < '0' || each > '9') {
            hash = hash * 33 + static_cast<unsigned char>(each);
        }
    }
    return hash;
}

}  // namespace

QColor barColour(std::string_view name, bool dark) {
    constexpr std::size_t hues = 24;
    const auto hue = static_cast<int>(hashOf(name) % hues * 360 / hues);
    return dark ? QColor::fromHsl(hue, 110, 68) : QColor::fromHsl(hue, 130, 175);
}

}  // namespace et::visualizers
