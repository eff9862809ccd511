#pragma once

#include "app/tasks/language/language_checks.h"
#include "inspector/format/table.h"

#include <string>
#include <utility>
#include <vector>

namespace et::app {

/// A program and the results of its checks.
struct CheckedLanguage {
    std::string file;
    std::vector<LanguageCheck> checks;
    std::string error;  ///< why it could not be checked; otherwise empty
};

[[nodiscard]] bool failed(const CheckedLanguage& checked);
[[nodiscard]] std::string checksText(const std::vector<CheckedLanguage>& all,
                                     const inspector::report::Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string checksJson(const std::vector<CheckedLanguage>& all);

}  // namespace et::app
