#pragma once

#include "app/serve/failure.h"
#include "inspector/format/time_scale.h"

#include <string>

namespace et::serve {

/// Returns the time unit with this name; raises ArgumentError for an unknown name.
[[nodiscard]] inline inspector::TimeScale timeScale(const std::string& name) {
    if (const auto scale = inspector::timeScaleFromName(name)) {
        return *scale;
    }
    raise({.code = core::ErrorCode::InvalidArgument, .message = "unknown time scale " + name});
}

}  // namespace et::serve
