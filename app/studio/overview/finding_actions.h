#pragma once

#include <QString>

#include <string_view>

namespace et::studio {

/// The panel that verifies or fixes the findings of a rule, with the text of the button.
struct FindingAction {
    std::string_view rule;
    std::string_view panel;
    const char* text;  ///< untranslated
};

/// Returns null if the rule has no such panel.
[[nodiscard]] const FindingAction* actionOf(std::string_view rule);

}  // namespace et::studio
