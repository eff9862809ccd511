#include "backends/tosa/lower/graph_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

// Operators that scale, shift and convert integers. All are computed in int64, where they are exact.
namespace et::backends::tosa {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr std::int64_t doubleRounding = 3;      ///< code of the mode
constexpr std::int64_t doubleRoundedBits = 31;  ///< shifts above these round twice
constexpr std::int64_t mostShift = 62;

/// x / 2^shift, rounded down.
MadeTensor shifted(GraphMaker& maker, const MadeTensor& x, const Scales& by) {
    std::vector<std::int64_t> powers;
    std::ranges::transform(by.shifts, std::back_inserter(powers),
                           [](std::int64_t shift) { return std::int64_t{1} << shift; });
    return maker.pair("aten.floor_divide.default", x, maker.constant(powers, by.sizes));
}

/// Half of 2^shift.
std::vector<std::int64_t> halves(const std::vector<std::int64_t>& shifts) {
    std::vector<std::int64_t> numbers;
    std::ranges::transform(shifts, std::back_inserter(numbers), [](std::int64_t shift) {
        return shift == 0 ? std::int64_t{0} : std::int64_t{1} << (shift - 1);
    });
    return numbers;
}

/// Double rounding: adds 2^30 with the sign of x where the shift is large.
MadeTensor twiceRounded(GraphMaker& maker, const MadeTensor& sum, const MadeTensor& x, const Scales& by) {
    constexpr std::int64_t added = std::int64_t{1} << 30;
    std::vector<std::int64_t> up;
    std::vector<std::int64_t> down;
    for (const std::int64_t shift : by.shifts) {
        up.push_back(shift > doubleRoundedBits ? added : 0);
        down.push_back(-up.back());
    }
    const MadeTensor isPositive =
        maker.put("aten.ge.Tensor", {tensorArgument(x.name), tensorArgument(maker.constant({0}).name)},
                  ScalarType::Bool);
    const MadeTensor more =
        maker.put("aten.where.self",
                  {tensorArgument(isPositive.name), tensorArgument(maker.constant(up, by.sizes).name),
                   tensorArgument(maker.constant(down, by.sizes).name)},
                  ScalarType::Long);
    return maker.pair("aten.add.Tensor", sum, more);
}

/// Bits of an integer that is interpreted as unsigned.
std::int64_t unsignedMask(ScalarType dtype) {
    return dtype == ScalarType::Char ? 0xFF : dtype == ScalarType::Short ? 0xFFFF : 0xFFFF'FFFF;
}

/// The signed numbers with the same bits as unsigned int64 numbers.
MadeTensor signedBits(GraphMaker& maker, const MadeTensor& x, ScalarType to) {
    const std::int64_t mask = unsignedMask(to);
    const std::int64_t half = mask / 2 + 1;
    MadeTensor y = maker.pair("aten.add.Tensor", x, maker.constant({half}));
    y = maker.pair("aten.bitwise_and.Tensor", y, maker.constant({mask}));
    return maker.cast(maker.pair("aten.sub.Tensor", y, maker.constant({half})), to);
}

MadeTensor saturatedUnsigned(GraphMaker& maker, const MadeTensor& x, ScalarType to) {
    const MadeTensor limited =
        maker.put("aten.clamp.default",
                  {tensorArgument(x.name), wholeArgument(0), wholeArgument(unsignedMask(to))}, x.dtype);
    return signedBits(maker, limited, to);
}

Result<MadeTensor> rescale(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    Scales scales{.isDoubleRounded = numberField(from, "rounding") == doubleRounding};
    ET_ASSIGN(scales.multipliers, maker.integers(from, 1));
    ET_ASSIGN(scales.shifts, maker.integers(from, 2));
    ET_ASSIGN(std::int64_t inputZero, maker.integer(from, 3));
    ET_ASSIGN(std::int64_t outputZero, maker.integer(from, 4));
    ET_ASSIGN(const ScalarType dtype, resultType(maker, from));
    const ScalarType given = x.dtype;
    x = maker.cast(x, ScalarType::Long);
    if (numberField(from, "unsigned input") != 0) {
        inputZero &= unsignedMask(given);
        x = maker.pair("aten.bitwise_and.Tensor", x, maker.constant({unsignedMask(given)}));
    }
    x = maker.pair("aten.sub.Tensor", x, maker.constant({inputZero}));
    ET_ASSIGN(const MadeTensor result, scaled(maker, x, scales));
    const bool isUnsigned = numberField(from, "unsigned output") != 0;
    outputZero = isUnsigned ? outputZero & unsignedMask(dtype) : outputZero;
    const MadeTensor sum = maker.pair("aten.add.Tensor", result, maker.constant({outputZero}));
    return isUnsigned ? saturatedUnsigned(maker, sum, dtype) : saturated(maker, sum, dtype);
}

Result<MadeTensor> multiply(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor a, maker.input(from, 0));
    ET_ASSIGN(MadeTensor b, maker.input(from, 1));
    if (core::isFloating(a.dtype)) {
        return maker.pair("aten.mul.Tensor", a, b);
    }
    ET_ASSIGN(const std::int64_t shift, maker.integer(from, 2));
    a = maker.cast(a, ScalarType::Long);
    b = maker.cast(b, ScalarType::Long);
    const MadeTensor result = maker.pair("aten.mul.Tensor", a, b);
    return shift == 0 ? Result<MadeTensor>(result)
                      : scaled(maker, result, {.multipliers = {1}, .shifts = {shift}});
}

/// Rounds up if the highest of the removed bits is set and the field says so.
Result<MadeTensor> shiftedRight(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(MadeTensor bits, maker.input(from, 1));
    x = maker.cast(x, ScalarType::Long);
    bits = maker.cast(bits, ScalarType::Long);
    if (numberField(from, "round") == 0) {
        return maker.pair("aten.bitwise_right_shift.Tensor", x, bits);
    }
    // (2 x >> bits) + 1 >> 1 also rounds nothing if no bits are removed.
    x = maker.pair("aten.add.Tensor", x, x);
    x = maker.pair("aten.bitwise_right_shift.Tensor", x, bits);
    x = maker.pair("aten.add.Tensor", x, maker.constant({1}));
    return maker.pair("aten.bitwise_right_shift.Tensor", x, maker.constant({1}));
}

Result<MadeTensor> shiftedLogically(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(MadeTensor bits, maker.input(from, 1));
    const ScalarType dtype = x.dtype;
    x = maker.cast(x, ScalarType::Long);
    bits = maker.cast(bits, ScalarType::Long);
    x = maker.pair("aten.bitwise_and.Tensor", x, maker.constant({unsignedMask(dtype)}));
    const bool isLeft = from.info->name == "LOGICAL_LEFT_SHIFT";
    x = maker.pair(isLeft ? "aten.bitwise_left_shift.Tensor" : "aten.bitwise_right_shift.Tensor", x, bits);
    x = maker.pair("aten.bitwise_and.Tensor", x, maker.constant({unsignedMask(dtype)}));
    return signedBits(maker, x, dtype);
}

Result<MadeTensor> negate(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    if (core::isFloating(x.dtype)) {
        return maker.put("aten.neg.default", {tensorArgument(x.name)}, x.dtype);
    }
    ET_ASSIGN(const std::int64_t inputZero, maker.integer(from, 1));
    ET_ASSIGN(const std::int64_t outputZero, maker.integer(from, 2));
    const ScalarType dtype = x.dtype;
    x = maker.cast(x, ScalarType::Long);
    const MadeTensor sum = maker.pair("aten.sub.Tensor", maker.constant({inputZero + outputZero}), x);
    return saturated(maker, sum, dtype);
}

/// Floating-point numbers are rounded to the nearest integer.
Result<MadeTensor> castOperator(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const ScalarType dtype, resultType(maker, from));
    if (!core::isFloating(x.dtype) || core::isFloating(dtype) || dtype == ScalarType::Bool) {
        return maker.cast(x, dtype);
    }
    const MadeTensor whole = maker.put("aten.round.default", {tensorArgument(x.name)}, x.dtype);
    return saturated(maker, maker.cast(whole, ScalarType::Double), dtype);
}

Result<MadeTensor> divide(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor a, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor b, maker.input(from, 1));
    return maker.put("aten.div.Tensor_mode",
                     {tensorArgument(a.name), tensorArgument(b.name), textArgument("trunc")}, a.dtype);
}

/// Elements of a table at int64 positions, in the shape of the positions.
MadeTensor pickedFrom(GraphMaker& maker, const MadeTensor& numbers, const MadeTensor& positions,
                      const std::vector<std::int64_t>& sizes) {
    const MadeTensor flat = maker.put(
        "aten.view_copy.default", {tensorArgument(positions.name), wholesArgument({-1})}, positions.dtype);
    const MadeTensor picked =
        maker.put("aten.index_select.default",
                  {tensorArgument(numbers.name), wholeArgument(0), tensorArgument(flat.name)}, numbers.dtype);
    return maker.put("aten.view_copy.default", {tensorArgument(picked.name), wholesArgument(sizes)},
                     picked.dtype);
}

/// int16: the 9 highest bits select an element, and the others interpolate towards the next one.
MadeTensor interpolated(GraphMaker& maker, const MadeTensor& x, const MadeTensor& numbers,
                        const std::vector<std::int64_t>& sizes) {
    constexpr std::int64_t fractionBits = 7;
    constexpr std::int64_t middle = 256;
    const MadeTensor wide = maker.cast(numbers, ScalarType::Long);
    MadeTensor at = maker.pair("aten.bitwise_right_shift.Tensor", x, maker.constant({fractionBits}));
    at = maker.pair("aten.add.Tensor", at, maker.constant({middle}));
    const MadeTensor fraction =
        maker.pair("aten.bitwise_and.Tensor", x, maker.constant({(std::int64_t{1} << fractionBits) - 1}));
    const MadeTensor base = pickedFrom(maker, wide, at, sizes);
    const MadeTensor next =
        pickedFrom(maker, wide, maker.pair("aten.add.Tensor", at, maker.constant({1})), sizes);
    const MadeTensor rise =
        maker.pair("aten.mul.Tensor", maker.pair("aten.sub.Tensor", next, base), fraction);
    const MadeTensor whole =
        maker.pair("aten.mul.Tensor", base, maker.constant({std::int64_t{1} << fractionBits}));
    return maker.pair("aten.add.Tensor", whole, rise);
}

/// A table of 256 numbers indexed by int8, or of 513 numbers for int16.
Result<MadeTensor> table(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor numbers, maker.input(from, 1));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    const MadeTensor wide = maker.cast(x, ScalarType::Long);
    if (x.dtype == ScalarType::Short) {
        return interpolated(maker, wide, numbers, out->sizes);
    }
    constexpr std::int64_t lowest = 128;
    return pickedFrom(maker, numbers, maker.pair("aten.add.Tensor", wide, maker.constant({lowest})),
                      out->sizes);
}

}  // namespace

std::pair<std::int64_t, std::int64_t> rangeOf(ScalarType dtype) {
    switch (dtype) {
        case ScalarType::Char:
            return {std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()};
        case ScalarType::Short:
            return {std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()};
        case ScalarType::Int:
            return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
        default:
            return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    }
}

MadeTensor saturated(GraphMaker& maker, const MadeTensor& x, ScalarType to) {
    const auto [lowest, highest] = rangeOf(to);
    const MadeTensor clamped =
        to == ScalarType::Long
            ? x
            : maker.put("aten.clamp.default",
                        {tensorArgument(x.name), wholeArgument(lowest), wholeArgument(highest)}, x.dtype);
    return maker.cast(clamped, to);
}

Result<MadeTensor> scaled(GraphMaker& maker, const MadeTensor& x, const Scales& by) {
    const auto isOutside = [](std::int64_t shift) { return shift < 0 || shift > mostShift; };
    if (std::ranges::any_of(by.shifts, isOutside)) {
        return fail(ErrorCode::Format, fmt::format("expected shifts from 0 to {}", mostShift));
    }
    MadeTensor sum = maker.pair("aten.mul.Tensor", x, maker.constant(by.multipliers, by.sizes));
    sum = maker.pair("aten.add.Tensor", sum, maker.constant(halves(by.shifts), by.sizes));
    if (by.isDoubleRounded && std::ranges::max(by.shifts) > doubleRoundedBits) {
        sum = twiceRounded(maker, sum, x, by);
    }
    return shifted(maker, sum, by);
}

void addIntegers(Conversions& to) {
    to["ARITHMETIC_RIGHT_SHIFT"] = shiftedRight;
    to["CAST"] = castOperator;
    to["INTDIV"] = divide;
    to["LOGICAL_LEFT_SHIFT"] = shiftedLogically;
    to["LOGICAL_RIGHT_SHIFT"] = shiftedLogically;
    to["MUL"] = multiply;
    to["NEGATE"] = negate;
    to["RESCALE"] = rescale;
    to["TABLE"] = table;
}

}  // namespace et::backends::tosa
