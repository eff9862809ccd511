#pragma once

#include <QColor>

#include <string_view>

namespace et::visualizers {

/// The colour of an event's bar, for a dark or a light ground. Names that differ in a number alone ("… #3")
/// have the same.
[[nodiscard]] QColor barColour(std::string_view name, bool dark);

}  // namespace et::visualizers
