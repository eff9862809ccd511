// Compiled once for each instruction set, like the files that include it. NOLINTBEGIN(llvm-header-guard)
#if defined(ET_RESULT_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ET_RESULT_STEPS_INL_H
#undef ET_RESULT_STEPS_INL_H
#else
#define ET_RESULT_STEPS_INL_H
#endif
// NOLINTEND(llvm-header-guard)

#include "runtime/kernels/result_steps.h"

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::HWY_NAMESPACE {

/// Clamps x to [low, high], which are not NaN; NaN in x propagates.
template <class V>
HWY_INLINE V bounded(V x, V low, V high) {
    namespace hn = hwy::HWY_NAMESPACE;
#if HWY_ARCH_X86
    return hn::Min(high, hn::Max(low, x));  // these return the second operand if either is NaN or both are 0
#else
    const V above = hn::IfThenElse(hn::Lt(x, low), low, x);
    return hn::IfThenElse(hn::Gt(above, high), high, above);
#endif
}

/// Applies steps to results in registers: `rows` channels starting at `channel`, with several vectors each.
template <std::size_t rows, std::size_t vectors, class D, class V>
HWY_INLINE void doSteps(D d, ResultSteps steps, std::size_t channel, V (&results)[rows][vectors]) {
    namespace hn = hwy::HWY_NAMESPACE;
    for (const ResultStep& step : steps) {
        if (step.kind == ResultStep::Kind::Affine) {
            const auto& [centers, factors, addends] = step.ofChannels;
            for (std::size_t r = 0; r < rows; ++r) {
                const V center = hn::Set(d, centers[channel + r]);
                const V factor = hn::Set(d, factors[channel + r]);
                const V addend = hn::Set(d, addends[channel + r]);
                for (V& x : results[r]) {
                    x = hn::MulAdd(hn::Sub(x, center), factor, addend);
                }
            }
        } else {
            const V low = hn::Set(d, step.numbers[0]);
            const V high = hn::Set(d, step.numbers[1]);
            for (auto& row : results) {
                for (V& x : row) {
                    x = bounded(x, low, high);
                }
            }
        }
    }
}

}  // namespace et::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // include guard
