#pragma once

#include "backends/reference/calls.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Helpers for operators composed of others.
namespace et::backends::reference {

using Arguments = std::span<const ReferenceValue>;
using Kinds = std::span<const ResultKind>;
using Composed = core::Result<std::vector<ReferenceValue>>;

/// One result.
[[nodiscard]] inline Composed gives(core::Result<ReferenceTensor> tensor) {
    return std::move(tensor).transform(
        [](ReferenceTensor made) { return std::vector<ReferenceValue>{{std::move(made)}}; });
}

/// Errors: InvalidArgument (a value of another kind).
[[nodiscard]] core::Result<ReferenceTensor> tensorOf(const ReferenceValue& value);
[[nodiscard]] core::Result<std::int64_t> integerOf(const ReferenceValue& value);
[[nodiscard]] core::Result<double> numberOf(const ReferenceValue& value);
/// A list of integers; a single number becomes a list of one. Errors: InvalidArgument.
[[nodiscard]] core::Result<std::vector<std::int64_t>> integersOf(const ReferenceValue& value);
[[nodiscard]] ReferenceValue listOf(std::span<const std::int64_t> numbers);
[[nodiscard]] inline bool isNone(const ReferenceValue& value) {
    return value.as<std::monostate>() != nullptr;
}
[[nodiscard]] inline bool isTrue(const ReferenceValue& value) {
    const auto scalar = scalarOf(value);
    return scalar && scalar->to<bool>();
}

/// Constant arguments for composed operators.
inline const ReferenceValue yes{true};
inline const ReferenceValue no{false};
[[nodiscard]] inline ReferenceValue whole(std::int64_t number) {
    return {number};
}
[[nodiscard]] inline std::vector<std::int64_t> sizesOf(const ReferenceTensor& tensor) {
    return {tensor.view.sizes().begin(), tensor.view.sizes().end()};
}

/// The dtype of the first result in the graph, otherwise that of the first tensor.
[[nodiscard]] core::ScalarType resultTypeOf(Kinds results, Arguments arguments);

/// Computes the result of an operator from the results of others. Keeps the first error; after it, calls do
/// nothing and return None.
class Formula {
  public:
    Formula(Calls& with, Arguments given, Kinds results)
        : dtype(resultTypeOf(results, given)), calls(with), arguments(given) {}

    [[nodiscard]] const ReferenceValue& operator[](std::size_t argument) const { return arguments[argument]; }
    /// The argument; `otherwise` if the operator lacks it, or if it is None.
    [[nodiscard]] ReferenceValue orElse(std::size_t argument, const ReferenceValue& otherwise) const;
    /// 1 after an error.
    [[nodiscard]] double number(std::size_t argument);
    /// The argument as a tensor, if it is a number.
    [[nodiscard]] ReferenceValue wrapped(std::size_t argument);
    /// The argument, which is a tensor, in the dtype of the result.
    [[nodiscard]] ReferenceValue converted(std::size_t argument);

    /// The result of an operator (see Calls::tensor()), in the dtype of the formula's result.
    ReferenceValue operator()(std::string_view name, std::initializer_list<ReferenceValue> of);
    /// The result of an operator that returns bools.
    ReferenceValue test(std::string_view name, std::initializer_list<ReferenceValue> of);
    /// Fails with Unsupported.
    ReferenceValue fail(std::string message);
    [[nodiscard]] Composed result(ReferenceValue made) &&;

    const core::ScalarType dtype;  ///< of the result

  private:
    ReferenceValue keep(core::Result<ReferenceTensor> tensor);

    Calls& calls;
    Arguments arguments;
    std::optional<core::Error> error;
};

/// An operator with one result, for tables: `formula` is a function `ReferenceValue (Formula&)`.
template <auto formula>
Composed compose(Calls& calls, Arguments arguments, Kinds results) {
    Formula of(calls, arguments, results);
    ReferenceValue made = formula(of);
    return std::move(of).result(std::move(made));
}

/// Index of dimension `dim` of `rank`; negative values count from the end. Errors: InvalidArgument.
[[nodiscard]] core::Result<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank);

}  // namespace et::backends::reference
