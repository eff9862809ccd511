#include "runtime/kernels/result_steps.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/result_steps.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Compiled for each instruction set.
#include "runtime/kernels/result_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// A step's parameters for a vector of channels: centers, factors and addends, or bounds.
using StepNumbers = V[3];

HWY_INLINE void loadNumbers(const ResultStep& step, std::size_t channel, std::size_t count,
                            StepNumbers& numbers) {
    const Floats d;
    const bool isAffine = step.kind == ResultStep::Kind::Affine;
    for (std::size_t i = 0; i < 3; ++i) {
        numbers[i] = isAffine ? hn::LoadN(d, step.ofChannels[i] + channel, count)
                              : hn::Set(d, step.numbers[std::min<std::size_t>(i, 1)]);
    }
}

/// `count`: number of channels starting at `channel`, at most a vector.
HWY_INLINE void doStepsToVector(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels,
                                std::size_t channel, std::size_t count) {
    const Floats d;
    StepNumbers numbers[maxFused];
    for (std::size_t i = 0; i < steps.size(); ++i) {
        loadNumbers(steps[i], channel, count, numbers[i]);
    }
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        float* const at = elements + pixel * channels + channel;
        V x = hn::LoadN(d, at, count);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            x = steps[i].kind == ResultStep::Kind::Affine
                    ? hn::MulAdd(hn::Sub(x, numbers[i][0]), numbers[i][1], numbers[i][2])
                    : bounded(x, numbers[i][0], numbers[i][1]);
        }
        hn::StoreN(x, d, at, count);
    }
}

void stepPixels(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels) {
    const std::size_t lanes = hn::Lanes(Floats());
    for (std::size_t channel = 0; channel < channels; channel += lanes) {
        doStepsToVector(steps, elements, pixels, channels, channel, std::min(lanes, channels - channel));
    }
}

void stepChannel(ResultSteps steps, float* elements, std::size_t columns, std::size_t channel) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t column = 0; column < columns; column += lanes) {
        const std::size_t count = std::min(lanes, columns - column);
        V x[1][1] = {{hn::LoadN(d, elements + column, count)}};
        doSteps(d, steps, channel, x);
        hn::StoreN(x[0][0], d, elements + column, count);
    }
}

}  // namespace
}  // namespace et::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels {

HWY_EXPORT(stepChannel);
HWY_EXPORT(stepPixels);

void doStepsToChannel(ResultSteps steps, float* elements, std::size_t columns, std::size_t channel) {
    HWY_DYNAMIC_DISPATCH(stepChannel)(steps, elements, columns, channel);
}

void doStepsToPixels(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels) {
    HWY_DYNAMIC_DISPATCH(stepPixels)(steps, elements, pixels, channels);
}

}  // namespace et::kernels
#endif  // HWY_ONCE
