#pragma once

#include <string>

namespace et::inspector::format {

/// Formats a ratio as a change: "+3.1 %" for 1.031, "-50.0 %" for 0.5; from ten times on "6,706 times".
[[nodiscard]] std::string readableChange(double ratio);

}  // namespace et::inspector::format
