#pragma once

#include "tests/operators/array.h"
#include "tests/operators/random.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::test::operators {

using Arrays = std::vector<Array>;
using OptionalArrays = std::vector<std::optional<Array>>;
using Argument = std::variant<std::monostate, Array, std::int64_t, double, bool, std::string,
                              std::vector<std::int64_t>, std::vector<double>, Arrays, OptionalArrays>;

/// Expected output of an operator.
struct Expected {
    Array array;  ///< numbers are rounded to the dtype when compared
    /// Allowed error of each number before rounding; empty: exact.
    std::vector<Number> allowed = {};
    /// False if the values are not defined (unchanged memory, random numbers); only sizes and dtype are
    /// compared.
    bool hasNumbers = true;
};

/// A tensor argument that the operator mutates.
struct Change {
    std::size_t argument;
    Expected after;
};

struct Case {
    std::vector<Argument> arguments = {};  ///< in schema order, without the outputs
    std::vector<Expected> outputs = {};    ///< follow the arguments
    bool isList = false;                   ///< the outputs are one list argument
    std::vector<Change> changes = {};
};

/// Further properties of a rule.
struct RuleTraits {
    bool anyOrder = true;      ///< the result depends on indices alone, not on dim orders; or the operator
                               ///< rejects the call
    bool mayAlias = false;     ///< the result may share the memory of an input with its dtype and sizes
    bool threadsAgree = true;  ///< results are bit-identical for any number of threads
    /// An error with this prefix is accepted instead of the answer.
    std::string_view mayRefuse = {};
};

/// An operator and its semantics: valid cases with expected results computed in long double.
struct Rule {
    std::string_view name;  ///< "aten::add.out"
    Case (*make)(Random& random);
    RuleTraits traits = {};
};

/// Error of `steps` roundings in the dtype at the magnitude of `scale`.
[[nodiscard]] inline Number roundings(ScalarType dtype, Number steps, Number scale) {
    const Number size = scale < 0 ? -scale : scale;
    return steps * (roundoff(dtype) * size + smallestNormal(dtype) * roundoff(dtype));
}

/// The dtype a kernel computes in: float32 for the 16-bit floats.
[[nodiscard]] inline ScalarType computeType(ScalarType dtype) {
    return core::isReducedFloat(dtype) ? ScalarType::Float : dtype;
}

/// Rules that share one test.
struct Family {
    const char* name;
    std::span<const Rule> (*rules)();
};
[[nodiscard]] std::span<const Family> families();

}  // namespace et::test::operators
