#pragma once

#include <QColor>

#include <string_view>

namespace et::visualizers {

/// The colour of an event's bar for a dark or light background. Names that differ only in a number ("… #3")
/// have the same colour.
[[nodiscard]] QColor barColour(std::string_view name, bool dark);

}  // namespace et::visualizers
