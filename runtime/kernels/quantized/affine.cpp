#include "runtime/kernels/quantized/affine.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine_simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::kernels::quantized {
namespace {

/// Number of elements converted at a time.
constexpr std::size_t blockElements = 512;
constexpr std::size_t elementsPerTask = std::size_t{1} << 15;

/// Value range of a dtype.
struct QuantizedType {
    ScalarType type;
    QuantizeRange range;
};

template <class T>
constexpr QuantizedType infoOf() {
    return {core::scalarTypeOf<T>, {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}};
}

constexpr std::array quantizedTypes{
    infoOf<std::uint8_t>(),  infoOf<std::int8_t>(),  infoOf<std::int16_t>(),
    infoOf<std::uint16_t>(), infoOf<std::int32_t>(), QuantizedType{ScalarType::Bits16, {0, UINT16_MAX}}};

/// These operators treat Bits16 as unsigned integers.
ScalarType storedAs(ScalarType type) {
    return type == ScalarType::Bits16 ? ScalarType::UInt16 : type;
}

/// Returns all parameters of a tensor as F, in memory order.
template <class F>
core::Result<std::span<F>> numbersOf(KernelContext& context, const Tensor& tensor) {
    const LoadElements<F> load = elementLoader<F>(tensor.dtype());
    if (load == nullptr) {
        return unsupportedType(tensor.dtype());
    }
    const auto count = static_cast<std::size_t>(tensor.numel());
    ET_ASSIGN(const auto numbers, context.scratch<F>(count));
    load(tensor.raw(), 1, numbers.data(), count);
    return numbers;
}

template <class F>
core::Result<> loadParameters(KernelContext& context, const Tensor& scales, const Tensor* zeroPoints,
                              AffineParameters<F>& parameters) {
    ET_ASSIGN(parameters.scales, numbersOf<F>(context, scales));
    if (zeroPoints == nullptr) {
        ET_ASSIGN(parameters.zeroPoints, context.scratch<F>(parameters.scales.size()));
        std::ranges::fill(parameters.zeroPoints, F{0});
        return {};
    }
    if (zeroPoints->sizes() != scales.sizes() || !zeroPoints->sameLayout(scales)) {
        return invalid(fmt::format("expected zero points of {}, got {}", core::sizesText(scales.sizes()),
                                   core::sizesText(zeroPoints->sizes())));
    }
    ET_ASSIGN(parameters.zeroPoints, numbersOf<F>(context, *zeroPoints));
    return {};
}

/// Elements of a row with a common parameter stride.
template <class F>
struct Run {
    const std::byte* from;
    std::int64_t fromStep;
    std::byte* to;
    std::int64_t toStep;
    const F* scales;
    const F* zeroPoints;
    std::int64_t parameterStep;
    std::size_t count;

    /// Returns the `length` elements starting at `begin`.
    [[nodiscard]] Run part(std::size_t begin, std::size_t length, std::size_t fromWidth,
                           std::size_t toWidth) const {
        Run other = *this;
        const auto at = static_cast<std::int64_t>(begin);
        other.from += at * fromStep * static_cast<std::int64_t>(fromWidth);
        other.to += at * toStep * static_cast<std::int64_t>(toWidth);
        other.scales += at * parameterStep;
        other.zeroPoints += at * parameterStep;
        other.count = length;
        return other;
    }
};

/// Calls `visit(run)` for all elements of `input` and `out`, multithreaded, at most blockElements at a time
/// unless both are contiguous.
template <class F, class Visit>
void forRuns(KernelContext& context, const Tensor& input, const AffineParameters<F>& parameters, Tensor& out,
             Visit&& visit) {
    const StridedWalk<3> walk(input.sizes(), {out.strides(), input.strides(), parameters.strides});
    const std::size_t fromWidth = input.elementSize();
    const std::size_t toWidth = out.elementSize();
    const std::array<std::int64_t, 3> steps = walk.rowStrides();
    const auto length = static_cast<std::size_t>(walk.rowLength());
    const auto runAt = [&](const std::array<std::int64_t, 3>& offsets) {
        return Run<F>{.from = input.raw() + static_cast<std::size_t>(offsets[1]) * fromWidth,
                      .fromStep = steps[1],
                      .to = out.raw() + static_cast<std::size_t>(offsets[0]) * toWidth,
                      .toStep = steps[0],
                      .scales = parameters.scales.data() + offsets[2],
                      .zeroPoints = parameters.zeroPoints.data() + offsets[2],
                      .parameterStep = steps[2],
                      .count = length};
    };
    if (walk.rows() == 1) {
        constexpr std::array<std::int64_t, 3> start{};
        const Run<F> whole = runAt(start);
        context.threads().parallelFor(length, elementsPerTask, [&](std::size_t begin, std::size_t end) {
            visit(whole.part(begin, end - begin, fromWidth, toWidth));
        });
        return;
    }
    context.threads().parallelFor(
        static_cast<std::size_t>(walk.rows()), elementsPerTask / std::max<std::size_t>(length, 1) + 1,
        [&](std::size_t begin, std::size_t end) {
            walk.forRows(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end),
                         [&](const std::array<std::int64_t, 3>& offsets) { visit(runAt(offsets)); });
        });
}

/// Calls `visit(part)` for parts of a run of at most blockElements.
template <class F, class Visit>
void forBlocks(const Run<F>& run, std::size_t fromWidth, std::size_t toWidth, Visit&& visit) {
    for (std::size_t done = 0; done < run.count; done += blockElements) {
        visit(run.part(done, std::min(blockElements, run.count - done), fromWidth, toWidth));
    }
}

/// Returns the greatest F not above a number.
template <class F>
F atMost(std::int64_t number) {
    const F rounded = static_cast<F>(number);
    return static_cast<double>(rounded) > static_cast<double>(number)
               ? std::nextafter(rounded, -std::numeric_limits<F>::infinity())
               : rounded;
}

/// Quantizes floats with one scale and zero point to contiguous integers.
template <class T>
void quantizeRun(const Run<float>& run, LoadElements<float> load, bool isFloat, std::size_t fromWidth,
                 QuantizeStep step) {
    step.inverseScale = *run.scales;
    step.zeroPoint = *run.zeroPoints;
    if (isFloat && run.fromStep == 1) {
        quantize(reinterpret_cast<const float*>(run.from), run.count, step, reinterpret_cast<T*>(run.to));
        return;
    }
    forBlocks(run, fromWidth, sizeof(T), [&](const Run<float>& part) {
        std::array<float, blockElements> floats;
        load(part.from, part.fromStep, floats.data(), part.count);
        quantize(floats.data(), part.count, step, reinterpret_cast<T*>(part.to));
    });
}

using QuantizeRun = void (*)(const Run<float>&, LoadElements<float>, bool, std::size_t, QuantizeStep);

template <class F>
F quantized(F number, F inverseScale, F zeroPoint, F low, F high, bool roundLast) {
    const F scaled = number * inverseScale;
    const F whole = roundLast ? std::nearbyint(scaled + zeroPoint) : std::nearbyint(scaled) + zeroPoint;
    // NaN propagates.
    return whole < low ? low : whole > high ? high : whole;
}

template <class T>
void dequantizeRun(const Run<float>& run, StoreElements<float> store, bool isFloat, std::size_t toWidth) {
    const auto* from = reinterpret_cast<const T*>(run.from);
    if (isFloat && run.toStep == 1) {
        dequantize(from, run.count, *run.scales, *run.zeroPoints, reinterpret_cast<float*>(run.to));
        return;
    }
    forBlocks(run, sizeof(T), toWidth, [&](const Run<float>& part) {
        std::array<float, blockElements> floats;
        dequantize(reinterpret_cast<const T*>(part.from), part.count, *part.scales, *part.zeroPoints,
                   floats.data());
        store(floats.data(), part.to, part.toStep, part.count);
    });
}

using DequantizeRun = void (*)(const Run<float>&, StoreElements<float>, bool, std::size_t);

/// Quantize and dequantize functions of a dtype that compute in float.
struct FloatRuns {
    ScalarType type;
    QuantizeRun quantize;
    DequantizeRun dequantize;
};

template <class T>
constexpr FloatRuns selectFloatRuns() {
    return {core::scalarTypeOf<T>, &quantizeRun<T>, &dequantizeRun<T>};
}

constexpr std::array floatRuns{selectFloatRuns<std::uint8_t>(), selectFloatRuns<std::int8_t>(),
                               selectFloatRuns<std::int16_t>(), selectFloatRuns<std::int32_t>()};

/// Null if the dtype is computed in double.
const FloatRuns* findFloatRuns(ScalarType type) {
    const auto* found = std::ranges::find(floatRuns, type, &FloatRuns::type);
    return found == floatRuns.end() ? nullptr : found;
}

}  // namespace

core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype) {
    if (!std::ranges::contains(quantizedTypes, dtype, &QuantizedType::type)) {
        return unsupportedType(dtype);
    }
    if (tensor.dtype() != dtype) {
        return invalid(fmt::format("expected quantized values of {}, got {}", core::scalarTypeName(dtype),
                                   core::scalarTypeName(tensor.dtype())));
    }
    return {};
}

core::Result<> checkQuantized(const Tensor& tensor, ScalarType dtype, QuantizeRange range) {
    ET_TRY(checkQuantized(tensor, dtype));
    const auto* info = std::ranges::find(quantizedTypes, dtype, &QuantizedType::type);
    if (range.low < info->range.low || range.high > info->range.high || range.low > range.high) {
        return invalid(fmt::format("expected a range from {} to {}, got {} to {}", info->range.low,
                                   info->range.high, range.low, range.high));
    }
    return {};
}

core::Result<double> onlyNumber(const Tensor& tensor) {
    const LoadElements<double> load = elementLoader<double>(tensor.dtype());
    if (tensor.numel() != 1 || load == nullptr) {
        return invalid(fmt::format("expected a tensor with one element, got {}", core::describe(tensor)));
    }
    double number = 0;
    load(tensor.raw(), 1, &number, 1);
    return number;
}

template <class F>
core::Result<AffineParameters<F>> oneForAll(KernelContext& context, const Tensor& tensor, double scale,
                                            std::int64_t zeroPoint) {
    AffineParameters<F> parameters{.strides = Strides(tensor.dim(), 0)};
    ET_ASSIGN(parameters.scales, context.scratch<F>(1));
    ET_ASSIGN(parameters.zeroPoints, context.scratch<F>(1));
    parameters.scales[0] = static_cast<F>(scale);
    parameters.zeroPoints[0] = static_cast<F>(zeroPoint);
    return parameters;
}

template <class F>
core::Result<AffineParameters<F>> oneForEachChannel(KernelContext& context, const Tensor& tensor,
                                                    const Tensor& scales, const Tensor* zeroPoints,
                                                    std::int64_t axis) {
    ET_ASSIGN(const std::size_t channel, wrapDim(axis, tensor.dim()));
    const std::int64_t channels = tensor.dim() == 0 ? 1 : tensor.size(channel);
    if (scales.dim() > 1 || scales.numel() != channels) {
        return invalid(fmt::format("expected {} scales, got {}", channels, core::sizesText(scales.sizes())));
    }
    AffineParameters<F> parameters{.strides = Strides(tensor.dim(), 0)};
    ET_TRY(loadParameters(context, scales, zeroPoints, parameters));
    if (tensor.dim() != 0) {
        parameters.strides[channel] = 1;
    }
    return parameters;
}

template <class F>
core::Result<AffineParameters<F>> oneForEachToken(KernelContext& context, const Tensor& tensor,
                                                  const Tensor& scales, const Tensor& zeroPoints) {
    Sizes tokens = tensor.sizes();
    if (!tokens.empty()) {
        tokens.back() = 1;
    }
    if (scales.sizes() != tokens) {
        return invalid(fmt::format("expected scales of {}, got {}", core::sizesText(tokens),
                                   core::sizesText(scales.sizes())));
    }
    AffineParameters<F> parameters{.strides = scales.strides(), .roundLast = true};
    if (!tokens.empty()) {
        parameters.strides.back() = 0;
    }
    ET_TRY(loadParameters(context, scales, &zeroPoints, parameters));
    return parameters;
}

template <class F>
core::Result<> quantizeTensor(KernelContext& context, const Tensor& input,
                              const AffineParameters<F>& parameters, QuantizeRange range, Tensor& out) {
    const LoadElements<F> load = elementLoader<F>(input.dtype());
    const StoreElements<F> store = elementStorer<F>(storedAs(out.dtype()));
    if (!core::isFloating(input.dtype()) || load == nullptr || store == nullptr) {
        return unsupportedType(input.dtype());
    }
    const F low = static_cast<F>(range.low);
    const F high = atMost<F>(range.high);
    const std::size_t width = input.elementSize();
    const std::size_t outWidth = out.elementSize();
    const FloatRuns* fast = findFloatRuns(out.dtype());
    const bool isFloat = input.dtype() == ScalarType::Float;
    forRuns(context, input, parameters, out, [&](const Run<F>& run) {
        if constexpr (std::is_same_v<F, float>) {
            if (fast != nullptr && run.parameterStep == 0 && run.toStep == 1) {
                fast->quantize(run, load, isFloat, width,
                               {.inverseScale = 1,
                                .zeroPoint = 0,
                                .low = low,
                                .high = high,
                                .roundLast = parameters.roundLast});
                return;
            }
        }
        forBlocks(run, width, outWidth, [&](const Run<F>& part) {
            std::array<F, blockElements> numbers;
            load(part.from, part.fromStep, numbers.data(), part.count);
            for (std::size_t i = 0; i < part.count; ++i) {
                const std::int64_t at = static_cast<std::int64_t>(i) * part.parameterStep;
                numbers[i] = quantized(numbers[i], part.scales[at], part.zeroPoints[at], low, high,
                                       parameters.roundLast);
            }
            store(numbers.data(), part.to, part.toStep, part.count);
        });
    });
    return {};
}

template <class F>
core::Result<> dequantizeTensor(KernelContext& context, const Tensor& input,
                                const AffineParameters<F>& parameters, Tensor& out) {
    const LoadElements<F> load = elementLoader<F>(storedAs(input.dtype()));
    const StoreElements<F> store = elementStorer<F>(out.dtype());
    if (!core::isFloating(out.dtype()) || load == nullptr || store == nullptr) {
        return unsupportedType(out.dtype());
    }
    const std::size_t width = input.elementSize();
    const std::size_t outWidth = out.elementSize();
    const FloatRuns* fast = findFloatRuns(input.dtype());
    const bool isFloat = out.dtype() == ScalarType::Float;
    forRuns(context, input, parameters, out, [&](const Run<F>& run) {
        if constexpr (std::is_same_v<F, float>) {
            if (fast != nullptr && run.parameterStep == 0 && run.fromStep == 1) {
                fast->dequantize(run, store, isFloat, outWidth);
                return;
            }
        }
        forBlocks(run, width, outWidth, [&](const Run<F>& part) {
            std::array<F, blockElements> numbers;
            load(part.from, part.fromStep, numbers.data(), part.count);
            for (std::size_t i = 0; i < part.count; ++i) {
                const std::int64_t at = static_cast<std::int64_t>(i) * part.parameterStep;
                numbers[i] = (numbers[i] - part.zeroPoints[at]) * part.scales[at];
            }
            store(numbers.data(), part.to, part.toStep, part.count);
        });
    });
    return {};
}

#define ET_INSTANTIATE(F)                                                                                  \
    template core::Result<AffineParameters<F>> oneForAll<F>(KernelContext&, const Tensor&, double,         \
                                                            std::int64_t);                                 \
    template core::Result<AffineParameters<F>> oneForEachChannel<F>(                                       \
        KernelContext&, const Tensor&, const Tensor&, const Tensor*, std::int64_t);                        \
    template core::Result<AffineParameters<F>> oneForEachToken<F>(KernelContext&, const Tensor&,           \
                                                                  const Tensor&, const Tensor&);           \
    template core::Result<> quantizeTensor<F>(KernelContext&, const Tensor&, const AffineParameters<F>&,   \
                                              QuantizeRange, Tensor&);                                     \
    template core::Result<> dequantizeTensor<F>(KernelContext&, const Tensor&, const AffineParameters<F>&, \
                                                Tensor&);
ET_INSTANTIATE(float)
ET_INSTANTIATE(double)
#undef ET_INSTANTIATE

}  // namespace et::kernels::quantized
