#pragma once

#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Tolerances of outputs, as given.
struct ToleranceOptions {
    std::vector<std::string> relative{};  ///< --rtol: "1e-3", "float16=1e-2"
    std::vector<std::string> absolute{};  ///< --atol

    [[nodiscard]] bool any() const { return !relative.empty() || !absolute.empty(); }
};

/// Adds --rtol and --atol.
void addToleranceOptions(OptionList& options, ToleranceOptions& settings);

/// Returns the given tolerances. A plain number applies to all floating dtypes and replaces their defaults.
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<bundled_program::Tolerances> parseTolerances(const ToleranceOptions& settings);

}  // namespace et::tasks
