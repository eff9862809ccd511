#include "runtime/kernels/spatial/upsample.h"

#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace et::kernels::spatial {
namespace {

constexpr std::size_t elementsPerTask = std::size_t{1} << 14;

core::Result<> prepareOut(const Tensor& input, const ResizeTarget& target, Tensor& out) {
    ET_TRY(out.resize(Sizes{input.size(0), input.size(1), target.output[0], target.output[1]}));
    if (out.dtype() != input.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(input.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    return {};
}

/// True if both sides are channels-last: the channels of a pixel are contiguous.
bool channelsTogether(const Tensor& input, const Tensor& out) {
    return input.size(1) > 1 && input.stride(1) == 1 && out.stride(1) == 1;
}

/// Calls `visit(batch, channel, height)` for the rows of `out`; for all channels at once (channel is 0) if
/// they are contiguous.
template <class Visit>
void forRows(KernelContext& context, const Tensor& out, bool together, Visit&& visit) {
    const std::int64_t channels = together ? 1 : out.size(1);
    const std::int64_t height = out.size(2);
    const std::int64_t elements = out.size(3) * (together ? out.size(1) : 1);
    const std::size_t grain = elementsPerTask / static_cast<std::size_t>(elements) + 1;
    context.threads().parallelFor(static_cast<std::size_t>(out.size(0) * channels * height), grain,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (auto row = static_cast<std::int64_t>(begin);
                                           row < static_cast<std::int64_t>(end); ++row) {
                                          const std::int64_t plane = row / height;
                                          visit(plane / channels, plane % channels, row % height);
                                      }
                                  });
}

/// Returns the offset of a row of one channel, in elements.
std::int64_t rowOffset(const Tensor& tensor, std::int64_t batch, std::int64_t channel, std::int64_t height) {
    return batch * tensor.stride(0) + channel * tensor.stride(1) + height * tensor.stride(2);
}

/// Bits: an unsigned type of the width of an element.
template <class Bits>
core::Result<> nearest(KernelContext& context, const Tensor& input, const ResizeTarget& target, bool exact,
                       Tensor& out) {
    const auto width = static_cast<std::size_t>(target.output[1]);
    ET_ASSIGN(const auto columns, context.scratch<std::int64_t>(width));
    const auto scale = inputsPerOutput<float>(input.size(3), target.output[1], target.factors[1]);
    for (std::size_t x = 0; x < width; ++x) {
        columns[x] =
            nearestInput(static_cast<std::int64_t>(x), scale, input.size(3), exact) * input.stride(3);
    }
    const auto heightScale = inputsPerOutput<float>(input.size(2), target.output[0], target.factors[0]);
    const auto* source = reinterpret_cast<const Bits*>(input.raw());
    auto* result = reinterpret_cast<Bits*>(out.raw());
    const bool together = channelsTogether(input, out);
    const std::int64_t step = out.stride(3);
    forRows(context, out, together, [&](std::int64_t batch, std::int64_t channel, std::int64_t y) {
        const Bits* from =
            source + rowOffset(input, batch, channel, nearestInput(y, heightScale, input.size(2), exact));
        Bits* to = result + rowOffset(out, batch, channel, y);
        for (std::size_t x = 0; x < width; ++x) {
            if (together) {
                std::copy_n(from + columns[x], input.size(1), to + static_cast<std::int64_t>(x) * step);
            } else {
                to[static_cast<std::int64_t>(x) * step] = from[columns[x]];
            }
        }
    });
    return {};
}

template <class T>
using NumberOf = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T, class F>
T rounded(F number) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(std::nearbyint(number));
    } else {
        return static_cast<T>(number);
    }
}

/// Weights of the four inputs around an output.
template <class F>
struct Corners {
    F topLeft, topRight, bottomLeft, bottomRight;

    Corners(const LinearTap<F>& row, const LinearTap<F>& column)
        : topLeft(row.lowWeight * column.lowWeight),
          topRight(row.lowWeight * column.highWeight),
          bottomLeft(row.highWeight * column.lowWeight),
          bottomRight(row.highWeight * column.highWeight) {}

    template <class T>
    [[nodiscard]] T mix(T a, T b, T c, T d) const {
        return rounded<T>(topLeft * static_cast<F>(a) + topRight * static_cast<F>(b) +
                          bottomLeft * static_cast<F>(c) + bottomRight * static_cast<F>(d));
    }
};

template <class T>
core::Result<> bilinear(KernelContext& context, const Tensor& input, const ResizeTarget& target,
                        bool alignCorners, Tensor& out) {
    using F = NumberOf<T>;
    const auto width = static_cast<std::size_t>(target.output[1]);
    ET_ASSIGN(const auto taps, context.scratch<LinearTap<F>>(width));
    const F scale = inputsPerOutput<F>(input.size(3), target.output[1], alignCorners, target.factors[1]);
    for (std::size_t x = 0; x < width; ++x) {
        taps[x] =
            linearTap(static_cast<std::int64_t>(x), scale, input.size(3), target.output[1], alignCorners);
        taps[x].low *= input.stride(3);
        taps[x].high *= input.stride(3);
    }
    const F heightScale =
        inputsPerOutput<F>(input.size(2), target.output[0], alignCorners, target.factors[0]);
    const T* source = input.data<T>();
    T* result = out.mutableData<T>();
    const bool together = channelsTogether(input, out);
    const std::int64_t channels = together ? input.size(1) : 1;
    forRows(context, out, together, [&](std::int64_t batch, std::int64_t channel, std::int64_t y) {
        const LinearTap<F> row = linearTap(y, heightScale, input.size(2), target.output[0], alignCorners);
        const T* top = source + rowOffset(input, batch, channel, row.low);
        const T* bottom = source + rowOffset(input, batch, channel, row.high);
        T* to = result + rowOffset(out, batch, channel, y);
        for (const LinearTap<F>& column : taps) {
            const Corners<F> corners(row, column);
            for (std::int64_t c = 0; c < channels; ++c) {
                to[c] = corners.mix(top[column.low + c], top[column.high + c], bottom[column.low + c],
                                    bottom[column.high + c]);
            }
            to += out.stride(3);
        }
    });
    return {};
}

/// The inputs covered by one output; their weights are a row of a table.
struct WideTap {
    std::int64_t first;
    std::int64_t count;
};

template <class F>
struct WideTaps {
    std::span<WideTap> taps;
    std::span<F> weights;
    std::size_t max = 0;  ///< weights per tap

    [[nodiscard]] const F* weightsOf(std::size_t at) const { return weights.data() + at * max; }
};

/// Triangle filter as wide as two outputs, or two inputs if these are wider (Pillow's BILINEAR filter).
template <class F>
core::Result<WideTaps<F>> wideTaps(KernelContext& context, std::int64_t input, std::int64_t output, F scale) {
    const F support = std::clamp<F>(scale, 1, static_cast<F>(input) + 1);
    const F slope = scale >= 1 ? 1 / scale : F{1};
    WideTaps<F> table;
    table.max =
        std::min(static_cast<std::size_t>(std::ceil(support)) * 2 + 1, static_cast<std::size_t>(input));
    const auto count = static_cast<std::size_t>(output);
    ET_ASSIGN(table.taps, context.scratch<WideTap>(count));
    ET_ASSIGN(table.weights, context.scratch<F>(count * table.max));
    for (std::size_t at = 0; at < count; ++at) {
        const F center = scale * (static_cast<F>(at) + static_cast<F>(0.5));
        const auto half = static_cast<F>(0.5);
        const std::int64_t first = std::clamp<std::int64_t>(
            core::toInt64(static_cast<double>(center - support + half)), 0, input - 1);
        const std::int64_t end = std::clamp<std::int64_t>(
            core::toInt64(static_cast<double>(center + support + half)), first, input);
        const std::int64_t covered = std::min(end - first, static_cast<std::int64_t>(table.max));
        table.taps[at] = {.first = first, .count = covered};
        F* weights = table.weights.data() + at * table.max;
        F total = 0;
        for (std::int64_t i = 0; i < covered; ++i) {
            const F distance = std::abs((static_cast<F>(first + i) - center + half) * slope);
            weights[i] = distance < 1 ? 1 - distance : F{0};
            total += weights[i];
        }
        for (std::int64_t i = 0; total != 0 && i < covered; ++i) {
            weights[i] /= total;
        }
    }
    return table;
}

/// For bytes, PyTorch rounds after each of the two passes; for floats the first pass is not rounded.
template <class T, class F>
F heldBy(F number) {
    if constexpr (std::is_integral_v<T>) {
        return std::clamp(std::floor(number + F(0.5)), F(0), static_cast<F>(std::numeric_limits<T>::max()));
    } else {
        return number;
    }
}

/// Resizes one channel: first along the width, then along the height.
template <class T, class F>
void antialiasPlane(KernelContext& context, const Tensor& input, const T* source, const WideTaps<F>& rows,
                    const WideTaps<F>& columns, std::span<F> narrowed, Tensor& out, T* result) {
    const std::size_t width = columns.taps.size();
    const auto height = static_cast<std::size_t>(input.size(2));
    const std::size_t grain = elementsPerTask / (width * columns.max) + 1;
    context.threads().parallelFor(height, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            const T* row = source + static_cast<std::int64_t>(y) * input.stride(2);
            for (std::size_t x = 0; x < width; ++x) {
                const WideTap tap = columns.taps[x];
                const F* weights = columns.weightsOf(x);
                F sum = 0;
                for (std::int64_t i = 0; i < tap.count; ++i) {
                    sum += weights[i] * static_cast<F>(row[(tap.first + i) * input.stride(3)]);
                }
                narrowed[y * width + x] = heldBy<T>(sum);
            }
        }
    });
    context.threads().parallelFor(
        rows.taps.size(), elementsPerTask / (width * rows.max) + 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t y = begin; y < end; ++y) {
                const WideTap tap = rows.taps[y];
                const F* weights = rows.weightsOf(y);
                T* row = result + static_cast<std::int64_t>(y) * out.stride(2);
                for (std::size_t x = 0; x < width; ++x) {
                    F sum = 0;
                    for (std::int64_t i = 0; i < tap.count; ++i) {
                        sum += weights[i] * narrowed[static_cast<std::size_t>(tap.first + i) * width + x];
                    }
                    row[static_cast<std::int64_t>(x) * out.stride(3)] = static_cast<T>(heldBy<T>(sum));
                }
            }
        });
}

template <class T>
core::Result<> antialiased(KernelContext& context, const Tensor& input, const ResizeTarget& target,
                           bool alignCorners, Tensor& out) {
    using F = NumberOf<T>;
    const F heightScale =
        inputsPerOutput<F>(input.size(2), target.output[0], alignCorners, target.factors[0]);
    const F widthScale = inputsPerOutput<F>(input.size(3), target.output[1], alignCorners, target.factors[1]);
    ET_ASSIGN(const auto rows, wideTaps(context, input.size(2), target.output[0], heightScale));
    ET_ASSIGN(const auto columns, wideTaps(context, input.size(3), target.output[1], widthScale));
    ET_ASSIGN(const auto narrowed,
              context.scratch<F>(static_cast<std::size_t>(input.size(2)) * columns.taps.size()));
    for (std::int64_t batch = 0; batch < input.size(0); ++batch) {
        for (std::int64_t channel = 0; channel < input.size(1); ++channel) {
            antialiasPlane(context, input, input.data<T>() + rowOffset(input, batch, channel, 0), rows,
                           columns, narrowed, out, out.mutableData<T>() + rowOffset(out, batch, channel, 0));
        }
    }
    return {};
}

/// Resizes `out` and calls `compute` with the element type, unless `out` is empty.
template <class Compute>
core::Result<> upsampleNumbers(const Tensor& input, const ResizeTarget& target, Tensor& out,
                               Compute compute) {
    ET_TRY(prepareOut(input, target, out));
    if (out.numel() == 0) {
        return {};
    }
    return core::ElementTypes<std::uint8_t, core::Half, core::BFloat16, float, double>::visit(
        input.dtype(), compute, [&] -> core::Result<> { return unsupportedType(input.dtype()); });
}

}  // namespace

core::Result<> upsampleNearest(KernelContext& context, const Tensor& input, const ResizeTarget& target,
                               bool exact, Tensor& out) {
    ET_TRY(prepareOut(input, target, out));
    if (out.numel() == 0) {
        return {};
    }
    switch (input.elementSize()) {
        case 1:
            return nearest<std::uint8_t>(context, input, target, exact, out);
        case 2:
            return nearest<std::uint16_t>(context, input, target, exact, out);
        case 4:
            return nearest<std::uint32_t>(context, input, target, exact, out);
        case 8:
            return nearest<std::uint64_t>(context, input, target, exact, out);
        default:
            return unsupportedType(input.dtype());
    }
}

core::Result<> upsampleBilinear(KernelContext& context, const Tensor& input, const ResizeTarget& target,
                                bool alignCorners, Tensor& out) {
    return upsampleNumbers(input, target, out, [&]<class T>(std::type_identity<T>) {
        return bilinear<T>(context, input, target, alignCorners, out);
    });
}

core::Result<> upsampleAntialiased(KernelContext& context, const Tensor& input, const ResizeTarget& target,
                                   bool alignCorners, Tensor& out) {
    return upsampleNumbers(input, target, out, [&]<class T>(std::type_identity<T>) {
        return antialiased<T>(context, input, target, alignCorners, out);
    });
}

}  // namespace et::kernels::spatial
