#include "backends/reference/composing.h"
#include "runtime/core/element_types.h"

#include <cmath>
#include <limits>
#include <utility>

// Cadence's operators on quantized tensors, as its portable implementations compute them: exact sums of whole
// numbers, one multiplication, rounded to the nearest number that the result's dtype holds. Definitions:
// backends/cadence/aot/ref_implementations.py of ExecuTorch.
namespace et::backends::reference {
namespace {

using core::Result;
using core::ScalarType;

/// How far a dtype of quantized numbers reaches.
struct Reach {
    double low;
    double high;
};
template <class T>
constexpr Reach reachOf{std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};

Result<Reach> reach(ScalarType type) {
    switch (type) {
        case ScalarType::Byte:
            return reachOf<std::uint8_t>;
        case ScalarType::Char:
            return reachOf<std::int8_t>;
        case ScalarType::Short:
            return reachOf<std::int16_t>;
        default:
            return core::fail(core::ErrorCode::Unsupported,
                              "a quantized result of " + core::scalarTypeName(type));
    }
}

/// The numbers without their zero point, in double, where sums of products of 8 bits are exact.
Result<ReferenceTensor> centered(Calls& calls, const ReferenceValue& value, const ReferenceValue& zeroPoint) {
    ET_ASSIGN(const auto tensor, tensorOf(value));
    ET_ASSIGN(const auto wide, calls.converted(tensor, ScalarType::Double));
    return calls.tensor("aten.sub.Scalar", {{wide}, zeroPoint}, ScalarType::Double);
}

/// round(sums * factor) + zero point, cut to what the dtype holds.
Result<ReferenceTensor> requantized(Calls& calls, const ReferenceTensor& sums, double factor,
                                    const ReferenceValue& zeroPoint, ScalarType dtype) {
    ET_ASSIGN(const Reach limits, reach(dtype));
    ET_ASSIGN(auto numbers, calls.tensor("aten.mul.Scalar", {{sums}, {factor}}, ScalarType::Double));
    ET_ASSIGN(numbers, calls.tensor("aten.round.default", {{numbers}}, ScalarType::Double));
    ET_ASSIGN(numbers, calls.tensor("aten.add.Scalar", {{numbers}, zeroPoint}, ScalarType::Double));
    ET_ASSIGN(numbers, calls.tensor("aten.clamp.default", {{numbers}, {limits.low}, {limits.high}},
                                    ScalarType::Double));
    return calls.converted(numbers, dtype);
}

/// src weight bias src_zero_point weight_zero_point out_multiplier out_shift out_zero_point offset. The
/// multiplier is a fraction of 2^31.
Composed quantizedLinear(Calls& calls, Arguments arguments, Kinds results) {
    constexpr double one = 2147483648.0;
    ET_ASSIGN(const auto input, centered(calls, arguments[0], arguments[3]));
    ET_ASSIGN(const auto weight, centered(calls, arguments[1], arguments[4]));
    ET_ASSIGN(const auto bias, tensorOf(arguments[2]));
    ET_ASSIGN(const auto wideBias, calls.converted(bias, ScalarType::Double));
    ET_ASSIGN(const double multiplier, numberOf(arguments[5]));
    ET_ASSIGN(const double shift, numberOf(arguments[6]));
    ET_ASSIGN(auto sums,
              calls.tensor("aten.linear.default", {{input}, {weight}, {wideBias}}, ScalarType::Double));
    return gives(requantized(calls, sums, multiplier / one * std::exp2(shift), arguments[7],
                             resultTypeOf(results, arguments)));
}

/// input weight bias stride padding dilation groups input_zero_point weight_zero_point bias_scale out_scale
/// out_zero_point out_multiplier out_shift
Composed quantizedConvolution(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto input, centered(calls, arguments[0], arguments[7]));
    ET_ASSIGN(const auto weight, centered(calls, arguments[1], arguments[8]));
    ET_ASSIGN(const auto bias, tensorOf(arguments[2]));
    ET_ASSIGN(const auto wideBias, calls.converted(bias, ScalarType::Double));
    ET_ASSIGN(const double biasScale, numberOf(arguments[9]));
    ET_ASSIGN(const double scale, numberOf(arguments[10]));
    ET_ASSIGN(
        auto sums,
        calls.tensor("aten.conv2d.default",
                     {{input}, {weight}, {wideBias}, arguments[3], arguments[4], arguments[5], arguments[6]},
                     ScalarType::Double));
    return gives(
        requantized(calls, sums, biasScale / scale, arguments[11], resultTypeOf(results, arguments)));
}

constexpr std::string_view convolution =
    "input weight bias stride padding dilation groups input_zero_point weight_zero_point bias_scale "
    "out_scale "
    "out_zero_point out_multiplier out_shift";

constexpr Operator rows[] = {
    {"cadence.quantized_linear.per_tensor",
     "src weight bias src_zero_point weight_zero_point out_multiplier out_shift out_zero_point offset=None",
     "", quantizedLinear},
    {"cadence.quantized_conv2d_nchw.per_tensor", convolution, "", quantizedConvolution},
};

}  // namespace

std::span<const Operator> composedCadence() {
    return rows;
}

}  // namespace et::backends::reference
