#pragma once

#include "app/serve/shared_memory.h"
#include "runtime/core/mapped_file.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::serve {

struct Value;
using List = std::vector<Value>;

struct Tuple {
    List items;
};

/// A dictionary in insertion order; keys are distinct.
struct Dict {
    std::vector<std::pair<Value, Value>> entries;

    /// Adds an entry.
    Value& operator[](std::string_view key);
};

/// Text from a file, which may contain invalid UTF-8. Python represents invalid bytes by surrogates, as
/// os.fsdecode() does; with `escaped`, as `\xNN`, so that the text can be written to every file.
struct Text {
    std::string bytes;
    bool escaped = false;
};

/// Bytes kept alive by `owner`.
struct Blob {
    core::Bytes bytes;
    std::shared_ptr<const void> owner;
};

/// An element type: numpy's character for its kind (b, i, u, f, c; B for bfloat16), and its size.
struct ElementType {
    char kind = 'f';
    std::uint8_t bytes = 4;

    bool operator==(const ElementType&) const = default;
};

/// A dense array; `bytes` are its elements in memory order.
struct Array {
    ElementType type;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements; empty: row-major
    core::Bytes bytes;
    std::shared_ptr<const void> owner;           ///< keeps `bytes` alive
    std::shared_ptr<const SharedMemory> shared;  ///< contains `bytes`, to avoid a copy; null: none
    bool writable = false;
    std::int32_t device = 1;  ///< DLPack's number; 1: CPU memory
};

/// An object that stays in this process; Python has its number.
struct Object {
    const void* type = nullptr;  ///< typeTag() of the pointer's type
    std::shared_ptr<void> pointer;
};

/// A Python object of an unsupported type, for error messages.
struct Unknown {
    std::string typeName;
};

/// A value that is exchanged with Python.
struct Value {
    using Content = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, Text, Blob, Array,
                                 Object, Unknown, List, Tuple, Dict>;

    Value() = default;
    // Conversions keep functions short. NOLINTBEGIN(google-explicit-constructor)
    template <std::same_as<bool> Truth>
    Value(Truth truth) : content(truth) {}
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    Value(Number number)
        : content(std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>(number)) {}
    template <std::floating_point Number>
    Value(Number number) : content(static_cast<double>(number)) {}
    Value(Text text) : content(std::move(text)) {}
    Value(Blob blob) : content(std::move(blob)) {}
    Value(Array array) : content(std::move(array)) {}
    Value(Object object) : content(std::move(object)) {}
    Value(Unknown unknown) : content(std::move(unknown)) {}
    Value(List list) : content(std::move(list)) {}
    Value(Tuple tuple) : content(std::move(tuple)) {}
    Value(Dict dict) : content(std::move(dict)) {}
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] bool isNone() const { return std::holds_alternative<std::monostate>(content); }
    template <class T>
    [[nodiscard]] T* as() {
        return std::get_if<T>(&content);
    }
    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&content);
    }
    /// Python's name of the type, for error messages.
    [[nodiscard]] std::string typeName() const;

    Content content;
};

inline Value& Dict::operator[](std::string_view key) {
    return entries.emplace_back(Value(Text{.bytes = std::string(key)}), Value()).second;
}

/// Identifies a type of objects.
template <class T>
[[nodiscard]] const void* typeTag() {
    static constexpr char tag = 0;
    return &tag;
}

/// Moves a C++ object into a value.
template <class T>
[[nodiscard]] Value objectOf(std::shared_ptr<T> pointer) {
    return Object{.type = typeTag<std::remove_const_t<T>>(),
                  .pointer = std::const_pointer_cast<std::remove_const_t<T>>(std::move(pointer))};
}

}  // namespace et::serve
