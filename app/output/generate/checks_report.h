#pragma once

#include "app/output/cells.h"
#include "app/tasks/generate/language_checks.h"

#include <string>
#include <vector>

namespace et::output {

/// A program and the results of its checks.
struct CheckedLanguage {
    std::string file;
    std::vector<tasks::LanguageCheck> checks;
    std::string error;  ///< why it could not be checked; otherwise empty
};

[[nodiscard]] bool failed(const CheckedLanguage& checked);
[[nodiscard]] std::string checksText(const std::vector<CheckedLanguage>& all, const Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string checksJson(const std::vector<CheckedLanguage>& all);

}  // namespace et::output
