#include "etrecord/detail/arguments.h"

#include "etrecord/detail/graph.h"
#include "etrecord/detail/tensor_meta.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::etrecord::detail {
namespace {

using core::Result;
using Value = Argument::Value;

/// Reads and writes the payload of some kinds of arguments; exported_graph.h documents the value of each
/// kind.
struct ArgumentShape {
    Result<Value> (*read)(const archive::JsonValue&);
    void (*write)(core::JsonWriter&, const Value&);
};

Result<std::string> readText(const archive::JsonValue& json) {
    return json.string().transform([](std::string_view text) { return std::string(text); });
}

/// Reads a list, using `read` for each element.
template <class T, class Read>
Result<std::vector<T>> readList(const archive::JsonValue& json, Read&& read) {
    ET_ASSIGN(const std::size_t count, json.size());
    std::vector<T> list;
    list.reserve(count);
    ET_TRY(json.forEach([&](const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(T element, std::invoke(read, each));
        list.push_back(std::move(element));
        return {};
    }));
    return list;
}

/// A list as an argument's value.
template <class T, class Read>
Result<Value> readListValue(const archive::JsonValue& json, Read&& read) {
    ET_ASSIGN(std::vector<T> list, readList<T>(json, read));
    return Value(std::move(list));
}

/// Writes the alternative T of a value as a list. A value of a type that does not match its kind is written
/// as an empty list; only hand-made graphs can have one.
template <class T, class Write>
void writeListValue(core::JsonWriter& out, const Value& value, Write&& write) {
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
T valueOr(const Value& value, T otherwise = {}) {
    const auto* found = std::get_if<T>(&value);
    return found == nullptr ? otherwise : *found;
}

Result<ValueRef> readRef(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue name, json.member("name"));
    ValueRef ref;
    ET_ASSIGN(ref.name, readText(name));
    if (const auto className = json.find("class_fqn")) {
        ET_ASSIGN(ref.className, readText(*className));
    }
    return ref;
}

void writeRef(core::JsonWriter& out, const ValueRef& ref) {
    out.beginObject();
    out.member("name", [&] { out.string(ref.name); });
    if (!ref.className.empty()) {
        out.member("class_fqn", [&] { out.string(ref.className); });
    }
    out.endObject();
}

/// {"as_tensor": {"name": …}}, {"as_none": …}, or (files of 2023) null.
Result<std::optional<ValueRef>> readOptionalRef(const archive::JsonValue& json) {
    if (const auto tensor = json.find("as_tensor")) {
        return readRef(*tensor);
    }
    if (!json.isNull() && !json.isObject()) {
        return json.unexpected("an optional tensor");
    }
    return std::nullopt;
}

void writeOptionalRef(core::JsonWriter& out, const std::optional<ValueRef>& ref) {
    out.beginObject();
    if (ref) {
        out.member("as_tensor", [&] { writeRef(out, *ref); });
    } else {
        out.member("as_none", [&] { out.beginArray(), out.endArray(); });
    }
    out.endObject();
}

/// One of as_sym_ints: {"as_name": "s0"} or {"as_int": 4}.
Result<SymInt> readSymIntArgument(const archive::JsonValue& json) {
    if (const auto name = json.find("as_name")) {
        return readText(*name).transform(
            [](std::string spelled) { return SymInt{.value = 0, .expression = std::move(spelled)}; });
    }
    ET_ASSIGN(const archive::JsonValue plain, json.member("as_int"));
    return plain.integer().transform(
        [](std::int64_t value) { return SymInt{.value = value, .expression = {}}; });
}

void writeSymIntArgument(core::JsonWriter& out, const SymInt& value) {
    out.beginObject();
    if (value.expression.empty()) {
        out.member("as_int", [&] { out.integer(value.value); });
    } else {
        out.member("as_name", [&] { out.string(value.expression); });
    }
    out.endObject();
}

/// One of as_ints.
Result<SymInt> readPlainInteger(const archive::JsonValue& json) {
    return json.integer().transform(
        [](std::int64_t value) { return SymInt{.value = value, .expression = {}}; });
}

void writePlainInteger(core::JsonWriter& out, const SymInt& value) {
    out.integer(value.value);
}

/// Python's booleans are integers, and the exporter writes them where integers are expected.
Result<Value> readInteger(const archive::JsonValue& json) {
    if (json.isBoolean()) {
        return json.boolean().transform([](bool found) { return Value(found); });
    }
    return json.integer().transform([](std::int64_t found) { return Value(found); });
}

void writeInteger(core::JsonWriter& out, const Value& value) {
    if (const auto* truth = std::get_if<bool>(&value)) {
        out.boolean(*truth);
    } else {
        out.integer(valueOr<std::int64_t>(value));
    }
}

Result<Value> readScalarType(const archive::JsonValue& json) {
    return json.integer().transform(
        [](std::int64_t code) { return Value(std::int64_t{scalarTypeFromExport(code)}); });
}

void writeScalarType(core::JsonWriter& out, const Value& value) {
    out.integer(scalarTypeToExport(valueOr<std::int64_t>(value, unknownScalarType)));
}

Result<Value> readOptionalReference(const archive::JsonValue& json) {
    ET_ASSIGN(std::optional<ValueRef> ref, readOptionalRef(json));
    return ref ? Value(std::move(*ref)) : Value{};
}

void writeOptionalReference(core::JsonWriter& out, const Value& value) {
    const auto* ref = std::get_if<ValueRef>(&value);
    writeOptionalRef(out, ref == nullptr ? std::nullopt : std::optional(*ref));
}

void writeReference(core::JsonWriter& out, const std::optional<ValueRef>& ref) {
    writeRef(out, ref.value_or(ValueRef{}));
}

/// A value of type T.
template <class T, auto readOne, auto writeOne>
constexpr ArgumentShape one{
    .read = [](const archive::JsonValue& json) -> Result<Value> {
        return std::invoke(readOne, json).transform([](T found) { return Value(std::move(found)); });
    },
    .write = [](core::JsonWriter& out, const Value& value) { std::invoke(writeOne, out, valueOr<T>(value)); },
};

/// A list of values of type T.
template <class T, auto readOne, auto writeOne>
constexpr ArgumentShape listOf{
    .read = [](const archive::JsonValue& json) { return readListValue<T>(json, readOne); },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<T>(out, value, [&](const T& each) { std::invoke(writeOne, out, each); });
        },
};

constexpr ArgumentShape none{
    .read = [](const archive::JsonValue&) -> Result<Value> { return Value{}; },
    .write = [](core::JsonWriter& out, const Value&) { out.beginArray(), out.endArray(); },
};
constexpr ArgumentShape integer{.read = readInteger, .write = writeInteger};
constexpr ArgumentShape scalarType{.read = readScalarType, .write = writeScalarType};
constexpr ArgumentShape optionalReference{.read = readOptionalReference, .write = writeOptionalReference};
constexpr auto reference = one<ValueRef, readRef, writeRef>;
constexpr auto references = listOf<std::optional<ValueRef>, readRef, writeReference>;
constexpr auto optionalReferences = listOf<std::optional<ValueRef>, readOptionalRef, writeOptionalRef>;
constexpr auto number = one<double, &archive::JsonValue::number, &core::JsonWriter::number>;
constexpr auto numbers = listOf<double, &archive::JsonValue::number, &core::JsonWriter::number>;
constexpr auto boolean = one<bool, &archive::JsonValue::boolean, &core::JsonWriter::boolean>;
constexpr auto booleans = listOf<bool, &archive::JsonValue::boolean, &core::JsonWriter::boolean>;
constexpr auto text = one<std::string, readText, &core::JsonWriter::string>;
constexpr auto texts = listOf<std::string, readText, &core::JsonWriter::string>;
constexpr auto device = one<std::string, readDevice, writeDevice>;
constexpr auto integers = listOf<SymInt, readPlainInteger, writePlainInteger>;
constexpr auto symInts = listOf<SymInt, readSymIntArgument, writeSymIntArgument>;

/// A symbolic scalar: {"as_name": "s0"} becomes a reference; anything else is a plain value under
/// `plainMember`.
Result<Value> readSymbolicScalar(const archive::JsonValue& json, std::string_view plainMember,
                                 const ArgumentShape& plain) {
    if (const auto name = json.find("as_name")) {
        return readText(*name).transform(
            [](std::string spelled) { return Value(ValueRef{.name = std::move(spelled)}); });
    }
    ET_ASSIGN(const archive::JsonValue value, json.member(plainMember));
    return plain.read(value);
}

void writeSymbolicScalar(core::JsonWriter& out, const Value& value, std::string_view plainMember,
                         const ArgumentShape& plain) {
    out.beginObject();
    if (const auto* ref = std::get_if<ValueRef>(&value)) {
        out.member("as_name", [&] { out.string(ref->name); });
    } else {
        out.member(plainMember, [&] { plain.write(out, value); });
    }
    out.endObject();
}

constexpr ArgumentShape symInt{
    .read = [](const archive::JsonValue& json) { return readSymbolicScalar(json, "as_int", integer); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_int", integer); },
};
constexpr ArgumentShape symFloat{
    .read = [](const archive::JsonValue& json) { return readSymbolicScalar(json, "as_float", number); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_float", number); },
};
constexpr ArgumentShape symBool{
    .read = [](const archive::JsonValue& json) { return readSymbolicScalar(json, "as_bool", boolean); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_bool", boolean); },
};

/// A list whose elements have the shape `element` and become Arguments of kind `elementKind`.
Result<Value> readElements(const archive::JsonValue& json, std::string_view elementKind,
                           const ArgumentShape& element) {
    return readListValue<Argument>(json, [&](const archive::JsonValue& each) -> Result<Argument> {
        ET_ASSIGN(Value value, element.read(each));
        return Argument{.name = {}, .kind = std::string(elementKind), .value = std::move(value)};
    });
}

template <const ArgumentShape& element>
void writeElements(core::JsonWriter& out, const Value& value) {
    writeListValue<Argument>(out, value, [&out](const Argument& each) { element.write(out, each.value); });
}

constexpr ArgumentShape symFloats{
    .read = [](const archive::JsonValue& json) { return readElements(json, "as_sym_float", symFloat); },
    .write = writeElements<symFloat>,
};
constexpr ArgumentShape symBools{
    .read = [](const archive::JsonValue& json) { return readElements(json, "as_sym_bool", symBool); },
    .write = writeElements<symBool>,
};
constexpr ArgumentShape nestedReferences{
    .read = [](const archive::JsonValue& json) { return readElements(json, "as_tensors", references); },
    .write = writeElements<references>,
};
constexpr ArgumentShape integerLists{
    .read = [](const archive::JsonValue& json) { return readElements(json, "as_ints", integers); },
    .write = writeElements<integers>,
};

Result<Value> readComplex(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue realJson, json.member("real"));
    ET_ASSIGN(const archive::JsonValue imaginaryJson, json.member("imag"));
    ET_ASSIGN(const double real, realJson.number());
    ET_ASSIGN(const double imaginary, imaginaryJson.number());
    return Value(std::vector{real, imaginary});
}

void writeComplex(core::JsonWriter& out, const Value& value) {
    auto parts = valueOr<std::vector<double>>(value);
    parts.resize(2);
    out.beginObject();
    out.member("real", [&] { out.number(parts[0]); });
    out.member("imag", [&] { out.number(parts[1]); });
    out.endObject();
}

Result<Value> readNamedMap(const archive::JsonValue& json) {
    std::vector<Argument> arguments;
    ET_TRY(json.forEachMember([&](std::string_view key, const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(Argument argument, readArgument(each));
        argument.name = key;
        arguments.push_back(std::move(argument));
        return {};
    }));
    return Value(std::move(arguments));
}

void writeNamedMap(core::JsonWriter& out, const Value& value) {
    out.beginObject();
    for (const Argument& argument : valueOr<std::vector<Argument>>(value)) {
        out.member(argument.name, [&] { writeArgument(out, argument); });
    }
    out.endObject();
}

Result<Value> readSubgraph(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue graph, json.member("graph"));
    auto subgraph = std::make_shared<GraphRef>();
    if (const auto name = json.find("name")) {
        ET_ASSIGN(subgraph->name, readText(*name));
    }
    ET_TRY(readGraph(graph, subgraph->graph));
    return Value(std::shared_ptr<const GraphRef>(std::move(subgraph)));
}

void writeSubgraph(core::JsonWriter& out, const Value& value) {
    const auto subgraph = valueOr<std::shared_ptr<const GraphRef>>(value);
    static const GraphRef empty;
    const GraphRef& content = subgraph ? *subgraph : empty;
    out.beginObject();
    out.member("name", [&] { out.string(content.name); });
    out.member("graph", [&] { writeGraph(out, content.graph); });
    out.endObject();
}

constexpr ArgumentShape complex{.read = readComplex, .write = writeComplex};
constexpr ArgumentShape subgraph{.read = readSubgraph, .write = writeSubgraph};
constexpr ArgumentShape namedMap{.read = readNamedMap, .write = writeNamedMap};

struct Kind {
    std::string_view name;
    const ArgumentShape* shape;
};
/// All kinds of Argument in torch/_export/serde/schema.py, a superset of those in ExecuTorch's copy.
constexpr std::array kinds{
    Kind{"as_tensor", &reference},
    Kind{"as_int", &integer},
    Kind{"as_ints", &integers},
    Kind{"as_float", &number},
    Kind{"as_scalar_type", &scalarType},
    Kind{"as_bool", &boolean},
    Kind{"as_none", &none},
    Kind{"as_string", &text},
    Kind{"as_tensors", &references},
    Kind{"as_sym_int", &symInt},
    Kind{"as_sym_ints", &symInts},
    Kind{"as_sym_bool", &symBool},
    Kind{"as_sym_bools", &symBools},
    Kind{"as_sym_float", &symFloat},
    Kind{"as_sym_floats", &symFloats},
    Kind{"as_optional_tensor", &optionalReference},
    Kind{"as_optional_tensors", &optionalReferences},
    Kind{"as_nested_tensors", &nestedReferences},
    Kind{"as_int_lists", &integerLists},
    Kind{"as_floats", &numbers},
    Kind{"as_complex", &complex},
    Kind{"as_bools", &booleans},
    Kind{"as_strings", &texts},
    Kind{"as_memory_format", &integer},
    Kind{"as_layout", &integer},
    Kind{"as_device", &device},
    Kind{"as_graph", &subgraph},
    Kind{"as_custom_obj", &reference},
    Kind{"as_operator", &text},
    Kind{"as_string_to_argument", &namedMap},
};
/// An unknown kind keeps its JSON text.
constexpr ArgumentShape unknown{
    .read = [](const archive::JsonValue& json) -> Result<Value> { return Value(json.text()); },
    .write = [](core::JsonWriter& out, const Value& value) { out.raw(valueOr<std::string>(value, "null")); },
};

const ArgumentShape& shapeOf(std::string_view kind) {
    const auto* found = std::ranges::find(kinds, kind, &Kind::name);
    return found == kinds.end() ? unknown : *found->shape;
}

}  // namespace

Result<Argument> readArgument(const archive::JsonValue& json) {
    Argument argument{.name = {}, .kind = "as_none"};
    bool found = false;
    ET_TRY(json.forEachMember([&](std::string_view kind, const archive::JsonValue& payload) -> Result<> {
        if (found || payload.isNull()) {
            return {};
        }
        found = true;
        argument.kind = kind;
        ET_ASSIGN(argument.value, shapeOf(kind).read(payload));
        return {};
    }));
    return argument;
}

void writeArgument(core::JsonWriter& out, const Argument& argument) {
    const std::string_view kind = argument.kind.empty() ? "as_none" : std::string_view(argument.kind);
    out.beginObject();
    out.member(kind, [&] { shapeOf(kind).write(out, argument.value); });
    out.endObject();
}

Result<std::vector<Argument>> readArguments(const archive::JsonValue& json) {
    return readList<Argument>(json, readArgument);
}

void writeArguments(core::JsonWriter& out, const std::vector<Argument>& arguments) {
    out.beginArray();
    std::ranges::for_each(arguments, [&](const Argument& argument) { writeArgument(out, argument); });
    out.endArray();
}

Result<std::vector<Argument>> readNamedArguments(const archive::JsonValue& json) {
    return readList<Argument>(json, [](const archive::JsonValue& each) -> Result<Argument> {
        ET_ASSIGN(const archive::JsonValue content, each.member("arg"));
        ET_ASSIGN(Argument argument, readArgument(content));
        if (const auto name = each.find("name")) {
            ET_ASSIGN(argument.name, readText(*name));
        }
        return argument;
    });
}

void writeNamedArguments(core::JsonWriter& out, const std::vector<Argument>& arguments) {
    out.beginArray();
    for (const Argument& argument : arguments) {
        out.beginObject();
        out.member("name", [&] { out.string(argument.name); });
        out.member("arg", [&] { writeArgument(out, argument); });
        out.endObject();
    }
    out.endArray();
}

std::string_view valueName(const Argument& argument) {
    const auto* ref = std::get_if<ValueRef>(&argument.value);
    return ref == nullptr ? std::string_view() : std::string_view(ref->name);
}

}  // namespace et::etrecord::detail
