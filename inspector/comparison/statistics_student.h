#pragma once

// Student's t: what a mean is worth that few values stand behind.
namespace et::inspector {

/// The part of Student's t above `deviations`. Definition: Wallace, "Bounds on normal approximations to
/// Student's and the chi-square distributions", 1959.
[[nodiscard]] double studentTail(double deviations, double freedom);

/// How many standard errors on both sides of a mean hold the truth with this probability, between 0 and 1.
[[nodiscard]] double studentMargin(double confidence, double freedom);

}  // namespace et::inspector
