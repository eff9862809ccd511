#pragma once

#include <QString>

#include <string_view>

namespace et::studio {

/// The room that proves or mends what a rule finds, and what its button says.
struct FindingAction {
    std::string_view rule;
    std::string_view room;
    const char* text;  ///< untranslated
};

/// Null: the rule has no such room.
[[nodiscard]] const FindingAction* actionOf(std::string_view rule);

}  // namespace et::studio
