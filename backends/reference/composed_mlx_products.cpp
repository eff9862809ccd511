#include "backends/reference/composing.h"
#include "runtime/core/bit_fields.h"
#include "runtime/core/small_floats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

// Quantized weights and products of gathered matrices in MLX delegates, by the definitions of MLX
// (mlx/ops.cpp, https://github.com/ml-explore/mlx).
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using Sizes = std::vector<std::int64_t>;

enum class Mode : std::uint8_t { Affine, Mxfp4, Nvfp4, Mxfp8 };

Result<Mode> modeOf(const ReferenceValue& value) {
    constexpr std::array<std::pair<std::string_view, Mode>, 4> modes{
        {{"affine", Mode::Affine}, {"mxfp4", Mode::Mxfp4}, {"nvfp4", Mode::Nvfp4}, {"mxfp8", Mode::Mxfp8}}};
    const auto* text = value.as<std::string>();
    const auto* found = std::ranges::find(modes, text == nullptr ? std::string_view() : *text,
                                          &std::pair<std::string_view, Mode>::first);
    if (found == modes.end()) {
        return fail(ErrorCode::Unsupported, fmt::format("unknown quantization \"{}\"",
                                                        core::printable(text == nullptr ? "" : *text)));
    }
    return found->second;
}

/// Quantized rows: `bits` per element, low bits first, with a scale and a bias for each group.
struct Packed {
    Mode mode = Mode::Affine;
    std::int64_t bits = 0;
    std::int64_t group = 0;
    ReferenceTensor words;   ///< 4 bytes each, row-major
    ReferenceTensor scales;  ///< float64, or bytes of a floating-point format
    std::optional<ReferenceTensor> biases;
    double factor = 1;  ///< of all scales

    [[nodiscard]] double scale(std::size_t at) const {
        if (mode == Mode::Affine) {
            return scales.view.data<double>()[at];
        }
        const auto byte = std::to_integer<std::uint32_t>(scales.view.raw()[at]);
        return factor * (mode == Mode::Nvfp4 ? double{core::e4m3[byte]}
                                             : std::ldexp(1.0, static_cast<int>(byte) - 127));
    }
    [[nodiscard]] double element(std::uint32_t code) const {
        return mode == Mode::Affine  ? static_cast<double>(code)
               : mode == Mode::Mxfp8 ? double{core::e4m3[code & 0xFFU]}
                                     : double{core::e2m1[code & 15U]};
    }
};

Result<ReferenceTensor> asDoubles(Calls& calls, const ReferenceValue& value) {
    ET_ASSIGN(ReferenceTensor tensor, tensorOf(value));
    ET_ASSIGN(tensor, calls.converted(tensor, ScalarType::Double));
    return calls.rowMajor(tensor);
}

/// words scales biases group_size bits mode global_scale
Result<Packed> packedOf(Calls& calls, Arguments arguments) {
    Packed packed;
    ET_ASSIGN(packed.mode, modeOf(arguments[5]));
    ET_ASSIGN(packed.bits, integerOf(arguments[4]));
    ET_ASSIGN(packed.group, integerOf(arguments[3]));
    ET_ASSIGN(packed.words, tensorOf(arguments[0]));
    ET_ASSIGN(packed.words, calls.rowMajor(packed.words));
    if (packed.mode == Mode::Affine) {
        ET_ASSIGN(packed.scales, asDoubles(calls, arguments[1]));
        ET_ASSIGN(packed.biases, asDoubles(calls, arguments[2]));
    } else {
        ET_ASSIGN(packed.scales, tensorOf(arguments[1]));
        ET_ASSIGN(packed.scales, calls.rowMajor(packed.scales));
    }
    if (!isNone(arguments[6])) {
        ET_ASSIGN(const ReferenceTensor whole, asDoubles(calls, arguments[6]));
        constexpr double largest = 448.0 * 6.0;  // of E4M3 times E2M1
        packed.factor = whole.view.numel() == 1 ? whole.view.data<double>()[0] / largest : 1;
    }
    return packed;
}

/// Errors: InvalidArgument (sizes that do not belong together).
Result<Sizes> unpackedSizes(const Packed& packed) {
    const core::Tensor& words = packed.words.view;
    const core::Tensor& scales = packed.scales.view;
    const bool isWhole = packed.mode != Mode::Affine;
    const bool hasBits = isWhole ? packed.bits == (packed.mode == Mode::Mxfp8 ? 8 : 4)
                                 : packed.bits >= 2 && packed.bits <= 8 && packed.bits != 7;
    const bool hasWords = words.elementSize() == 4 && words.dim() >= 1 && words.dim() == scales.dim();
    const bool hasScales = !isWhole || scales.elementSize() == 1;
    if (!hasBits || !hasWords || !hasScales || packed.group <= 0) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("cannot dequantize {} with scales {}: {} bits in groups of {}",
                                core::describe(words), core::describe(scales), packed.bits, packed.group));
    }
    Sizes sizes(words.sizes().begin(), words.sizes().end());
    sizes.back() = sizes.back() * 32 / packed.bits;
    Sizes groups(scales.sizes().begin(), scales.sizes().end());
    const bool fits = groups.back() * packed.group == sizes.back() &&
                      std::equal(groups.begin(), groups.end() - 1, sizes.begin()) &&
                      (!packed.biases || packed.biases->view.sizes() == scales.sizes());
    if (!fits) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("scales {} do not fit weights {} in groups of {}", core::describe(scales),
                                core::sizesText(sizes), packed.group));
    }
    return sizes;
}

template <class T>
void unpackRows(const Packed& packed, std::size_t width, std::span<T> to) {
    const std::size_t bits = static_cast<std::size_t>(packed.bits);
    const auto group = static_cast<std::size_t>(packed.group);
    const std::size_t rowBytes = width * bits / 8;
    for (std::size_t at = 0; at < to.size(); at += group) {
        const std::byte* row = packed.words.view.raw() + at / width * rowBytes;
        const double scale = packed.scale(at / group);
        const double bias = packed.biases ? packed.biases->view.data<double>()[at / group] : 0;
        for (std::size_t i = 0; i < group; ++i) {
            const double code =
                packed.element(core::bitsAt(row, (at % width + i) * bits, static_cast<unsigned>(bits)));
            to[at + i] = static_cast<T>(scale * code + bias);
        }
    }
}

/// words scales biases group_size bits mode global_scale
Composed dequantizeWords(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const Packed packed, packedOf(calls, arguments));
    ET_ASSIGN(const Sizes sizes, unpackedSizes(packed));
    const ScalarType dtype =
        results.empty() || results[0].dtypes.empty() ? ScalarType::Float : results[0].dtypes[0];
    const bool isDouble = dtype == ScalarType::Double;
    ET_ASSIGN(ResultTensor made, calls.empty(isDouble ? ScalarType::Double : ScalarType::Float, sizes));
    const auto width = static_cast<std::size_t>(sizes.back());
    const auto count = static_cast<std::size_t>(made.tensor.numel());
    if (isDouble) {
        unpackRows(packed, width, std::span(made.tensor.mutableData<double>(), count));
    } else {
        unpackRows(packed, width, std::span(made.tensor.mutableData<float>(), count));
    }
    const ReferenceTensor finished = std::move(made).finish();
    return gives(calls.converted(finished, dtype));
}

/// A stack of matrices, with the sizes that it stands for.
struct Matrices {
    ReferenceTensor flat;  ///< [count, rows, columns]
    Sizes batch;
};

Result<Matrices> matricesOf(Calls& calls, const ReferenceValue& value, ScalarType dtype) {
    ET_ASSIGN(ReferenceTensor tensor, tensorOf(value));
    if (tensor.view.dim() < 2) {
        return fail(ErrorCode::InvalidArgument, "expected matrices, got " + core::describe(tensor.view));
    }
    ET_ASSIGN(tensor, calls.converted(tensor, dtype));
    const Sizes sizes = sizesOf(tensor);
    Matrices made{.flat = {}, .batch = Sizes(sizes.begin(), sizes.end() - 2)};
    const std::int64_t count =
        std::accumulate(made.batch.begin(), made.batch.end(), std::int64_t{1}, std::multiplies());
    const Sizes flat{count, sizes[sizes.size() - 2], sizes.back()};
    ET_ASSIGN(made.flat, calls.tensor("aten.view_copy.default", {{tensor}, listOf(flat)}, dtype));
    return made;
}

/// Numbers of matrices, with the sizes of the batch; all matrices in order if there are no indices.
Result<ReferenceTensor> numbersOf(Calls& calls, const ReferenceValue& indices, const Matrices& matrices) {
    if (const auto* given = indices.as<ReferenceTensor>()) {
        return calls.converted(*given, ScalarType::Long);
    }
    ET_ASSIGN(ResultTensor all, calls.empty(ScalarType::Long, matrices.batch));
    const auto count = static_cast<std::size_t>(all.tensor.numel());
    const std::span numbers(all.tensor.mutableData<std::int64_t>(), count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return std::move(all).finish();
}

/// a b lhs_indices rhs_indices: one product for each pair of the broadcast indices
Composed gatherProduct(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const Matrices left, matricesOf(calls, arguments[0], dtype));
    ET_ASSIGN(const Matrices right, matricesOf(calls, arguments[1], dtype));
    ET_ASSIGN(ReferenceTensor rows, numbersOf(calls, arguments[2], left));
    ET_ASSIGN(ReferenceTensor columns, numbersOf(calls, arguments[3], right));
    // Adding zeros broadcasts.
    ET_ASSIGN(const auto noRows, calls.tensor("aten.zeros_like.default", {{rows}}, ScalarType::Long));
    ET_ASSIGN(const auto noColumns, calls.tensor("aten.zeros_like.default", {{columns}}, ScalarType::Long));
    ET_ASSIGN(rows, calls.tensor("aten.add.Tensor", {{rows}, {noColumns}}, ScalarType::Long));
    ET_ASSIGN(columns, calls.tensor("aten.add.Tensor", {{columns}, {noRows}}, ScalarType::Long));
    Sizes sizes = sizesOf(rows);
    const Sizes flat{-1};
    ET_ASSIGN(rows, calls.tensor("aten.view_copy.default", {{rows}, listOf(flat)}, ScalarType::Long));
    ET_ASSIGN(columns, calls.tensor("aten.view_copy.default", {{columns}, listOf(flat)}, ScalarType::Long));
    const std::int64_t count = rows.view.numel();
    const std::int64_t each = right.flat.view.size(1) * right.flat.view.size(2);
    constexpr std::int64_t mostElements = std::int64_t{1} << 23U;
    const std::int64_t step =
        std::clamp<std::int64_t>(mostElements / std::max<std::int64_t>(each, 1), 1, 4096);
    ReferenceValue::List parts;
    for (std::int64_t at = 0; at == 0 || at < count; at += step) {
        const auto part = [&](const Matrices& from,
                              const ReferenceTensor& numbers) -> Result<ReferenceTensor> {
            ET_ASSIGN(auto some,
                      calls.tensor("aten.slice_copy.Tensor",
                                   {{numbers}, whole(0), {at}, {std::min(count, at + step)}, whole(1)},
                                   ScalarType::Long));
            return calls.tensor("aten.index_select.default", {{from.flat}, whole(0), {some}}, dtype);
        };
        ET_ASSIGN(const auto first, part(left, rows));
        ET_ASSIGN(const auto second, part(right, columns));
        ET_ASSIGN(auto product, calls.tensor("aten.bmm.default", {{first}, {second}}, dtype));
        parts.push_back({std::move(product)});
    }
    ET_ASSIGN(const auto all, calls.tensor("aten.cat.default", {{std::move(parts)}, whole(0)}, dtype));
    sizes.push_back(left.flat.view.size(1));
    sizes.push_back(right.flat.view.size(2));
    return gives(calls.tensor("aten.view_copy.default", {{all}, listOf(sizes)}, dtype));
}

constexpr Operator composedMlxProductRows[] = {
    {"mlx_node.dequantize.default", "words scales biases group_size bits mode global_scale=None", "",
     dequantizeWords},
    {"mlx_node.gather_mm.default", "a b lhs_indices=None rhs_indices=None", "", gatherProduct},
};

}  // namespace

std::span<const Operator> composedMlxProducts() {
    return composedMlxProductRows;
}

}  // namespace et::backends::reference
