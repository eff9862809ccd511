#pragma once

#include "etrecord/detail/json.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/json_writer.h"

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::etrecord::detail {

/// Reads and writes the payload of some kinds of arguments.
struct ArgumentShape {
    core::Result<Argument::Value> (*read)(const JsonValue&);
    void (*write)(core::JsonWriter&, const Argument::Value&);
};

/// Shapes of payloads without nested arguments; exported_graph.h documents the value of each kind.
namespace shapes {
extern const ArgumentShape none;
extern const ArgumentShape reference;
extern const ArgumentShape optionalReference;
extern const ArgumentShape references;
extern const ArgumentShape optionalReferences;
extern const ArgumentShape integer;
extern const ArgumentShape scalarType;
extern const ArgumentShape number;
extern const ArgumentShape boolean;
extern const ArgumentShape text;
extern const ArgumentShape device;
extern const ArgumentShape numbers;
extern const ArgumentShape booleans;
extern const ArgumentShape texts;
extern const ArgumentShape integers;
extern const ArgumentShape symInts;
extern const ArgumentShape symInt;
extern const ArgumentShape symFloat;
extern const ArgumentShape symBool;
}  // namespace shapes

[[nodiscard]] core::Result<std::string> readText(const JsonValue& json);

/// Reads a list, using `read` for each element.
template <class T, class Read>
core::Result<std::vector<T>> readList(const JsonValue& json, Read&& read) {
    ET_ASSIGN(const std::size_t count, json.size());
    std::vector<T> list;
    list.reserve(count);
    ET_TRY(json.forEach([&](const JsonValue& each) -> core::Result<> {
        ET_ASSIGN(T element, read(each));
        list.push_back(std::move(element));
        return {};
    }));
    return list;
}

/// A list as an argument's value.
template <class T, class Read>
core::Result<Argument::Value> readListValue(const JsonValue& json, Read&& read) {
    ET_ASSIGN(std::vector<T> list, readList<T>(json, read));
    return Argument::Value(std::move(list));
}

/// Writes the alternative T of a value as a list. A value of a type that does not match its kind is written
/// as an empty list; only hand-made graphs can have one.
template <class T, class Write>
void writeListValue(core::JsonWriter& out, const Argument::Value& value, Write&& write) {
    out.beginArray();
    if (const auto* list = std::get_if<std::vector<T>>(&value)) {
        for (const auto& element : *list) {
            write(element);
        }
    }
    out.endArray();
}

/// The alternative T of a value, or `otherwise` if the value has another type.
template <class T>
T valueOr(const Argument::Value& value, T otherwise = {}) {
    const auto* found = std::get_if<T>(&value);
    return found == nullptr ? otherwise : *found;
}

}  // namespace et::etrecord::detail
