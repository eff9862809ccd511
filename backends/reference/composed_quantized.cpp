#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

// Block-wise quantization (torchao's affine operators): a tensor of sizes S has one scale per block of sizes
// B, so the scales have sizes S / B. Definitions: torchao/quantization/quant_primitives.py.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Numbers = std::vector<std::int64_t>;

/// Maps each element to its block.
class Blocks {
  public:
    /// Errors: InvalidArgument (blocks that do not divide the tensor).
    static Result<Blocks> make(const core::Tensor& tensor, const ReferenceValue& blockSizes) {
        Blocks made;
        made.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
        ET_ASSIGN(made.block, integersOf(blockSizes));
        bool fits = made.block.size() == made.sizes.size();
        for (std::size_t i = 0; fits && i < made.sizes.size(); ++i) {
            fits = made.block[i] > 0 && made.sizes[i] % made.block[i] == 0;
            made.counts.push_back(fits ? made.sizes[i] / made.block[i] : 0);
        }
        if (!fits) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("expected blocks that divide {}, got [{}]",
                                          core::sizesText(made.sizes), fmt::join(made.block, ", ")));
        }
        return made;
    }

    [[nodiscard]] std::int64_t count() const {
        std::int64_t all = 1;
        std::ranges::for_each(counts, [&](std::int64_t each) { all *= each; });
        return all;
    }

    /// Calls `visit(element, block)` for every element of a row-major tensor.
    template <class Visit>
    void forElements(std::int64_t elements, const Visit& visit) const {
        Numbers at(sizes.size(), 0);
        for (std::int64_t element = 0; element < elements; ++element) {
            std::int64_t index = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                index = index * counts[i] + at[i] / block[i];
            }
            visit(static_cast<std::size_t>(element), static_cast<std::size_t>(index));
            // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): different variables
            for (std::size_t i = sizes.size(); i-- > 0 && ++at[i] == sizes[i];) {
                at[i] = 0;
            }
        }
    }

  private:
    Numbers sizes;
    Numbers block;
    Numbers counts;  ///< blocks along each dimension
};

/// The elements in row-major order. Errors: those of Calls::converted().
Result<std::vector<double>> doublesOf(Calls& calls, const ReferenceTensor& tensor) {
    ET_ASSIGN(const auto wide, calls.converted(tensor, ScalarType::Double));
    ET_ASSIGN(const auto dense, calls.rowMajor(wide));
    const auto* first = dense.view.data<double>();
    return std::vector<double>(first, first + dense.view.numel());
}

/// Makes a tensor of these numbers, converted to `dtype`.
Result<ReferenceTensor> tensorOfNumbers(Calls& calls, std::span<const double> numbers,
                                        std::span<const std::int64_t> sizes, ScalarType dtype) {
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Double, sizes));
    std::ranges::copy(numbers, made.tensor.mutableData<double>());
    return calls.converted(std::move(made).finish(), dtype);
}

/// Scales and zero points, one per block.
struct Parameters {
    std::vector<double> scales;
    std::vector<double> zeroPoints;  ///< zeros if there are none
};
Result<Parameters> parametersOf(Calls& calls, const Blocks& blocks, const ReferenceValue& scale,
                                const ReferenceValue& zeroPoint) {
    Parameters made;
    ET_ASSIGN(const auto scales, tensorOf(scale));
    ET_ASSIGN(made.scales, doublesOf(calls, scales));
    made.zeroPoints.assign(made.scales.size(), 0);
    if (!isNone(zeroPoint)) {
        ET_ASSIGN(const auto zeroPoints, tensorOf(zeroPoint));
        ET_ASSIGN(made.zeroPoints, doublesOf(calls, zeroPoints));
    }
    const auto expected = static_cast<std::size_t>(blocks.count());
    if (made.scales.size() != expected || made.zeroPoints.size() != expected) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} scales and zero points, got {} and {}", expected,
                                      made.scales.size(), made.zeroPoints.size()));
    }
    return made;
}

struct Range {
    double low = 0;
    double high = 0;
};

/// The range given by the operator, otherwise that of the dtype.
Result<Range> rangeOf(const ReferenceValue& low, const ReferenceValue& high, std::int64_t dtype) {
    Range range = dtype == static_cast<std::int64_t>(ScalarType::Byte) ? Range{0, 255} : Range{-128, 127};
    if (!isNone(low)) {
        ET_ASSIGN(range.low, numberOf(low));
    }
    if (!isNone(high)) {
        ET_ASSIGN(range.high, numberOf(high));
    }
    if (!(range.low <= range.high)) {
        return core::fail(ErrorCode::InvalidArgument, "expected a range of quantized numbers");
    }
    return range;
}

/// Rounds like torch: in float32 if the tensor is float32, half to even.
double rounded(double number, bool single) {
    return single ? std::nearbyint(static_cast<double>(static_cast<float>(number))) : std::nearbyint(number);
}

/// input block_size scale zero_point output_dtype quant_min quant_max zero_point_domain
Composed quantizeAffine(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    ET_ASSIGN(const Blocks blocks, Blocks::make(input.view, arguments[1]));
    ET_ASSIGN(const Parameters parameters, parametersOf(calls, blocks, arguments[2], arguments[3]));
    ET_ASSIGN(const std::int64_t dtype, integerOf(arguments[4]));
    ET_ASSIGN(const Range range, rangeOf(arguments[5], arguments[6], dtype));
    ET_ASSIGN(std::vector<double> numbers, doublesOf(calls, input));
    const bool single = input.view.dtype() != ScalarType::Double;
    blocks.forElements(input.view.numel(), [&](std::size_t element, std::size_t block) {
        const double inverse = single
                                   ? static_cast<double>(1.0F / static_cast<float>(parameters.scales[block]))
                                   : 1.0 / parameters.scales[block];
        const double moved = rounded(numbers[element] * inverse, single) + parameters.zeroPoints[block];
        numbers[element] = std::isnan(moved) ? range.low : std::clamp(moved, range.low, range.high);
    });
    return gives(tensorOfNumbers(calls, numbers, input.view.sizes(), resultTypeOf(results, {})));
}

/// Dequantizes int8 to float32, the usual dtypes of weights, without an intermediate copy in double.
Result<ReferenceTensor> dequantizedBytes(Calls& calls, const ReferenceTensor& input, const Blocks& blocks,
                                         const Parameters& parameters) {
    ET_ASSIGN(const auto dense, calls.rowMajor(input));
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Float, input.view.sizes()));
    const auto* const from = dense.view.data<std::int8_t>();
    auto* const to = made.tensor.mutableData<float>();
    blocks.forElements(input.view.numel(), [&](std::size_t element, std::size_t block) {
        to[element] =
            static_cast<float>((from[element] - parameters.zeroPoints[block]) * parameters.scales[block]);
    });
    return std::move(made).finish();
}

/// input block_size scale zero_point input_dtype quant_min quant_max zero_point_domain
Composed dequantizeAffine(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    ET_ASSIGN(const Blocks blocks, Blocks::make(input.view, arguments[1]));
    ET_ASSIGN(const Parameters parameters, parametersOf(calls, blocks, arguments[2], arguments[3]));
    if (input.view.dtype() == ScalarType::Char && resultTypeOf(results, {}) == ScalarType::Float) {
        return gives(dequantizedBytes(calls, input, blocks, parameters));
    }
    ET_ASSIGN(std::vector<double> numbers, doublesOf(calls, input));
    blocks.forElements(input.view.numel(), [&](std::size_t element, std::size_t block) {
        numbers[element] = (numbers[element] - parameters.zeroPoints[block]) * parameters.scales[block];
    });
    return gives(tensorOfNumbers(calls, numbers, input.view.sizes(), resultTypeOf(results, {})));
}

/// Minimum and maximum of each block.
Result<std::vector<Range>> extremesOf(Calls& calls, const ReferenceTensor& input, const Blocks& blocks) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    ET_ASSIGN(const std::vector<double> numbers, doublesOf(calls, input));
    std::vector<Range> extremes(static_cast<std::size_t>(blocks.count()), Range{infinity, -infinity});
    blocks.forElements(input.view.numel(), [&](std::size_t element, std::size_t block) {
        extremes[block].low = std::min(extremes[block].low, numbers[element]);
        extremes[block].high = std::max(extremes[block].high, numbers[element]);
    });
    return extremes;
}

/// Returns the scale and zero point that map a block's values to the full range.
using Choose = Range (*)(Range extremes, Range range, double eps);

Range chooseAsymmetric(Range extremes, Range range, double eps) {
    const double low = std::min(extremes.low, 0.0);
    const double high = std::max(extremes.high, 0.0);
    const auto scale = std::max(
        static_cast<double>(static_cast<float>(high - low) / static_cast<float>(range.high - range.low)),
        eps);
    const double zeroPoint = range.low - std::nearbyint(static_cast<float>(low) / static_cast<float>(scale));
    return {scale, std::clamp(zeroPoint, range.low, range.high)};
}

Range chooseSymmetric(Range extremes, Range range, double eps) {
    const double largest = std::max({-extremes.low, extremes.high, 0.0});
    const double half = (range.high - range.low) / 2;
    const double middle = std::floor((range.high + range.low + 1) / 2);
    return {std::max(static_cast<double>(static_cast<float>(largest) / static_cast<float>(half)), eps),
            middle};
}

struct MappingType {
    std::string_view name;
    Choose choose;
};
constexpr std::array mappingTypes{MappingType{"SYMMETRIC", chooseSymmetric},
                                  MappingType{"ASYMMETRIC", chooseAsymmetric}};

/// input mapping_type block_size target_dtype quant_min quant_max eps …
Composed chooseAffine(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    const auto* word = arguments[1].as<std::string>();
    const auto* mapping =
        std::ranges::find(mappingTypes, word == nullptr ? "" : std::string_view(*word), &MappingType::name);
    if (mapping == mappingTypes.end()) {
        return core::fail(ErrorCode::Unsupported, "a mapping other than SYMMETRIC and ASYMMETRIC");
    }
    ET_ASSIGN(const Blocks blocks, Blocks::make(input.view, arguments[2]));
    ET_ASSIGN(const std::int64_t dtype, integerOf(arguments[3]));
    ET_ASSIGN(const Range range, rangeOf(arguments[4], arguments[5], dtype));
    constexpr double minStep = 1.1920928955078125e-07;  // of float32
    ET_ASSIGN(const double eps, isNone(arguments[6]) ? Result<double>(minStep) : numberOf(arguments[6]));
    ET_ASSIGN(const std::vector<Range> extremes, extremesOf(calls, input, blocks));
    std::vector<double> scales;
    std::vector<double> zeroPoints;
    for (const Range& each : extremes) {
        const Range chosen = mapping->choose(each, range, eps);
        scales.push_back(chosen.low);
        zeroPoints.push_back(chosen.high);
    }
    Numbers sizes;
    ET_ASSIGN(const Numbers block, integersOf(arguments[2]));
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] != input.view.size(i)) {
            sizes.push_back(input.view.size(i) / block[i]);
        } else {
            sizes.push_back(1);
        }
    }
    const auto typeAt = [&](std::size_t i, ScalarType otherwise) {
        return i < results.size() && !results[i].dtypes.empty() ? results[i].dtypes.front() : otherwise;
    };
    ET_ASSIGN(auto scale, tensorOfNumbers(calls, scales, sizes, typeAt(0, input.view.dtype())));
    ET_ASSIGN(auto zeroPoint, tensorOfNumbers(calls, zeroPoints, sizes, typeAt(1, ScalarType::Int)));
    return std::vector<ReferenceValue>{{std::move(scale)}, {std::move(zeroPoint)}};
}

/// Block sizes for groups of `group` elements along the rows of a matrix, as the operators above expect them.
Result<ReferenceValue> groupsOf(const ReferenceValue& matrix, const ReferenceValue& group) {
    ET_ASSIGN(const auto tensor, tensorOf(matrix));
    ET_ASSIGN(const std::int64_t size, integerOf(group));
    Numbers block(tensor.view.dim(), 1);
    if (!block.empty()) {
        block.back() = size;
    }
    return listOf(block);
}

/// input scales zero_points quant_min quant_max dtype group_size
Composed quantizeGroups(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto blocks, groupsOf(arguments[0], arguments[6]));
    const std::array<ReferenceValue, 7> inner{arguments[0], blocks,       arguments[1], arguments[2],
                                              arguments[5], arguments[3], arguments[4]};
    return quantizeAffine(calls, inner, results);
}

/// w_int8 scales zero_points quant_min quant_max dtype group_size output_dtype
Composed dequantizeGroups(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto blocks, groupsOf(arguments[0], arguments[6]));
    const std::array<ReferenceValue, 4> inner{arguments[0], blocks, arguments[1], arguments[2]};
    return dequantizeAffine(calls, inner, results);
}

constexpr Operator composedQuantizedRows[] = {
    {"quantized_decomposed.quantize_per_channel_group.default",
     "input scales zero_points quant_min quant_max dtype group_size=128", "", quantizeGroups},
    {"quantized_decomposed.dequantize_per_channel_group.default",
     "w_int8 scales zero_points quant_min quant_max dtype group_size=128 output_dtype=None", "",
     dequantizeGroups},
    {"torchao.quantize_affine.default",
     "input block_size scale zero_point output_dtype quant_min=None quant_max=None zero_point_domain=INT", "",
     quantizeAffine},
    {"torchao.dequantize_affine.default",
     "input block_size scale zero_point input_dtype quant_min=None quant_max=None zero_point_domain=INT "
     "output_dtype=None",
     "", dequantizeAffine},
    {"torchao.choose_qparams_affine.default",
     "input mapping_type block_size target_dtype quant_min=None quant_max=None eps=None scale_dtype=None "
     "zero_point_dtype=None",
     "", chooseAffine},
};

}  // namespace

std::span<const Operator> composedQuantized() {
    return composedQuantizedRows;
}

}  // namespace et::backends::reference
