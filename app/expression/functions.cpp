#include "app/expression/functions.h"

#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace et::expression {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using Numbers = std::vector<double>;

constexpr std::array table{
    FunctionInfo{Function::Max, "max", 1, 2, ValueVersion::Own,
                 "largest element; of two values, elementwise"},
    FunctionInfo{Function::Min, "min", 1, 2, ValueVersion::Own,
                 "smallest element; of two values, elementwise"},
    FunctionInfo{Function::Sum, "sum", 1, 1, ValueVersion::Own, "sum of the elements"},
    FunctionInfo{Function::Mean, "mean", 1, 1, ValueVersion::Own, "mean of the elements"},
    FunctionInfo{Function::Std, "std", 1, 1, ValueVersion::Own, "population standard deviation"},
    FunctionInfo{Function::Abs, "abs", 1, 1, ValueVersion::Own, "absolute values"},
    FunctionInfo{Function::Sqrt, "sqrt", 1, 1, ValueVersion::Own, "square roots"},
    FunctionInfo{Function::Any, "any", 1, 1, ValueVersion::Own, "whether any element is true"},
    FunctionInfo{Function::All, "all", 1, 1, ValueVersion::Own, "whether all elements are true"},
    FunctionInfo{Function::Count, "count", 1, 1, ValueVersion::Own, "number of true elements"},
    FunctionInfo{Function::Argmax, "argmax", 1, 1, ValueVersion::Own,
                 "position of the first largest element, in row-major order"},
    FunctionInfo{Function::Mod, "mod", 2, 2, ValueVersion::Own, "remainder of a division by a number"},
    FunctionInfo{Function::Nan, "nan", 0, 1, ValueVersion::Own, "number of NaN elements"},
    FunctionInfo{Function::Inf, "inf", 0, 1, ValueVersion::Own, "number of infinite elements"},
    FunctionInfo{Function::Denormal, "denormal", 0, 1, ValueVersion::Own, "number of denormal elements"},
    FunctionInfo{Function::Zero, "zero", 0, 1, ValueVersion::Own, "whether all elements are 0"},
    FunctionInfo{Function::Saturated, "saturated", 0, 1, ValueVersion::Own,
                 "share (0 to 1) of elements at the ends of the range of int8, uint8 or int16"},
    FunctionInfo{Function::Size, "size", 1, 2, ValueVersion::Own, "number of elements; size of a dimension"},
    FunctionInfo{Function::Dtype, "dtype", 1, 1, ValueVersion::Own, "name of the dtype: \"float32\""},
    FunctionInfo{Function::Shape, "shape", 1, 1, ValueVersion::Own, "the sizes: \"[1, 3]\""},
    FunctionInfo{Function::Reference, "reference", 1, 1, ValueVersion::Reference,
                 "the reference graph's value"},
    FunctionInfo{Function::Previous, "previous", 1, 1, ValueVersion::Previous,
                 "the value before the last instruction"},
    FunctionInfo{Function::Error, "error", 0, 1, ValueVersion::Reference,
                 "largest absolute difference from the reference"},
    FunctionInfo{Function::Snr, "snr", 0, 1, ValueVersion::Reference,
                 "signal-to-noise ratio to the reference, in dB"},
    FunctionInfo{Function::Changed, "changed", 0, 1, ValueVersion::Previous,
                 "number of elements that the last instruction changed"},
};

std::uint64_t countIf(const Numbers& numbers, const auto& holds) {
    return static_cast<std::uint64_t>(std::ranges::count_if(numbers, holds));
}

bool isTrue(double number) {
    return number != 0 && !std::isnan(number);
}

double sumOf(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double meanOf(const Numbers& numbers) {
    return sumOf(numbers) / static_cast<double>(numbers.size());  // NaN without elements
}

double deviationOf(const Numbers& numbers) {
    const double mean = meanOf(numbers);
    double squares = 0;
    for (const double each : numbers) {
        squares += (each - mean) * (each - mean);
    }
    return std::sqrt(squares / static_cast<double>(numbers.size()));
}

/// The largest or smallest element. Skips NaN; returns NaN if no element remains.
double extremeOf(const Numbers& numbers, bool largest) {
    double found = std::numeric_limits<double>::quiet_NaN();
    for (const double each : numbers) {
        found = largest ? std::fmax(found, each) : std::fmin(found, each);
    }
    return found;
}

/// Skips NaN; returns NaN if no element remains.
double positionOfLargest(const Numbers& numbers) {
    const auto found = std::ranges::find(numbers, extremeOf(numbers, true));
    return found == numbers.end() ? std::numeric_limits<double>::quiet_NaN()
                                  : static_cast<double>(found - numbers.begin());
}

Operand mapped(const Array& array, bool isScalar, double (*change)(double)) {
    auto result = std::make_shared<Array>(array);
    std::ranges::transform(result->numbers, result->numbers.begin(), change);
    if (isScalar) {
        return result->numbers.front();
    }
    return std::shared_ptr<const Array>(std::move(result));
}

double ofOne(Function function, const Array& array) {
    const Numbers& numbers = array.numbers;
    switch (function) {
        case Function::Max:
        case Function::Min:
            return extremeOf(numbers, function == Function::Max);
        case Function::Sum:
            return sumOf(numbers);
        case Function::Mean:
            return meanOf(numbers);
        case Function::Std:
            return deviationOf(numbers);
        case Function::Count:
            return static_cast<double>(countIf(numbers, isTrue));
        case Function::Argmax:
            return positionOfLargest(numbers);
        case Function::Nan:
            return static_cast<double>(countIf(numbers, [](double each) { return std::isnan(each); }));
        case Function::Inf:
            return static_cast<double>(countIf(numbers, [](double each) { return std::isinf(each); }));
        case Function::Denormal: {
            const double normal = smallestNormal(array.dtype);
            return static_cast<double>(
                countIf(numbers, [=](double each) { return each != 0 && std::abs(each) < normal; }));
        }
        case Function::Saturated:
            return saturatedShare(array);
        default:
            return static_cast<double>(numbers.size());
    }
}

Result<Operand> elementwise(Function function, const Operand& left, const Operand& right) {
    ET_ASSIGN(const auto a, arrayOf(left));
    ET_ASSIGN(const auto b, arrayOf(right));
    const bool leftIsWider = a->numbers.size() >= b->numbers.size();
    const Array& wide = leftIsWider ? *a : *b;
    const Array& other = leftIsWider ? *b : *a;
    if (other.numbers.size() != 1 && other.sizes != wide.sizes) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("sizes {} and {} differ", core::sizesText(a->sizes), core::sizesText(b->sizes)));
    }
    auto result = std::make_shared<Array>(wide);
    for (std::size_t i = 0; i < result->numbers.size(); ++i) {
        const double second = other.numbers.size() == 1 ? other.numbers.front() : other.numbers[i];
        result->numbers[i] = function == Function::Max ? std::fmax(result->numbers[i], second)
                                                       : std::fmin(result->numbers[i], second);
    }
    if (result->numbers.size() == 1) {
        return Operand(result->numbers.front());
    }
    return Operand(std::shared_ptr<const Array>(std::move(result)));
}

Result<Operand> remainders(const Array& array, bool isScalar, const Operand& divisor) {
    ET_ASSIGN(const auto given, arrayOf(divisor));
    if (given->numbers.size() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("mod: expected a number, got {} elements", given->numbers.size()));
    }
    auto result = std::make_shared<Array>(array);
    result->dtype = ScalarType::Double;
    for (double& each : result->numbers) {
        each = std::fmod(each, given->numbers.front());
    }
    return isScalar ? Operand(result->numbers.front())
                    : Operand(std::shared_ptr<const Array>(std::move(result)));
}

Result<Operand> sizeOfDimension(const Array& array, const Operand& dimension) {
    ET_ASSIGN(const auto given, arrayOf(dimension));
    const double index = given->numbers.empty() ? -1 : given->numbers.front();
    if (!(index >= 0 && index < static_cast<double>(array.sizes.size()))) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("a tensor of {} has no dimension {}", core::sizesText(array.sizes), index));
    }
    return Operand(static_cast<double>(array.sizes[static_cast<std::size_t>(index)]));
}

}  // namespace

double smallestNormal(ScalarType type) {
    constexpr double half = 0x1p-14;
    switch (type) {
        case ScalarType::Half:
            return half;
        case ScalarType::BFloat16:
        case ScalarType::Float:
            return static_cast<double>(std::numeric_limits<float>::min());
        case ScalarType::Double:
            return std::numeric_limits<double>::min();
        default:
            return 0;
    }
}

std::optional<std::pair<double, double>> endsOfRange(ScalarType type) {
    switch (type) {
        case ScalarType::Char:
            return std::pair(-128.0, 127.0);
        case ScalarType::Byte:
            return std::pair(0.0, 255.0);
        case ScalarType::Short:
            return std::pair(-32768.0, 32767.0);
        default:
            return std::nullopt;
    }
}

double saturatedShare(const Array& array) {
    const auto ends = endsOfRange(array.dtype);
    if (!ends || array.numbers.empty()) {
        return 0;
    }
    const std::uint64_t count =
        countIf(array.numbers, [&](double each) { return each == ends->first || each == ends->second; });
    return static_cast<double>(count) / static_cast<double>(array.numbers.size());
}

std::span<const FunctionInfo> functions() {
    return table;
}

std::optional<Function> functionNamed(std::string_view name) {
    const auto* const found = std::ranges::find(table, name, &FunctionInfo::name);
    return found == table.end() ? std::nullopt : std::optional(found->function);
}

const FunctionInfo& infoOf(Function function) {
    return table[static_cast<std::size_t>(function)];
}

Result<Operand> compute(Function function, std::span<const Operand> arguments) {
    if (arguments.size() == 2 && (function == Function::Max || function == Function::Min)) {
        return elementwise(function, arguments[0], arguments[1]);
    }
    ET_ASSIGN(const auto array, arrayOf(arguments.front()));
    const bool isScalar = !std::holds_alternative<std::shared_ptr<const Array>>(arguments.front());
    switch (function) {
        case Function::Abs:
            return mapped(*array, isScalar, [](double each) { return std::abs(each); });
        case Function::Sqrt:
            return mapped(*array, isScalar, [](double each) { return std::sqrt(each); });
        case Function::Any:
            return Operand(std::ranges::any_of(array->numbers, isTrue));
        case Function::All:
            return Operand(std::ranges::all_of(array->numbers, isTrue));
        case Function::Zero:
            return Operand(!array->numbers.empty() &&
                           std::ranges::all_of(array->numbers, [](double each) { return each == 0; }));
        case Function::Mod:
            return remainders(*array, isScalar, arguments[1]);
        case Function::Dtype:
            return Operand(core::scalarTypeName(array->dtype));
        case Function::Shape:
            return Operand(core::sizesText(array->sizes));
        case Function::Size:
            return arguments.size() == 2 ? sizeOfDimension(*array, arguments[1])
                                         : Result<Operand>(ofOne(function, *array));
        default:
            return Operand(ofOne(function, *array));
    }
}

Result<Operand> computeDifference(Function function, const Operand& value, const Operand& other) {
    ET_ASSIGN(const auto a, arrayOf(value));
    ET_ASSIGN(const auto b, arrayOf(other));
    if (a->numbers.size() != b->numbers.size()) {
        if (function == Function::Changed) {
            return Operand(static_cast<double>(std::max(a->numbers.size(), b->numbers.size())));
        }
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the reference has sizes {}, the value {}", core::sizesText(b->sizes),
                                core::sizesText(a->sizes)));
    }
    double largest = 0;
    double noise = 0;
    double signal = 0;
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < a->numbers.size(); ++i) {
        const double x = a->numbers[i];
        const double y = b->numbers[i];
        const bool same = x == y || (std::isnan(x) && std::isnan(y));
        // A number on one side only is an infinite error.
        const double error = same                                   ? 0
                             : std::isfinite(x) && std::isfinite(y) ? std::abs(x - y)
                                                                    : std::numeric_limits<double>::infinity();
        largest = std::max(largest, error);
        noise += error * error;
        signal += std::isfinite(y) ? y * y : 0;
        changed += same ? 0 : 1;
    }
    constexpr double decibels = 10;
    switch (function) {
        case Function::Error:
            return Operand(largest);
        case Function::Snr:
            return Operand(noise == 0 ? std::numeric_limits<double>::infinity()
                                      : decibels * std::log10(signal / noise));
        default:
            return Operand(static_cast<double>(changed));
    }
}

}  // namespace et::expression
