#include "runtime/kernels/gradient/operators.h"
#include "runtime/kernels/gradient/row_major.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace et::kernels::gradient {
namespace {

/// Elements along one dimension: of `length`, `inner` apart, in `outer` blocks.
struct DimensionLines {
    std::int64_t outer = 1;
    std::int64_t length = 1;
    std::int64_t inner = 1;

    /// Calls `visit(first element)` for each line.
    template <class Visit>
    void forEach(Visit&& visit) const {
        for (std::int64_t block = 0; block < outer; ++block) {
            for (std::int64_t at = 0; at < inner; ++at) {
                visit(block * length * inner + at);
            }
        }
    }
};

Result<DimensionLines> linesAlong(const Tensor& tensor, std::int64_t dim) {
    ET_ASSIGN(const std::size_t along, wrapDim(dim, std::max<std::size_t>(tensor.dim(), 1)));
    DimensionLines lines;
    for (std::size_t i = 0; i < tensor.dim(); ++i) {
        std::int64_t& part = i < along ? lines.outer : i == along ? lines.length : lines.inner;
        part *= tensor.sizes()[i];
    }
    return lines;
}

template <bool logarithm>
Result<> softmaxBackward(KernelContext& context, const Tensor& gradient, const Tensor& output,
                         std::int64_t dim, ScalarType inputType, Tensor& out) {
    ET_TRY(expectAlike(output, {&gradient}));
    if (inputType != output.dtype()) {
        return invalid(fmt::format("expected an input of {}, got {}", core::scalarTypeName(output.dtype()),
                                   core::scalarTypeName(inputType)));
    }
    ET_ASSIGN(const DimensionLines lines, linesAlong(output, dim));
    ET_TRY(resizeLike(out, output));
    return visitFloatingType(output.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* gradients, dense::rowMajor<T>(context, gradient));
        ET_ASSIGN(const T* outputs, dense::rowMajor<T>(context, output));
        return fillResult<T>(context, out, [&](T* results) -> Result<> {
            lines.forEach([&](std::int64_t first) {
                double sum = 0;
                for (std::int64_t i = 0; i < lines.length; ++i) {
                    const std::int64_t at = first + i * lines.inner;
                    sum += static_cast<double>(gradients[at]) *
                           (logarithm ? 1 : static_cast<double>(outputs[at]));
                }
                for (std::int64_t i = 0; i < lines.length; ++i) {
                    const std::int64_t at = first + i * lines.inner;
                    const auto g = static_cast<double>(gradients[at]);
                    const auto y = static_cast<double>(outputs[at]);
                    results[at] = static_cast<T>(logarithm ? g - std::exp(y) * sum : y * (g - sum));
                }
            });
            return {};
        });
    });
}

/// The tensors of a layer norm; rows of `columns` elements are normalized.
struct LayerNormTensors {
    const Tensor& gradient;
    const Tensor& input;
    const Tensor& mean;
    const Tensor& reciprocal;
    const Tensor* weight = nullptr;
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    [[nodiscard]] Result<> check(IntList shape) {
        ET_TRY(expectAlike(input, {&gradient}));
        if (shape.empty() || shape.size() > input.dim() ||
            !std::ranges::equal(shape, std::span(input.sizes()).last(shape.size()))) {
            return invalid(fmt::format("expected the normalized shape to match the last sizes of {}, got {}",
                                       core::sizesText(input.sizes()), core::sizesText(shape)));
        }
        for (std::size_t i = 0; i < input.dim(); ++i) {
            (i + shape.size() < input.dim() ? rows : columns) *= input.sizes()[i];
        }
        if (mean.numel() != rows || reciprocal.numel() != rows) {
            return invalid(fmt::format("expected {} means and reciprocals, got {} and {}", rows, mean.numel(),
                                       reciprocal.numel()));
        }
        if (weight != nullptr && !std::ranges::equal(weight->sizes(), shape)) {
            return invalid(fmt::format("expected a weight of {}, got {}", core::sizesText(shape),
                                       core::sizesText(weight->sizes())));
        }
        return {};
    }
};

/// `count` zeros in temporary memory.
Result<std::span<double>> zeroSums(KernelContext& context, std::int64_t count) {
    ET_ASSIGN(const std::span<double> sums, context.scratch<double>(static_cast<std::size_t>(count)));
    std::ranges::fill(sums, 0.0);
    return sums;
}

/// Gradients in double precision; empty if not requested.
struct LayerNormSums {
    std::span<double> weight;
    std::span<double> bias;
};

/// Row-major elements of LayerNormTensors; `weight` may be null.
template <class T>
struct LayerNormElements {
    const T* gradient = nullptr;
    const T* input = nullptr;
    const T* mean = nullptr;
    const T* reciprocal = nullptr;
    const T* weight = nullptr;
    std::int64_t columns = 0;

    static Result<LayerNormElements> read(KernelContext& context, const LayerNormTensors& tensors) {
        LayerNormElements made{.columns = tensors.columns};
        ET_ASSIGN(made.gradient, dense::rowMajor<T>(context, tensors.gradient));
        ET_ASSIGN(made.input, dense::rowMajor<T>(context, tensors.input));
        ET_ASSIGN(made.mean, dense::rowMajor<T>(context, tensors.mean));
        ET_ASSIGN(made.reciprocal, dense::rowMajor<T>(context, tensors.reciprocal));
        if (tensors.weight != nullptr) {
            ET_ASSIGN(made.weight, dense::rowMajor<T>(context, *tensors.weight));
        }
        return made;
    }

    /// The gradient of the weighted result, and the normalized input.
    struct At {
        double scaled;
        double normalized;
    };
    [[nodiscard]] At at(std::int64_t row, std::int64_t column) const {
        const std::int64_t i = row * columns + column;
        const auto g = static_cast<double>(gradient[i]);
        return {.scaled = weight == nullptr ? g : g * static_cast<double>(weight[column]),
                .normalized = (static_cast<double>(input[i]) - static_cast<double>(mean[row])) *
                              static_cast<double>(reciprocal[row])};
    }

    void inputGradient(std::int64_t row, T* to) const {
        double sum = 0;
        double product = 0;
        for (std::int64_t i = 0; i < columns; ++i) {
            const At each = at(row, i);
            sum += each.scaled;
            product += each.scaled * each.normalized;
        }
        const auto count = static_cast<double>(columns);
        for (std::int64_t i = 0; i < columns; ++i) {
            const At each = at(row, i);
            to[row * columns + i] =
                static_cast<T>((each.scaled - sum / count - each.normalized * product / count) *
                               static_cast<double>(reciprocal[row]));
        }
    }

    void addTo(const LayerNormSums& sums, std::int64_t row) const {
        for (std::int64_t i = 0; i < columns; ++i) {
            const auto g = static_cast<double>(gradient[row * columns + i]);
            if (!sums.weight.empty()) {
                sums.weight[static_cast<std::size_t>(i)] += g * at(row, i).normalized;
            }
            if (!sums.bias.empty()) {
                sums.bias[static_cast<std::size_t>(i)] += g;
            }
        }
    }
};

/// Results; null if the mask does not request them.
struct LayerNormResults {
    Tensor* input = nullptr;
    Tensor* weight = nullptr;
    Tensor* bias = nullptr;
};

/// `out` may be null.
template <class T>
Result<> storeSums(KernelContext& context, Tensor* out, std::span<const double> sums) {
    return out == nullptr ? Result<>() : fillResult<T>(context, *out, [sums](T* to) -> Result<> {
        std::ranges::transform(sums, to, [](double sum) { return static_cast<T>(sum); });
        return {};
    });
}

template <class T>
Result<> layerNormGradients(KernelContext& context, const LayerNormTensors& tensors,
                            const LayerNormResults& results) {
    ET_ASSIGN(const auto elements, LayerNormElements<T>::read(context, tensors));
    if (results.input != nullptr) {
        ET_TRY(fillResult<T>(context, *results.input, [&](T* to) -> Result<> {
            for (std::int64_t row = 0; row < tensors.rows; ++row) {
                elements.inputGradient(row, to);
            }
            return {};
        }));
    }
    LayerNormSums sums;
    ET_ASSIGN(sums.weight, zeroSums(context, results.weight == nullptr ? 0 : tensors.columns));
    ET_ASSIGN(sums.bias, zeroSums(context, results.bias == nullptr ? 0 : tensors.columns));
    for (std::int64_t row = 0; row < tensors.rows; ++row) {
        elements.addTo(sums, row);
    }
    ET_TRY(storeSums<T>(context, results.weight, sums.weight));
    return storeSums<T>(context, results.bias, sums.bias);
}

/// A requested result with these sizes; null if it is not requested.
Result<Tensor*> requested(Tensor* out, bool isRequested, ScalarType dtype,
                          std::span<const std::int64_t> sizes) {
    if (!isRequested) {
        return nullptr;
    }
    if (out == nullptr || out->dtype() != dtype) {
        return invalid(fmt::format("expected a tensor of {} for each gradient requested by the mask",
                                   core::scalarTypeName(dtype)));
    }
    ET_TRY(out->resize(sizes));
    return out;
}

Result<> layerNormBackward(KernelContext& context, const Tensor& gradient, const Tensor& input, IntList shape,
                           const Tensor& mean, const Tensor& reciprocal, const Tensor* weight,
                           const Tensor* /*bias*/, BoolList mask, Tensor* inputResult, Tensor* weightResult,
                           Tensor* biasResult) {
    LayerNormTensors tensors{
        .gradient = gradient, .input = input, .mean = mean, .reciprocal = reciprocal, .weight = weight};
    ET_TRY(tensors.check(shape));
    if (mask.size() != 3) {
        return invalid(fmt::format("expected a mask of 3 elements, got {}", mask.size()));
    }
    LayerNormResults results;
    ET_ASSIGN(results.input, requested(inputResult, mask[0], input.dtype(), input.sizes()));
    ET_ASSIGN(results.weight, requested(weightResult, mask[1], input.dtype(), shape));
    ET_ASSIGN(results.bias, requested(biasResult, mask[2], input.dtype(), shape));
    for (const Tensor* const each : {&mean, &reciprocal, weight}) {
        if (each != nullptr &&
            (each->dtype() == ScalarType::Double) != (input.dtype() == ScalarType::Double)) {
            return invalid(fmt::format("expected tensors of {}, got {}", core::scalarTypeName(input.dtype()),
                                       core::scalarTypeName(each->dtype())));
        }
    }
    return visitFloatingType(input.dtype(), [&]<class T>(std::type_identity<T>) {
        return layerNormGradients<T>(context, tensors, results);
    });
}

/// Checks the indices and returns them. Errors: InvalidArgument (an index without a row).
Result<std::span<const std::int64_t>> embeddingRows(KernelContext& context, const Tensor& indices,
                                                    std::int64_t rows) {
    if (indices.dtype() != ScalarType::Long && indices.dtype() != ScalarType::Int) {
        return invalid(
            fmt::format("expected indices of int32 or int64, got {}", core::scalarTypeName(indices.dtype())));
    }
    ET_ASSIGN(const std::int64_t* numbers, dense::rowMajor<std::int64_t>(context, indices));
    const std::span found(numbers, static_cast<std::size_t>(indices.numel()));
    const auto outside =
        std::ranges::find_if(found, [rows](std::int64_t index) { return index < 0 || index >= rows; });
    if (outside != found.end()) {
        return invalid(fmt::format("expected indices from 0 to {}, got {}", rows - 1, *outside));
    }
    return found;
}

/// Factor of each row's gradient: 1, or 1 / the number of its uses.
Result<std::span<double>> rowFactors(KernelContext& context, std::span<const std::int64_t> rows,
                                     std::int64_t count, bool byUse) {
    ET_ASSIGN(const std::span<double> factors, zeroSums(context, count));
    for (const std::int64_t row : rows) {
        ++factors[static_cast<std::size_t>(row)];
    }
    std::ranges::transform(factors, factors.begin(),
                           [byUse](double uses) { return byUse && uses > 0 ? 1 / uses : 1; });
    return factors;
}

Result<> embeddingBackward(KernelContext& context, const Tensor& gradient, const Tensor& indices,
                           std::int64_t rowCount, std::int64_t padding, bool byUse, Tensor& out) {
    const std::size_t rank = indices.dim();
    if (rowCount < 0 || gradient.dim() != rank + 1 ||
        !std::ranges::equal(std::span(gradient.sizes()).first(rank), indices.sizes())) {
        return invalid(fmt::format("expected a gradient with the sizes {} and the embedding's, got {}",
                                   core::sizesText(indices.sizes()), core::sizesText(gradient.sizes())));
    }
    const std::int64_t columns = gradient.sizes()[rank];
    if (out.dtype() != gradient.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(gradient.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    ET_TRY(out.resize(std::array{rowCount, columns}));
    ET_ASSIGN(const std::span<const std::int64_t> rows, embeddingRows(context, indices, rowCount));
    ET_ASSIGN(const std::span<double> factors, rowFactors(context, rows, rowCount, byUse));
    ET_ASSIGN(const std::span<double> sums, zeroSums(context, out.numel()));
    return visitFloatingType(gradient.dtype(), [&]<class T>(std::type_identity<T>) -> Result<> {
        ET_ASSIGN(const T* next, dense::rowMajor<T>(context, gradient));
        for (const std::int64_t row : rows) {
            for (std::int64_t column = 0; column < columns; ++column, ++next) {
                const double term = factors[static_cast<std::size_t>(row)] * static_cast<double>(*next);
                sums[static_cast<std::size_t>(row * columns + column)] += row == padding ? 0 : term;
            }
        }
        return storeSums<T>(context, &out, sums);
    });
}

constexpr std::array rowGradients{
    KernelEntry{"aten::_softmax_backward_data.out", box<&softmaxBackward<false>>},
    KernelEntry{"aten::_log_softmax_backward_data.out", box<&softmaxBackward<true>>},
    KernelEntry{"aten::native_layer_norm_backward.out", box<&layerNormBackward>},
    KernelEntry{"aten::embedding_dense_backward.out", box<&embeddingBackward>},
};

}  // namespace

std::span<const KernelEntry> rowEntries() {
    return rowGradients;
}

}  // namespace et::kernels::gradient
