#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;

std::unexpected<core::Error> expected(std::string_view what, const ReferenceValue& value) {
    return core::fail(ErrorCode::InvalidArgument, fmt::format("expected {}, got {}", what, kindOf(value)));
}

}  // namespace

Result<ReferenceTensor> tensorOf(const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    return tensor == nullptr ? Result<ReferenceTensor>(expected("a tensor", value)) : *tensor;
}

Result<std::int64_t> integerOf(const ReferenceValue& value) {
    const auto* number = value.as<std::int64_t>();
    return number == nullptr ? Result<std::int64_t>(expected("an integer", value)) : *number;
}

Result<double> numberOf(const ReferenceValue& value) {
    const auto number = scalarOf(value);
    return number ? Result<double>(number->to<double>()) : expected("a number", value);
}

Result<std::vector<std::int64_t>> integersOf(const ReferenceValue& value) {
    if (const auto* one = value.as<std::int64_t>()) {
        return std::vector{*one};
    }
    const auto* list = value.as<ReferenceValue::List>();
    if (list == nullptr) {
        return expected("a list of integers", value);
    }
    std::vector<std::int64_t> numbers;
    for (const ReferenceValue& item : *list) {
        ET_ASSIGN(const std::int64_t number, integerOf(item));
        numbers.push_back(number);
    }
    return numbers;
}

ReferenceValue listOf(std::span<const std::int64_t> numbers) {
    ReferenceValue::List list;
    std::ranges::transform(numbers, std::back_inserter(list),
                           [](std::int64_t number) { return ReferenceValue{number}; });
    return {std::move(list)};
}

core::ScalarType resultTypeOf(Kinds results, Arguments arguments) {
    if (!results.empty() && !results.front().dtypes.empty()) {
        return results.front().dtypes.front();
    }
    for (const ReferenceValue& argument : arguments) {
        if (const auto* tensor = argument.as<ReferenceTensor>()) {
            return tensor->view.dtype();
        }
    }
    return core::ScalarType::Float;
}

ReferenceValue Formula::keep(Result<ReferenceTensor> tensor) {
    if (!tensor) {
        error = std::move(tensor).error();
        return {};
    }
    return {std::move(*tensor)};
}

ReferenceValue Formula::orElse(std::size_t argument, const ReferenceValue& otherwise) const {
    return argument >= arguments.size() || isNone(arguments[argument]) ? otherwise : arguments[argument];
}

double Formula::number(std::size_t argument) {
    auto made = numberOf(arguments[argument]);
    if (!made && !error) {
        error = std::move(made).error();
    }
    return made.value_or(1);
}

ReferenceValue Formula::wrapped(std::size_t argument) {
    const auto scalar = scalarOf(arguments[argument]);
    return error || !scalar ? arguments[argument] : keep(calls.wrapped(*scalar));
}

ReferenceValue Formula::converted(std::size_t argument) {
    return error ? ReferenceValue() : keep(tensorOf(arguments[argument]).and_then([this](const auto& tensor) {
        return calls.converted(tensor, dtype);
    }));
}

ReferenceValue Formula::operator()(std::string_view name, std::initializer_list<ReferenceValue> of) {
    return error ? ReferenceValue() : keep(calls.tensor(name, of, dtype));
}

ReferenceValue Formula::test(std::string_view name, std::initializer_list<ReferenceValue> of) {
    return error ? ReferenceValue() : keep(calls.tensor(name, of, core::ScalarType::Bool));
}

ReferenceValue Formula::fail(std::string message) {
    return keep(core::fail(ErrorCode::Unsupported, std::move(message)));
}

Composed Formula::result(ReferenceValue made) && {
    if (error) {
        return std::unexpected(std::move(*error));
    }
    return std::vector<ReferenceValue>{std::move(made)};
}

Result<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
    if (dim < -count || dim >= count) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a dimension from {} to {}, got {}", -count, count - 1, dim));
    }
    return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

}  // namespace et::backends::reference
