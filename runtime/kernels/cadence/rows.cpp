#include "runtime/kernels/cadence/operators.h"
#include "runtime/kernels/quantized/embedding.h"
#include "runtime/kernels/quantized/number_arguments.h"
#include "runtime/kernels/reduction/operators.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace et::kernels::cadence {
namespace {

using quantized::NumberArgument;

template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<Tensor> realNumbers(KernelContext& context, const Tensor& tensor, Scale scale,
                                 ZeroPoint zeroPoint) {
    ET_ASSIGN(const double factor, quantized::theNumber(scale));
    ET_ASSIGN(const double zero, quantized::theNumber(zeroPoint));
    ET_ASSIGN(Tensor numbers, quantized::centered(context, viewOf(tensor), zero));
    for (double& number : quantized::elementsOf(numbers)) {
        number *= factor;
    }
    return numbers;
}

core::Result<> quantizeInto(KernelContext& context, Tensor& numbers, double scale, double zeroPoint,
                            Tensor& out) {
    ET_ASSIGN(const auto range, quantized::rangeOf(out.dtype()));
    ET_TRY(out.resize(numbers.sizes()));
    for (double& number : quantized::elementsOf(numbers)) {
        number =
            quantized::quantizedFloat(static_cast<float>(number), scale, core::toInt64(zeroPoint), range);
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

core::Result<> floatSoftmaxOut(KernelContext& context, const Tensor& self, std::int64_t dim,
                               std::optional<bool> halfToFloat, Tensor& out) {
    return reduction::softmaxOut<false>(context, self, dim, halfToFloat.value_or(false), out);
}

/// The mask is ignored: the exporter passes one that masks nothing.
template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<> plainSoftmaxOut(KernelContext& context, const Tensor& input, const Tensor* /*mask*/,
                               std::int64_t dim, Scale inScale, ZeroPoint inZeroPoint, Scale outScale,
                               ZeroPoint outZeroPoint, Tensor& out) {
    ET_ASSIGN(const Tensor real, realNumbers(context, input, inScale, inZeroPoint));
    ET_ASSIGN(Tensor shares, quantized::emptyDoubles(context, real.sizes()));
    ET_ASSIGN(const double scale, quantized::theNumber(outScale));
    ET_ASSIGN(const double zeroPoint, quantized::theNumber(outZeroPoint));
    ET_TRY(reduction::softmaxOut<false>(context, real, dim, false, shares));
    return quantizeInto(context, shares, scale, zeroPoint, out);
}

template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<> softmaxOut(KernelContext& context, const Tensor& input, const Tensor* mask, std::int64_t dim,
                          std::int64_t maskType, const Tensor* /*position*/, Scale inScale,
                          ZeroPoint inZeroPoint, Scale outScale, ZeroPoint outZeroPoint, Tensor& out) {
    if (maskType != 0) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("unsupported softmax mask type {}", maskType));
    }
    return plainSoftmaxOut<Scale, ZeroPoint>(context, input, mask, dim, inScale, inZeroPoint, outScale,
                                             outZeroPoint, out);
}

template <NumberArgument Scale, NumberArgument ZeroPoint>
core::Result<> layerNormOut(KernelContext& context, const Tensor& x, Scale xScale, ZeroPoint xZeroPoint,
                            IntList normalizedShape, const Tensor& weight, const Tensor& bias, double eps,
                            double outScale, std::int64_t outZeroPoint, Tensor& out) {
    ET_ASSIGN(const Tensor real, realNumbers(context, x, xScale, xZeroPoint));
    ET_ASSIGN(const Tensor factors, quantized::doublesOf(context, viewOf(weight)));
    ET_ASSIGN(const Tensor addends, quantized::doublesOf(context, viewOf(bias)));
    Sizes groups = real.sizes();
    for (std::size_t i = 0; i < std::min(normalizedShape.size(), groups.size()); ++i) {
        groups[groups.size() - 1 - i] = 1;
    }
    ET_ASSIGN(Tensor mean, quantized::emptyDoubles(context, groups));
    ET_ASSIGN(Tensor reciprocal, quantized::emptyDoubles(context, groups));
    ET_ASSIGN(Tensor normal, quantized::emptyDoubles(context, real.sizes()));
    ET_TRY(reduction::nativeLayerNormOut(context, real, normalizedShape, &factors, &addends, eps, normal,
                                         mean, reciprocal));
    return quantizeInto(context, normal, outScale, static_cast<double>(outZeroPoint), out);
}

/// x / sqrt(mean of x^2 + eps) * weight; the mean is over the last dimensions.
core::Result<> rmsNormOut(KernelContext& context, const Tensor& x, IntList normalizedShape,
                          const Tensor& weight, double eps, Tensor& out) {
    std::int64_t row = 1;
    for (std::size_t i = 0; i < normalizedShape.size(); ++i) {
        if (normalizedShape.size() > x.dim() ||
            x.size(x.dim() - normalizedShape.size() + i) != normalizedShape[i]) {
            return invalid("the normalized shape does not match the last sizes of " +
                           core::sizesText(x.sizes()));
        }
        row *= normalizedShape[i];
    }
    if (weight.numel() != row) {
        return invalid(fmt::format("weight: expected {} numbers, got {}", row, weight.numel()));
    }
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(x)));
    ET_ASSIGN(Tensor factors, quantized::doublesOf(context, viewOf(weight)));
    ET_TRY(out.resize(x.sizes()));
    const std::span<double> all = quantized::elementsOf(numbers);
    const auto length = static_cast<std::size_t>(row);
    for (std::size_t start = 0; start < all.size(); start += length) {
        const std::span<double> part = all.subspan(start, length);
        double squares = 0;
        for (const double number : part) {
            squares += number * number;
        }
        const double factor = 1 / std::sqrt(squares / static_cast<double>(row) + eps);
        for (std::size_t i = 0; i < length; ++i) {
            part[i] *= factor * quantized::elementsOf(factors)[i];
        }
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

/// Position of the two elements of a pair in a row: adjacent, or half a row apart.
enum class Pairs : std::uint8_t { Neighbours, Halves };

/// Shapes of a rotary embedding: input [1, positions, heads, row] or [1, positions, heads, row / 2, 2].
struct Rope {
    std::int64_t positions = 0;
    std::int64_t heads = 0;
    std::int64_t half = 0;  ///< row / 2
};

core::Result<Rope> ropeShape(const Tensor& input, const Tensor& sines, const Tensor& cosines,
                             const Tensor* position) {
    if ((input.dim() != 4 && input.dim() != 5) || input.size(0) != 1) {
        return invalid("expected an input [1, positions, heads, numbers], got " + core::describe(input));
    }
    const std::int64_t row = input.dim() == 5 ? input.size(3) * input.size(4) : input.size(3);
    const Rope shape{.positions = input.size(1), .heads = input.size(2), .half = row / 2};
    const auto fits = [&](const Tensor& table) {
        return table.dim() == 2 && table.size(1) == shape.half &&
               (position != nullptr || table.size(0) >= shape.positions);
    };
    if (row % 2 != 0 || !fits(sines) || !fits(cosines) || sines.size(0) != cosines.size(0) ||
        (position != nullptr && position->numel() != shape.positions)) {
        return invalid(fmt::format("sines {}, cosines {} and positions do not match the input {}",
                                   core::sizesText(sines.sizes()), core::sizesText(cosines.sizes()),
                                   core::sizesText(input.sizes())));
    }
    return shape;
}

/// Returns the table row for each position of the input.
core::Result<Tensor> tableRows(KernelContext& context, const Rope& shape, const Tensor* position,
                               std::int64_t rows) {
    if (position != nullptr) {
        ET_ASSIGN(Tensor given, quantized::doublesOf(context, viewOf(*position)));
        for (const double row : quantized::elementsOf(given)) {
            if (!(row >= 0 && row < static_cast<double>(rows))) {
                return invalid(fmt::format("position {} is outside a table of {} rows", row, rows));
            }
        }
        return given;
    }
    ET_ASSIGN(Tensor made, quantized::emptyDoubles(context, Sizes{shape.positions}));
    double next = 0;
    for (double& row : quantized::elementsOf(made)) {
        row = next++;
    }
    return made;
}

template <Pairs pairs>
void rotate(std::span<double> row, const double* sines, const double* cosines) {
    const std::size_t half = row.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        double& first = row[pairs == Pairs::Neighbours ? 2 * i : i];
        double& second = row[pairs == Pairs::Neighbours ? 2 * i + 1 : i + half];
        const double x = first;
        const double y = second;
        first = x * cosines[i] - y * sines[i];
        second = x * sines[i] + y * cosines[i];
    }
}

template <Pairs pairs>
core::Result<> ropeOut(KernelContext& context, const Tensor& input, const Tensor& sines,
                       const Tensor& cosines, const Tensor* position, Tensor& out) {
    ET_ASSIGN(const Rope shape, ropeShape(input, sines, cosines, position));
    ET_ASSIGN(Tensor numbers, quantized::doublesOf(context, viewOf(input)));
    ET_ASSIGN(Tensor sineTable, quantized::doublesOf(context, viewOf(sines)));
    ET_ASSIGN(Tensor cosineTable, quantized::doublesOf(context, viewOf(cosines)));
    ET_ASSIGN(Tensor rows, tableRows(context, shape, position, sines.size(0)));
    ET_TRY(out.resize(input.sizes()));
    const auto length = static_cast<std::size_t>(shape.half) * 2;
    const auto heads = static_cast<std::size_t>(shape.heads);
    const std::span<double> all = quantized::elementsOf(numbers);
    for (std::size_t start = 0; length > 0 && start < all.size(); start += length) {
        const auto row = static_cast<std::size_t>(quantized::elementsOf(rows)[start / length / heads]);
        const std::size_t at = row * length / 2;
        rotate<pairs>(all.subspan(start, length), quantized::elementsOf(sineTable).data() + at,
                      quantized::elementsOf(cosineTable).data() + at);
    }
    return quantized::storeDoubles(context, numbers, viewOf(out));
}

core::Result<> embeddingOut(KernelContext& context, const Tensor& weight, const Tensor& scales,
                            const Tensor* zeroPoints, const Tensor& indices, bool pruned, Tensor& out) {
    if (pruned) {
        return core::fail(core::ErrorCode::Unsupported, "embeddings with pruned weights are not supported");
    }
    return quantized::embed(context, {weight, scales, zeroPoints, 8}, indices, std::nullopt, out);
}

constexpr KernelEntry plainSoftmax{"cadence::quantized_softmax.per_tensor_out",
                                   box<&plainSoftmaxOut<double, std::int64_t>>};
constexpr KernelEntry plainSoftmaxOfTensors{"cadence::quantized_softmax.out",
                                            box<&plainSoftmaxOut<const Tensor*, const Tensor*>>};

constexpr std::array rowTable{
    KernelEntry{"cadence::_softmax_f32_f32.out", box<&floatSoftmaxOut>},
    KernelEntry{"cadence::quantized_softmax.out",
                box<&softmaxOut<const Tensor*, const Tensor*>>,
                {},
                &plainSoftmaxOfTensors},
    KernelEntry{"cadence::quantized_softmax.per_tensor_out",
                box<&softmaxOut<double, std::int64_t>>,
                {},
                &plainSoftmax},
    KernelEntry{"cadence::quantized_layer_norm.out", box<&layerNormOut<const Tensor*, const Tensor*>>},
    KernelEntry{"cadence::quantized_layer_norm.per_tensor_out", box<&layerNormOut<double, std::int64_t>>},
    KernelEntry{"cadence::rms_norm.out", box<&rmsNormOut>},
    KernelEntry{"cadence::rope.out", box<&ropeOut<Pairs::Neighbours>>},
    KernelEntry{"cadence::rope_rotate_stacked_halves.out", box<&ropeOut<Pairs::Halves>>},
    KernelEntry{"cadence::quantized_embedding_byte.out", box<&embeddingOut>},
};

}  // namespace

std::span<const KernelEntry> rowEntries() {
    return rowTable;
}

}  // namespace et::kernels::cadence
