#include "runtime/kernels/result_steps.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/result_steps.cpp"
// Must come before highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// For each instruction set, like the rest.
#include "runtime/kernels/result_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// A step with its numbers for one vector of channels.
struct VectorStep {
    ResultStep::Kind kind;
    V first;  ///< centers, or lower bounds
    V second;
    V third;

    HWY_INLINE V operator()(V x) const {
        return kind == ResultStep::Kind::Affine ? hn::MulAdd(hn::Sub(x, first), second, third)
                                                : bounded(x, first, second);
    }
};

HWY_INLINE VectorStep vectorStep(const ResultStep& step, std::size_t channel, std::size_t count) {
    const Floats d;
    if (step.kind == ResultStep::Kind::Bounds) {
        return {step.kind, hn::Set(d, step.numbers[0]), hn::Set(d, step.numbers[1]), hn::Zero(d)};
    }
    const auto load = [&](const float* numbers) HWY_ATTR { return hn::LoadN(d, numbers + channel, count); };
    return {step.kind, load(step.ofChannels[0]), load(step.ofChannels[1]), load(step.ofChannels[2])};
}

/// `count`: channels from `channel` on, at most a vector.
HWY_INLINE void doStepsToVector(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels,
                                std::size_t channel, std::size_t count) {
    const Floats d;
    VectorStep each[maxFused];
    std::size_t numbers = 0;
    for (const ResultStep& step : steps) {
        each[numbers++] = vectorStep(step, channel, count);
    }
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        float* const at = elements + pixel * channels + channel;
        V x = hn::LoadN(d, at, count);
        for (std::size_t i = 0; i < numbers; ++i) {
            x = each[i](x);
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
