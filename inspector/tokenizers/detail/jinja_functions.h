#pragma once

#include "inspector/tokenizers/detail/jinja_value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::detail::jinja {

/// What a filter, a test, a method or a function is given behind what it is of.
struct Arguments {
    std::vector<Value> all;
    std::vector<std::pair<std::string, Value>> named;

    /// The one with that place or name; null where it was not given.
    [[nodiscard]] const Value* at(std::size_t place, std::string_view name) const;
};

/// `value | name(arguments)`. Errors: Unsupported (no such filter here), Format (a value that it does not
/// take), Limit.
[[nodiscard]] core::Result<Value> filter(std::string_view name, const Value& value,
                                         const Arguments& arguments, Budget& budget);
/// `value is name(arguments)`. Errors as of filter().
[[nodiscard]] core::Result<bool> test(std::string_view name, const Value& value, const Arguments& arguments,
                                      Budget& budget);
/// `value.name(arguments)`. Errors as of filter().
[[nodiscard]] core::Result<Value> method(std::string_view name, const Value& value,
                                         const Arguments& arguments, Budget& budget);
/// `name(arguments)`, of what every template has: namespace, dict, range, raise_exception and strftime_now
/// (local time). Errors as of filter(); InvalidArgument (raise_exception).
[[nodiscard]] core::Result<Value> callGlobal(std::string_view name, const Arguments& arguments,
                                             Budget& budget);
/// A value that is to be in another one, which a namespace may not be. Errors: Unsupported.
[[nodiscard]] core::Result<Value> held(Value value);
/// `left sign right`. Errors: Format (kinds that it does not take, a division by 0), Limit (a number or text
/// that is too large).
[[nodiscard]] core::Result<Value> binary(std::string_view sign, const Value& left, const Value& right,
                                         Budget& budget);
/// `value[start:stop:step]`, as Python has it; of a string, of its characters. Errors: Format, Limit.
[[nodiscard]] core::Result<Value> slice(const Value& value, const std::vector<Value>& bounds, Budget& budget);
/// What a loop runs over: a list, the keys of a dictionary, the characters of a string. Errors: Format.
[[nodiscard]] core::Result<List> itemsOf(const Value& value);
/// `value.name` or `value[name]`; undefined where there is none. Errors: Format (of an undefined value).
[[nodiscard]] core::Result<Value> attribute(const Value& value, const Value& name);

}  // namespace et::inspector::detail::jinja
