#pragma once

#include <string>

namespace et::inspector::report {

/// What a ratio changes: "+3.1 %" of 1.031, "-50.0 %" of 0.5; from ten times on "6,706 times".
[[nodiscard]] std::string readableChange(double ratio);

}  // namespace et::inspector::report
