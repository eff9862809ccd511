#include "backends/tosa/lower/graph_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
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

/// Smallest and largest number of an integer dtype.
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

/// x / 2^shift, rounded down.
MadeTensor shifted(GraphMaker& maker, const MadeTensor& x, const std::vector<std::int64_t>& shifts) {
    std::vector<std::int64_t> powers;
    std::ranges::transform(shifts, std::back_inserter(powers),
                           [](std::int64_t shift) { return std::int64_t{1} << shift; });
    return maker.pair("aten.floor_divide.default", x, maker.constant(powers));
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
MadeTensor twiceRounded(GraphMaker& maker, const MadeTensor& sum, const MadeTensor& x,
                        const std::vector<std::int64_t>& shifts) {
    constexpr std::int64_t added = std::int64_t{1} << 30;
    std::vector<std::int64_t> up;
    std::vector<std::int64_t> down;
    for (const std::int64_t shift : shifts) {
        up.push_back(shift > doubleRoundedBits ? added : 0);
        down.push_back(-up.back());
    }
    const MadeTensor isPositive =
        maker.put("aten.ge.Tensor", {tensorArgument(x.name), tensorArgument(maker.constant({0}).name)},
                  ScalarType::Bool);
    const MadeTensor more =
        maker.put("aten.where.self",
                  {tensorArgument(isPositive.name), tensorArgument(maker.constant(up).name),
                   tensorArgument(maker.constant(down).name)},
                  ScalarType::Long);
    return maker.pair("aten.add.Tensor", sum, more);
}

Result<MadeTensor> rescale(GraphMaker& maker, const Operator& from) {
    if (numberField(from, "unsigned input") != 0 || numberField(from, "unsigned output") != 0) {
        return fail(ErrorCode::Unsupported, "unsigned numbers cannot be computed here");
    }
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const auto multipliers, maker.integers(from, 1));
    ET_ASSIGN(const auto shifts, maker.integers(from, 2));
    ET_ASSIGN(const std::int64_t inputZero, maker.integer(from, 3));
    ET_ASSIGN(const std::int64_t outputZero, maker.integer(from, 4));
    ET_ASSIGN(const ScalarType dtype, resultType(maker, from));
    if (std::ranges::any_of(shifts, [](std::int64_t shift) { return shift < 0 || shift > mostShift; })) {
        return fail(ErrorCode::Format, fmt::format("expected shifts from 0 to {}", mostShift));
    }
    x = maker.cast(x, ScalarType::Long);
    x = maker.pair("aten.sub.Tensor", x, maker.constant({inputZero}));
    MadeTensor sum = maker.pair("aten.mul.Tensor", x, maker.constant(multipliers));
    sum = maker.pair("aten.add.Tensor", sum, maker.constant(halves(shifts)));
    const bool isTwice =
        numberField(from, "rounding") == doubleRounding &&
        std::ranges::any_of(shifts, [](std::int64_t shift) { return shift > doubleRoundedBits; });
    sum = isTwice ? twiceRounded(maker, sum, x, shifts) : sum;
    sum = shifted(maker, sum, shifts);
    sum = maker.pair("aten.add.Tensor", sum, maker.constant({outputZero}));
    return saturated(maker, sum, dtype);
}

Result<MadeTensor> multiply(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor a, maker.input(from, 0));
    ET_ASSIGN(MadeTensor b, maker.input(from, 1));
    if (core::isFloating(a.dtype)) {
        return maker.pair("aten.mul.Tensor", a, b);
    }
    ET_ASSIGN(const std::int64_t shift, maker.integer(from, 2));
    if (shift < 0 || shift > mostShift) {
        return fail(ErrorCode::Format, fmt::format("expected a shift from 0 to {}", mostShift));
    }
    a = maker.cast(a, ScalarType::Long);
    b = maker.cast(b, ScalarType::Long);
    MadeTensor product = maker.pair("aten.mul.Tensor", a, b);
    if (shift > 0) {
        product = maker.pair("aten.add.Tensor", product, maker.constant(halves({shift})));
        product = shifted(maker, product, {shift});
    }
    return product;
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

/// A table of 256 numbers, indexed by int8.
Result<MadeTensor> table(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor numbers, maker.input(from, 1));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    if (x.dtype != ScalarType::Char) {
        return fail(ErrorCode::Unsupported, "interpolated tables cannot be computed here");
    }
    constexpr std::int64_t lowest = 128;
    MadeTensor index = maker.cast(x, ScalarType::Long);
    index = maker.pair("aten.add.Tensor", index, maker.constant({lowest}));
    index =
        maker.put("aten.view_copy.default", {tensorArgument(index.name), wholesArgument({-1})}, index.dtype);
    const MadeTensor picked = maker.put(
        "aten.index_select.default",
        {tensorArgument(numbers.name), wholeArgument(0), tensorArgument(index.name)}, numbers.dtype);
    return maker.put("aten.view_copy.default", {tensorArgument(picked.name), wholesArgument(out->sizes)},
                     picked.dtype);
}

}  // namespace

void addIntegers(Conversions& to) {
    to["CAST"] = castOperator;
    to["INTDIV"] = divide;
    to["MUL"] = multiply;
    to["NEGATE"] = negate;
    to["RESCALE"] = rescale;
    to["TABLE"] = table;
}

}  // namespace et::backends::tosa
