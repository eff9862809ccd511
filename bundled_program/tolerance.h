#pragma once

#include "runtime/core/scalar_type.h"

#include <optional>
#include <utility>
#include <vector>

namespace et::bundled_program {

/// Two numbers agree when |given - expected| <= absolute + relative * |expected|. NaN agrees with NaN, an
/// infinity with the same infinity.
struct Tolerance {
    double relative = 1e-3;
    double absolute = 1e-5;
};

/// Which tolerance goes with which dtype. The defaults are those that ExecuTorch's example runner verifies
/// with (rtol 1e-3, atol 1e-5), wider for the floats of 16 bits, whose last bit alone is 1e-3 (float16) or
/// 8e-3 (bfloat16) of a number.
class Tolerances {
  public:
    Tolerances();
    /// The same for all floating and complex dtypes.
    explicit Tolerances(Tolerance every) : general(every) {}

    /// Of all dtypes without one of their own.
    void setGeneral(Tolerance value) { general = value; }
    /// Of one dtype. Integers and bools have to be equal unless they have one of their own.
    void set(core::ScalarType dtype, Tolerance value);
    /// Forgets those that single dtypes have.
    void clearOverrides() { overrides.clear(); }

    [[nodiscard]] Tolerance of(core::ScalarType dtype) const;
    [[nodiscard]] Tolerance ofAll() const { return general; }

  private:
    Tolerance general;
    std::vector<std::pair<core::ScalarType, Tolerance>> overrides;
};

}  // namespace et::bundled_program
