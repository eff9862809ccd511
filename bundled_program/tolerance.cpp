#include "bundled_program/tolerance.h"

#include "runtime/core/element_types.h"

#include <algorithm>

namespace et::bundled_program {

using core::ScalarType;

Tolerances::Tolerances()
    : overrides{{ScalarType::Half, {.relative = 1e-2, .absolute = 1e-3}},
                {ScalarType::BFloat16, {.relative = 2e-2, .absolute = 1e-2}}} {
}

void Tolerances::set(ScalarType dtype, Tolerance value) {
    const auto found = std::ranges::find(overrides, dtype, &std::pair<ScalarType, Tolerance>::first);
    if (found == overrides.end()) {
        overrides.emplace_back(dtype, value);
    } else {
        found->second = value;
    }
}

Tolerance Tolerances::of(ScalarType dtype) const {
    const auto found = std::ranges::find(overrides, dtype, &std::pair<ScalarType, Tolerance>::first);
    if (found != overrides.end()) {
        return found->second;
    }
    return core::isFloating(dtype) || core::isComplex(dtype) ? general
                                                             : Tolerance{.relative = 0, .absolute = 0};
}

}  // namespace et::bundled_program
