#include "runtime/kernels/dense/convolution_direct.h"

#include "runtime/kernels/dense/elements.h"

#include <algorithm>

namespace et::kernels::dense {
namespace {

/// Minimum multiplications per thread.
constexpr double grainWork = 1 << 16;

std::size_t grainOf(double workOfItem) {
    return static_cast<std::size_t>(std::max(1.0, grainWork / std::max(1.0, workOfItem)));
}

/// Returns the offset of the taps between an input and an output channel; taps are contiguous.
std::int64_t weightOffset(const Filter& filter, std::int64_t input, std::int64_t output) {
    const std::int64_t row = filter.transposed
                                 ? input * filter.groupOutputs() + output % filter.groupOutputs()
                                 : output * filter.groupInputs() + input % filter.groupInputs();
    return row * filter.taps();
}

/// to[j * toStep] += factor * from[j * fromStep].
template <class T>
void addScaled(T* to, std::int64_t toStep, const T* from, std::int64_t fromStep, T factor,
               std::int64_t count) {
    if (toStep == 1 && fromStep == 1) {
        for (std::int64_t j = 0; j < count; ++j) {
            to[j] = multiplyAdd(to[j], factor, from[j]);
        }
        return;
    }
    for (std::int64_t j = 0; j < count; ++j) {
        to[j * toStep] = multiplyAdd(to[j * toStep], factor, from[j * fromStep]);
    }
}

}  // namespace

template <class T>
void convolveDirectly(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                      const T* input, const T* weight, const T* bias, T* output) {
    const Filter& filter = shape.filter;
    const auto planes = static_cast<std::size_t>(shape.batch * filter.outputChannels);
    const double work = taps.pairs() * static_cast<double>(filter.groupInputs());
    threads.parallelFor(planes, grainOf(work), [&](std::size_t begin, std::size_t end) {
        for (auto plane = static_cast<std::int64_t>(begin); plane < static_cast<std::int64_t>(end); ++plane) {
            const std::int64_t sample = plane / filter.outputChannels;
            const std::int64_t channel = plane % filter.outputChannels;
            const std::int64_t firstInput = channel / filter.groupOutputs() * filter.groupInputs();
            T* target = output + plane * shape.outputPlane();
            std::fill_n(target, shape.outputPlane(), bias == nullptr ? T{} : bias[channel]);
            for (std::int64_t from = firstInput; from < firstInput + filter.groupInputs(); ++from) {
                const T* source = input + (sample * filter.inputChannels + from) * shape.inputPlane();
                const T* kernel = weight + weightOffset(filter, from, channel);
                taps.forRows(shape,
                             [&](std::int64_t tap, std::int64_t in, std::int64_t out, std::int64_t count) {
                                 addScaled(target + out, taps.outputStep(2), source + in, taps.inputStep(2),
                                           kernel[tap], count);
                             });
            }
        }
    });
}

template <class T>
void inputGradient(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                   const T* outputGradient, const T* weight, T* gradient) {
    const Filter& filter = shape.filter;
    const auto planes = static_cast<std::size_t>(shape.batch * filter.inputChannels);
    const double work = taps.pairs() * static_cast<double>(filter.groupOutputs());
    threads.parallelFor(planes, grainOf(work), [&](std::size_t begin, std::size_t end) {
        for (auto plane = static_cast<std::int64_t>(begin); plane < static_cast<std::int64_t>(end); ++plane) {
            const std::int64_t sample = plane / filter.inputChannels;
            const std::int64_t channel = plane % filter.inputChannels;
            const std::int64_t firstOutput = channel / filter.groupInputs() * filter.groupOutputs();
            T* target = gradient + plane * shape.inputPlane();
            std::fill_n(target, shape.inputPlane(), T{});
            for (std::int64_t to = firstOutput; to < firstOutput + filter.groupOutputs(); ++to) {
                const T* source =
                    outputGradient + (sample * filter.outputChannels + to) * shape.outputPlane();
                const T* kernel = weight + weightOffset(filter, channel, to);
                taps.forRows(shape,
                             [&](std::int64_t tap, std::int64_t in, std::int64_t out, std::int64_t count) {
                                 addScaled(target + in, taps.inputStep(2), source + out, taps.outputStep(2),
                                           kernel[tap], count);
                             });
            }
        }
    });
}

template <class T>
void weightGradient(const ThreadPool& threads, const Convolution& shape, const TapRuns& taps,
                    const T* outputGradient, const T* input, T* gradient) {
    const Filter& filter = shape.filter;
    const auto pairs = static_cast<std::size_t>(filter.outputChannels * filter.groupInputs());
    const double work = taps.pairs() * static_cast<double>(shape.batch);
    threads.parallelFor(pairs, grainOf(work), [&](std::size_t begin, std::size_t end) {
        for (auto pair = static_cast<std::int64_t>(begin); pair < static_cast<std::int64_t>(end); ++pair) {
            const std::int64_t to = pair / filter.groupInputs();
            const std::int64_t from =
                to / filter.groupOutputs() * filter.groupInputs() + pair % filter.groupInputs();
            T* target = gradient + weightOffset(filter, from, to);
            std::fill_n(target, filter.taps(), T{});
            for (std::int64_t sample = 0; sample < shape.batch; ++sample) {
                const T* source = input + (sample * filter.inputChannels + from) * shape.inputPlane();
                const T* errors =
                    outputGradient + (sample * filter.outputChannels + to) * shape.outputPlane();
                taps.forRows(shape,
                             [&](std::int64_t tap, std::int64_t in, std::int64_t out, std::int64_t count) {
                                 T sum{};
                                 for (std::int64_t j = 0; j < count; ++j) {
                                     sum = multiplyAdd(sum, source[in + j * taps.inputStep(2)],
                                                       errors[out + j * taps.outputStep(2)]);
                                 }
                                 target[tap] = multiplyAdd(target[tap], sum, T{1});
                             });
            }
        }
    });
}

#define ET_INSTANTIATE(T)                                                                              \
    template void convolveDirectly<T>(const ThreadPool&, const Convolution&, const TapRuns&, const T*, \
                                      const T*, const T*, T*);                                         \
    template void inputGradient<T>(const ThreadPool&, const Convolution&, const TapRuns&, const T*,    \
                                   const T*, T*);                                                      \
    template void weightGradient<T>(const ThreadPool&, const Convolution&, const TapRuns&, const T*,   \
                                    const T*, T*);
ET_INSTANTIATE(float)
ET_INSTANTIATE(double)
ET_INSTANTIATE(std::int64_t)
#undef ET_INSTANTIATE

}  // namespace et::kernels::dense
