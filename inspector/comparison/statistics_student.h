#pragma once

// Student's t distribution, for means of few values.
namespace et::inspector {

/// Upper tail of Student's t beyond `deviations`. Definition: Wallace, "Bounds on normal approximations to
/// Student's and the chi-square distributions", 1959.
[[nodiscard]] double studentTail(double deviations, double freedom);

/// Half-width in standard errors of the confidence interval of a mean; `confidence` is between 0 and 1.
[[nodiscard]] double studentMargin(double confidence, double freedom);

}  // namespace et::inspector
