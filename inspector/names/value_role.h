#pragma once

#include "runtime/core/graph.h"

#include <string_view>

namespace et::inspector {

/// "input", "output", "constant" or "intermediate", as in JSON and SQL.
[[nodiscard]] constexpr std::string_view roleName(core::GraphValue::Role role) {
    switch (role) {
        case core::GraphValue::Role::Input:
            return "input";
        case core::GraphValue::Role::Output:
            return "output";
        case core::GraphValue::Role::Constant:
            return "constant";
        case core::GraphValue::Role::Intermediate:
            break;
    }
    return "intermediate";
}

}  // namespace et::inspector
