#include "etrecord/detail/arguments.h"

#include "etrecord/detail/argument_shapes.h"
#include "etrecord/detail/graph.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

namespace et::etrecord::detail {
namespace {

using core::Result;
using Value = Argument::Value;

/// A list whose elements have the shape `element` and become Arguments of kind `elementKind`.
Result<Value> readElements(const JsonValue& json, std::string_view elementKind,
                           const ArgumentShape& element) {
    return readListValue<Argument>(json, [&](const JsonValue& each) -> Result<Argument> {
        ET_ASSIGN(Value value, element.read(each));
        return Argument{.name = {}, .kind = std::string(elementKind), .value = std::move(value)};
    });
}

template <const ArgumentShape& element>
void writeElements(core::JsonWriter& out, const Value& value) {
    writeListValue<Argument>(out, value, [&out](const Argument& each) { element.write(out, each.value); });
}

constexpr ArgumentShape symFloats{
    .read = [](const JsonValue& json) { return readElements(json, "as_sym_float", shapes::symFloat); },
    .write = writeElements<shapes::symFloat>,
};
constexpr ArgumentShape symBools{
    .read = [](const JsonValue& json) { return readElements(json, "as_sym_bool", shapes::symBool); },
    .write = writeElements<shapes::symBool>,
};
constexpr ArgumentShape nestedReferences{
    .read = [](const JsonValue& json) { return readElements(json, "as_tensors", shapes::references); },
    .write = writeElements<shapes::references>,
};
constexpr ArgumentShape integerLists{
    .read = [](const JsonValue& json) { return readElements(json, "as_ints", shapes::integers); },
    .write = writeElements<shapes::integers>,
};

Result<Value> readComplex(const JsonValue& json) {
    ET_ASSIGN(const JsonValue realJson, json.member("real"));
    ET_ASSIGN(const JsonValue imaginaryJson, json.member("imag"));
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

Result<Value> readNamedMap(const JsonValue& json) {
    std::vector<Argument> arguments;
    ET_TRY(json.forEachMember([&](std::string_view key, const JsonValue& each) -> Result<> {
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

Result<Value> readSubgraph(const JsonValue& json) {
    ET_ASSIGN(const JsonValue graph, json.member("graph"));
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
    Kind{"as_tensor", &shapes::reference},
    Kind{"as_int", &shapes::integer},
    Kind{"as_ints", &shapes::integers},
    Kind{"as_float", &shapes::number},
    Kind{"as_scalar_type", &shapes::scalarType},
    Kind{"as_bool", &shapes::boolean},
    Kind{"as_none", &shapes::none},
    Kind{"as_string", &shapes::text},
    Kind{"as_tensors", &shapes::references},
    Kind{"as_sym_int", &shapes::symInt},
    Kind{"as_sym_ints", &shapes::symInts},
    Kind{"as_sym_bool", &shapes::symBool},
    Kind{"as_sym_bools", &symBools},
    Kind{"as_sym_float", &shapes::symFloat},
    Kind{"as_sym_floats", &symFloats},
    Kind{"as_optional_tensor", &shapes::optionalReference},
    Kind{"as_optional_tensors", &shapes::optionalReferences},
    Kind{"as_nested_tensors", &nestedReferences},
    Kind{"as_int_lists", &integerLists},
    Kind{"as_floats", &shapes::numbers},
    Kind{"as_complex", &complex},
    Kind{"as_bools", &shapes::booleans},
    Kind{"as_strings", &shapes::texts},
    Kind{"as_memory_format", &shapes::integer},
    Kind{"as_layout", &shapes::integer},
    Kind{"as_device", &shapes::device},
    Kind{"as_graph", &subgraph},
    Kind{"as_custom_obj", &shapes::reference},
    Kind{"as_operator", &shapes::text},
    Kind{"as_string_to_argument", &namedMap},
};
/// An unknown kind keeps its JSON text.
constexpr ArgumentShape unknown{
    .read = [](const JsonValue& json) -> Result<Value> { return Value(json.text()); },
    .write = [](core::JsonWriter& out, const Value& value) { out.raw(valueOr<std::string>(value, "null")); },
};

const ArgumentShape& shapeOf(std::string_view kind) {
    const auto* found = std::ranges::find(kinds, kind, &Kind::name);
    return found == kinds.end() ? unknown : *found->shape;
}

}  // namespace

Result<Argument> readArgument(const JsonValue& json) {
    Argument argument{.name = {}, .kind = "as_none"};
    bool found = false;
    ET_TRY(json.forEachMember([&](std::string_view kind, const JsonValue& payload) -> Result<> {
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

Result<std::vector<Argument>> readArguments(const JsonValue& json) {
    return readList<Argument>(json, readArgument);
}

void writeArguments(core::JsonWriter& out, const std::vector<Argument>& arguments) {
    out.beginArray();
    std::ranges::for_each(arguments, [&](const Argument& argument) { writeArgument(out, argument); });
    out.endArray();
}

Result<std::vector<Argument>> readNamedArguments(const JsonValue& json) {
    return readList<Argument>(json, [](const JsonValue& each) -> Result<Argument> {
        ET_ASSIGN(const JsonValue content, each.member("arg"));
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
