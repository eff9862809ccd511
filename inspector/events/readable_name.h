#pragma once

#include "inspector/join/event_blocks.h"

#include <string>

namespace et::inspector::report {

/// What people call an event: "convolution · features.2.conv", the backend of a delegate call, "Inference".
/// Names of files stay as they are where there is no plainer one.
[[nodiscard]] std::string readableName(const Block& block, const Event& event);

}  // namespace et::inspector::report
