#include "etrecord/detail/argument_shapes.h"

#include "etrecord/detail/tensor_meta.h"

#include <algorithm>
#include <optional>

namespace et::etrecord::detail {
namespace {

using core::Result;
using Value = Argument::Value;

Result<ValueRef> readRef(const JsonValue& json) {
    ET_ASSIGN(const JsonValue name, json.member("name"));
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
Result<std::optional<ValueRef>> readOptionalRef(const JsonValue& json) {
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
Result<SymInt> readSymIntArgument(const JsonValue& json) {
    if (const auto name = json.find("as_name")) {
        return readText(*name).transform(
            [](std::string spelled) { return SymInt{.value = 0, .expression = std::move(spelled)}; });
    }
    ET_ASSIGN(const JsonValue plain, json.member("as_int"));
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

/// A symbolic scalar: {"as_name": "s0"} becomes a reference; anything else is a plain value under
/// `plainMember`.
Result<Value> readSymbolicScalar(const JsonValue& json, std::string_view plainMember,
                                 const ArgumentShape& plain) {
    if (const auto name = json.find("as_name")) {
        return readText(*name).transform(
            [](std::string spelled) { return Value(ValueRef{.name = std::move(spelled)}); });
    }
    ET_ASSIGN(const JsonValue value, json.member(plainMember));
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

/// Python's booleans are integers, and the exporter writes them where integers are expected.
Result<Value> readInteger(const JsonValue& json) {
    if (json.isBoolean()) {
        return json.boolean().transform([](bool found) { return Value(found); });
    }
    return json.integer().transform([](std::int64_t found) { return Value(found); });
}

}  // namespace

Result<std::string> readText(const JsonValue& json) {
    return json.string().transform([](std::string_view text) { return std::string(text); });
}

namespace shapes {

constexpr ArgumentShape none{
    .read = [](const JsonValue&) -> Result<Value> { return Value{}; },
    .write = [](core::JsonWriter& out, const Value&) { out.beginArray(), out.endArray(); },
};
constexpr ArgumentShape reference{
    .read =
        [](const JsonValue& json) {
            return readRef(json).transform([](ValueRef ref) { return Value(std::move(ref)); });
        },
    .write = [](core::JsonWriter& out, const Value& value) { writeRef(out, valueOr<ValueRef>(value)); },
};
constexpr ArgumentShape optionalReference{
    .read = [](const JsonValue& json) -> Result<Value> {
        ET_ASSIGN(std::optional<ValueRef> ref, readOptionalRef(json));
        return ref ? Value(std::move(*ref)) : Value{};
    },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            const auto* ref = std::get_if<ValueRef>(&value);
            writeOptionalRef(out, ref == nullptr ? std::nullopt : std::optional(*ref));
        },
};
constexpr ArgumentShape references{
    .read = [](const JsonValue& json) { return readListValue<std::optional<ValueRef>>(json, readRef); },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<std::optional<ValueRef>>(
                out, value, [&](const auto& ref) { writeRef(out, ref.value_or(ValueRef{})); });
        },
};
constexpr ArgumentShape optionalReferences{
    .read =
        [](const JsonValue& json) { return readListValue<std::optional<ValueRef>>(json, readOptionalRef); },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<std::optional<ValueRef>>(out, value,
                                                    [&](const auto& ref) { writeOptionalRef(out, ref); });
        },
};
constexpr ArgumentShape integer{
    .read = readInteger,
    .write =
        [](core::JsonWriter& out, const Value& value) {
            if (const auto* truth = std::get_if<bool>(&value)) {
                out.boolean(*truth);
            } else {
                out.integer(valueOr<std::int64_t>(value));
            }
        },
};
constexpr ArgumentShape scalarType{
    .read =
        [](const JsonValue& json) {
            return json.integer().transform(
                [](std::int64_t code) { return Value(std::int64_t{scalarTypeFromExport(code)}); });
        },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            out.integer(scalarTypeToExport(valueOr<std::int64_t>(value, unknownScalarType)));
        },
};
constexpr ArgumentShape number{
    .read =
        [](const JsonValue& json) {
            return json.number().transform([](double found) { return Value(found); });
        },
    .write = [](core::JsonWriter& out, const Value& value) { out.number(valueOr<double>(value)); },
};
constexpr ArgumentShape boolean{
    .read =
        [](const JsonValue& json) {
            return json.boolean().transform([](bool truth) { return Value(truth); });
        },
    .write = [](core::JsonWriter& out, const Value& value) { out.boolean(valueOr<bool>(value)); },
};
constexpr ArgumentShape text{
    .read =
        [](const JsonValue& json) {
            return readText(json).transform([](std::string found) { return Value(std::move(found)); });
        },
    .write = [](core::JsonWriter& out, const Value& value) { out.string(valueOr<std::string>(value)); },
};
constexpr ArgumentShape device{
    .read =
        [](const JsonValue& json) {
            return readDevice(json).transform([](std::string found) { return Value(std::move(found)); });
        },
    .write = [](core::JsonWriter& out, const Value& value) { writeDevice(out, valueOr<std::string>(value)); },
};
constexpr ArgumentShape numbers{
    .read =
        [](const JsonValue& json) {
            return readListValue<double>(json, [](const JsonValue& each) { return each.number(); });
        },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<double>(out, value, [&](double each) { out.number(each); });
        },
};
constexpr ArgumentShape booleans{
    .read =
        [](const JsonValue& json) {
            return readListValue<bool>(json, [](const JsonValue& each) { return each.boolean(); });
        },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<bool>(out, value, [&](bool each) { out.boolean(each); });
        },
};
constexpr ArgumentShape texts{
    .read = [](const JsonValue& json) { return readListValue<std::string>(json, readText); },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<std::string>(out, value, [&](const std::string& each) { out.string(each); });
        },
};
constexpr ArgumentShape integers{
    .read =
        [](const JsonValue& json) {
            return readListValue<SymInt>(json, [](const JsonValue& each) {
                return each.integer().transform(
                    [](std::int64_t value) { return SymInt{.value = value, .expression = {}}; });
            });
        },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<SymInt>(out, value, [&](const SymInt& each) { out.integer(each.value); });
        },
};
constexpr ArgumentShape symInts{
    .read = [](const JsonValue& json) { return readListValue<SymInt>(json, readSymIntArgument); },
    .write =
        [](core::JsonWriter& out, const Value& value) {
            writeListValue<SymInt>(out, value, [&](const SymInt& each) { writeSymIntArgument(out, each); });
        },
};
constexpr ArgumentShape symInt{
    .read = [](const JsonValue& json) { return readSymbolicScalar(json, "as_int", integer); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_int", integer); },
};
constexpr ArgumentShape symFloat{
    .read = [](const JsonValue& json) { return readSymbolicScalar(json, "as_float", number); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_float", number); },
};
constexpr ArgumentShape symBool{
    .read = [](const JsonValue& json) { return readSymbolicScalar(json, "as_bool", boolean); },
    .write = [](core::JsonWriter& out,
                const Value& value) { writeSymbolicScalar(out, value, "as_bool", boolean); },
};

}  // namespace shapes
}  // namespace et::etrecord::detail
