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

/// What an operator has to write.
struct Expected {
    Array array;  ///< numbers need not be of the dtype: they are rounded to it
    /// How far each number may be off before it is rounded; empty: not at all.
    std::vector<Number> allowed = {};
    /// False: there is no one answer (memory that stays as it was, random numbers); only sizes and dtype
    /// count.
    bool hasNumbers = true;
};

/// A tensor among the arguments that the operator writes to.
struct Change {
    std::size_t argument;
    Expected after;
};

struct Case {
    std::vector<Argument> arguments = {};  ///< in the order of the schema, without the outputs
    std::vector<Expected> outputs = {};    ///< behind the arguments
    bool isList = false;                   ///< the outputs are one argument, a list
    std::vector<Change> changes = {};
};

/// What else a rule promises.
struct Traits {
    bool anyOrder = true;   ///< the result follows from indices alone, whatever the dim orders; or it refuses
    bool mayAlias = false;  ///< the result may lie in the memory of an input with its dtype and sizes
    bool threadsAgree = true;  ///< to the last bit
    /// An error that starts so is as good as the answer.
    std::string_view mayRefuse = {};
};

/// An operator, and what it does: cases within its rules with the answers to expect, computed in long double.
struct Rule {
    std::string_view name;  ///< "aten::add.out"
    Case (*make)(Random& random);
    Traits traits = {};
};

/// One number off by `steps` roundings of its dtype at the magnitude of `scale`.
[[nodiscard]] inline Number roundings(ScalarType dtype, Number steps, Number scale) {
    const Number size = scale < 0 ? -scale : scale;
    return steps * (roundoff(dtype) * size + smallestNormal(dtype) * roundoff(dtype));
}

/// The dtype that a kernel computes in: float32 for the floats of 16 bits.
[[nodiscard]] inline ScalarType computeType(ScalarType dtype) {
    return core::isReducedFloat(dtype) ? ScalarType::Float : dtype;
}

/// Rules of a kind, for one test.
struct Family {
    const char* name;
    std::span<const Rule> (*rules)();
};
[[nodiscard]] std::span<const Family> families();

}  // namespace et::test::operators
