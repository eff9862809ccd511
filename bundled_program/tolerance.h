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

/// Tolerances by dtype. The defaults are those of ExecuTorch's example runner (rtol 1e-3, atol 1e-5), wider
/// for 16-bit floats, whose last bit alone is 1e-3 (float16) or 8e-3 (bfloat16) of a number.
class Tolerances {
  public:
    Tolerances();
    /// Uses one tolerance for all floating and complex dtypes.
    explicit Tolerances(Tolerance every) : general(every) {}

    /// Sets the tolerance of all dtypes without an override.
    void setGeneral(Tolerance value) { general = value; }
    /// Sets an override for one dtype. Integers and bools have to be equal unless they have one.
    void set(core::ScalarType dtype, Tolerance value);
    /// Removes the overrides of single dtypes.
    void clearOverrides() { overrides.clear(); }

    [[nodiscard]] Tolerance of(core::ScalarType dtype) const;
    [[nodiscard]] Tolerance ofAll() const { return general; }

  private:
    Tolerance general;
    std::vector<std::pair<core::ScalarType, Tolerance>> overrides;
};

}  // namespace et::bundled_program
