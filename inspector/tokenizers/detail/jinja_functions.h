#pragma once

#include "inspector/tokenizers/detail/jinja_value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail::jinja {

/// Arguments of a filter, test, method or function, without the value it applies to.
struct Arguments {
    std::vector<Value> all;
    std::vector<std::pair<std::string, Value>> named;

    /// The argument with that position or name; null if not given.
    [[nodiscard]] const Value* at(std::size_t place, std::string_view name) const;
};

/// `value | name(arguments)`. Errors: Unsupported (no such filter), Format (an invalid value), Limit.
[[nodiscard]] core::Result<Value> filter(std::string_view name, const Value& value,
                                         const Arguments& arguments, Budget& budget);
/// `value is name(arguments)`. Errors: as filter().
[[nodiscard]] core::Result<bool> test(std::string_view name, const Value& value, const Arguments& arguments,
                                      Budget& budget);
/// `value.name(arguments)`. Errors: as filter().
[[nodiscard]] core::Result<Value> method(std::string_view name, const Value& value,
                                         const Arguments& arguments, Budget& budget);
/// `name(arguments)`, for global functions: namespace, dict, range, raise_exception and strftime_now (local
/// time). Errors: as filter(); InvalidArgument (raise_exception).
[[nodiscard]] core::Result<Value> callGlobal(std::string_view name, const Arguments& arguments,
                                             Budget& budget);
/// Checks a value to be stored in another; a namespace is not allowed. Errors: Unsupported.
[[nodiscard]] core::Result<Value> held(Value value);
/// `left sign right`. Errors: Format (invalid operand types, division by 0), Limit (a number or text that is
/// too large).
[[nodiscard]] core::Result<Value> binary(std::string_view sign, const Value& left, const Value& right,
                                         Budget& budget);
/// `value[start:stop:step]` with Python's semantics; for a string, by character. Errors: Format, Limit.
[[nodiscard]] core::Result<Value> slice(const Value& value, const std::vector<Value>& bounds, Budget& budget);
/// The items of a loop: a list, the keys of a dictionary, the characters of a string. Errors: Format.
[[nodiscard]] core::Result<List> itemsOf(const Value& value);
/// `value.name` or `value[name]`; undefined if missing. Errors: Format (`value` is undefined).
[[nodiscard]] core::Result<Value> attribute(const Value& value, const Value& name);

}  // namespace et::inspector::tokenizers::detail::jinja
