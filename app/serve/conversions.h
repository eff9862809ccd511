#pragma once

#include "app/serve/failure.h"
#include "app/serve/value.h"
#include "inspector/format/table.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Conversions between values and C++ types.
namespace et::serve {

/// Converts text from a file, without loss.
[[nodiscard]] Value text(std::string_view bytes);
/// text() of each.
[[nodiscard]] List texts(std::span<const std::string> all);
/// Text for people: invalid UTF-8 is escaped, so it can be written to every file and terminal.
[[nodiscard]] Value printed(std::string_view bytes);
/// Converts a cell to None, bool, int, float, str, list or dict.
[[nodiscard]] Value cellValue(const inspector::format::Cell& cell);
/// A copy of the bytes.
[[nodiscard]] Value bytesValue(std::vector<std::byte> bytes);

/// Returns a list with `describe(item)` for each item.
template <class Items, class Describe>
[[nodiscard]] List collected(const Items& items, Describe describe) {
    List out;
    for (const auto& item : items) {
        out.emplace_back(describe(item));
    }
    return out;
}

/// Throws TypeError.
[[noreturn]] void refuseType(std::string_view expected, const Value& given);

/// Converts an argument. Specializations have `static T from(Value&)`; other types are objects.
template <class T>
struct Argument;

template <>
struct Argument<Value> {
    static Value from(Value& value) { return std::move(value); }
};
template <>
struct Argument<List> {
    static List from(Value& value);
};
template <>
struct Argument<Dict> {
    static Dict from(Value& value);
};
template <>
struct Argument<bool> {
    static bool from(Value& value);
};
template <>
struct Argument<double> {
    static double from(Value& value);
};
template <>
struct Argument<std::string> {
    static std::string from(Value& value);
};
template <>
struct Argument<std::filesystem::path> {
    /// Throws ValueError for a path with a null byte.
    static std::filesystem::path from(Value& value);
};

[[noreturn]] void refuseRange(const Value& given);

template <std::integral T>
    requires(!std::same_as<T, bool>)
struct Argument<T> {
    static T from(Value& value) {
        if (const auto* const integer = value.as<std::int64_t>();
            integer != nullptr && std::in_range<T>(*integer)) {
            return static_cast<T>(*integer);
        }
        if (const auto* const number = value.as<std::uint64_t>();
            number != nullptr && std::in_range<T>(*number)) {
            return static_cast<T>(*number);
        }
        refuseRange(value);
    }
};

template <class T>
concept Convertible = requires(Value& value) { Argument<T>::from(value); };

template <class T>
[[nodiscard]] T& objectReference(Value& value) {
    const auto* const object = value.as<Object>();
    if (object == nullptr || object->type != typeTag<T>()) {
        refuseType("another kind of object", value);
    }
    return *static_cast<T*>(object->pointer.get());
}

template <class T>
struct Argument<std::shared_ptr<T>> {
    static std::shared_ptr<T> from(Value& value) {
        std::ignore = objectReference<std::remove_const_t<T>>(value);
        return std::static_pointer_cast<T>(value.as<Object>()->pointer);
    }
};
template <class T>
struct Argument<std::optional<T>> {
    static std::optional<T> from(Value& value) {
        return value.isNone() ? std::nullopt : std::optional<T>(Argument<T>::from(value));
    }
};
template <class T>
    requires(!std::same_as<T, Value>)
struct Argument<std::vector<T>> {
    static std::vector<T> from(Value& value) {
        List items = Argument<List>::from(value);
        std::vector<T> out;
        for (Value& item : items) {
            out.push_back(Argument<T>::from(item));
        }
        return out;
    }
};
template <class... T>
struct Argument<std::tuple<T...>> {
    static std::tuple<T...> from(Value& value) {
        List items = Argument<List>::from(value);
        if (items.size() != sizeof...(T)) {
            refuseType("a tuple of " + std::to_string(sizeof...(T)), value);
        }
        return [&]<std::size_t... at>(std::index_sequence<at...>) {
            return std::tuple<T...>{Argument<T>::from(items[at])...};
        }(std::index_sequence_for<T...>());
    }
};

/// Removes an entry of a dictionary that must have it, and converts it.
[[nodiscard]] Value takeEntry(Dict& dict, std::string_view key);
template <class T>
[[nodiscard]] T entry(Dict& dict, std::string_view key) {
    Value value = takeEntry(dict, key);
    return Argument<T>::from(value);
}

/// Converts a result.
template <class T>
[[nodiscard]] Value valueOf(T&& result) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::constructible_from<Value, T>) {
        return Value(std::forward<T>(result));
    } else if constexpr (std::constructible_from<std::string_view, T>) {
        return text(result);
    } else if constexpr (requires {
                             typename Plain::element_type;
                             result.get();
                         }) {  // a smart pointer
        return objectOf(std::shared_ptr<typename Plain::element_type>(std::forward<T>(result)));
    } else if constexpr (requires {
                             result.has_value();
                             *result;
                         }) {
        return result ? valueOf(*std::forward<T>(result)) : Value();
    } else if constexpr (std::same_as<Plain, std::vector<std::byte>>) {
        return bytesValue(std::forward<T>(result));
    } else if constexpr (requires {
                             result.begin();
                             result.end();
                         }) {
        return collected(result, [](const auto& item) { return valueOf(item); });
    } else {
        return objectOf(std::make_shared<Plain>(std::forward<T>(result)));
    }
}

/// Returns a tuple of the values.
template <class... T>
[[nodiscard]] Value tupleOf(T&&... items) {
    Tuple out;
    (out.items.push_back(valueOf(std::forward<T>(items))), ...);
    return out;
}

}  // namespace et::serve
