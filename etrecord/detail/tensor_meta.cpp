#include "etrecord/detail/tensor_meta.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <utility>

namespace et::etrecord::detail {
namespace {

using core::Result;

/// UINT16 in ExecuTorch's copy of torch's schema.
constexpr std::int64_t otherUInt16 = 14;

/// Name of the member with the plain value, for each type of symbolic value.
template <class T>
constexpr std::string_view plainMember = std::is_same_v<T, bool>     ? "as_bool"
                                         : std::is_same_v<T, double> ? "as_float"
                                                                     : "as_int";

template <class T>
Result<T> readPlain(const archive::JsonValue& json) {
    if constexpr (std::is_same_v<T, bool>) {
        return json.boolean();
    } else if constexpr (std::is_same_v<T, double>) {
        return json.number();
    } else {
        return json.integer();
    }
}

template <class T>
void writePlain(core::JsonWriter& out, T value) {
    if constexpr (std::is_same_v<T, bool>) {
        out.boolean(value);
    } else if constexpr (std::is_same_v<T, double>) {
        out.number(value);
    } else {
        out.integer(value);
    }
}

/// The hint of an expression: absent, plain (files of 2023), or {"as_int": 4}. Zero if it has another type.
template <class T>
T readHint(const archive::JsonValue& expression) {
    const auto hint = expression.find("hint");
    if (!hint) {
        return T{};
    }
    const auto plain = hint->find(plainMember<T>);
    return readPlain<T>(plain ? *plain : *hint).value_or(T{});
}

/// {"as_int": 4}, {"as_expr": {"expr_str": "s0", "hint": …}}, or a bare number (files of 2023).
template <class T>
Result<Symbolic<T>> readSymbolic(const archive::JsonValue& json) {
    if (const auto expression = json.find("as_expr")) {
        ET_ASSIGN(const archive::JsonValue text, expression->member("expr_str"));
        ET_ASSIGN(const std::string_view spelled, text.string());
        return Symbolic<T>{.value = readHint<T>(*expression), .expression = std::string(spelled)};
    }
    const auto plain = json.find(plainMember<T>);
    ET_ASSIGN(const T value, readPlain<T>(plain ? *plain : json));
    return Symbolic<T>{.value = value, .expression = {}};
}

template <class T>
void writeSymbolic(core::JsonWriter& out, const Symbolic<T>& symbolic) {
    out.beginObject();
    if (symbolic.expression.empty()) {
        out.member(plainMember<T>, [&] { writePlain(out, symbolic.value); });
    } else {
        out.key("as_expr");
        out.beginObject();
        out.member("expr_str", [&] { out.string(symbolic.expression); });
        out.key("hint");
        out.beginObject();
        out.member(plainMember<T>, [&] { writePlain(out, symbolic.value); });
        out.endObject();
        out.endObject();
    }
    out.endObject();
}

Result<std::vector<SymInt>> readSymInts(const archive::JsonValue& json) {
    ET_ASSIGN(const std::size_t count, json.size());
    std::vector<SymInt> values;
    values.reserve(count);
    ET_TRY(json.forEach([&](const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(SymInt value, readSymbolic<std::int64_t>(each));
        values.push_back(std::move(value));
        return {};
    }));
    return values;
}

void writeSymInts(core::JsonWriter& out, std::string_view name, const std::vector<SymInt>& values) {
    out.key(name);
    out.beginArray();
    std::ranges::for_each(values, [&](const SymInt& value) { writeSymbolic(out, value); });
    out.endArray();
}

/// Fills a map from an object that may be missing in older files.
template <class T, class Read>
Result<> readMap(const archive::JsonValue& graphJson, std::string_view name, ExportedGraph::ByName<T>& map,
                 Read&& read) {
    const auto json = graphJson.find(name);
    if (!json) {
        return {};
    }
    return json->forEachMember([&](std::string_view key, const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(T value, read(each));
        map.insert_or_assign(std::string(key), std::move(value));
        return {};
    });
}

template <class T, class Write>
void writeMap(core::JsonWriter& out, std::string_view name, const ExportedGraph::ByName<T>& map,
              Write&& write) {
    out.key(name);
    out.beginObject();
    for (const auto& [key, value] : map) {
        out.key(key);
        write(out, value);
    }
    out.endObject();
}

Result<std::string> readClassName(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue name, json.member("class_fqn"));
    ET_ASSIGN(const std::string_view text, name.string());
    return std::string(text);
}

}  // namespace

std::int8_t scalarTypeFromExport(std::int64_t exportCode) {
    if (exportCode == otherUInt16) {
        return static_cast<std::int8_t>(core::ScalarType::UInt16);
    }
    const auto types = core::scalarTypes();
    const auto found = std::ranges::find_if(types, [&](const core::ScalarTypeInfo& each) {
        return each.exported != 0 && each.exported == exportCode;
    });
    return found == types.end() ? unknownScalarType : found->code;
}

std::int64_t scalarTypeToExport(std::int64_t code) {
    const auto info = core::scalarType(code);
    return info ? info->exported : 0;
}

Result<std::string> readDevice(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue type, json.member("type"));
    ET_ASSIGN(const std::string_view name, type.string());
    std::string device(name);
    if (const auto index = json.find("index")) {
        ET_ASSIGN(const std::int64_t number, index->integer());
        device += fmt::format(":{}", number);
    }
    return device;
}

void writeDevice(core::JsonWriter& out, const std::string& device) {
    const std::size_t colon = device.rfind(':');
    std::int64_t index = 0;
    const bool numbered =
        colon != std::string::npos &&
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), index).ec == std::errc{};
    out.beginObject();
    out.member("type", [&] { out.string(numbered ? device.substr(0, colon) : device); });
    if (numbered) {
        out.member("index", [&] { out.integer(index); });
    }
    out.endObject();
}

Result<TensorMeta> readTensorMeta(const archive::JsonValue& json) {
    if (const auto wrapped = json.find("meta")) {  // files of 2023
        return readTensorMeta(*wrapped);
    }
    ET_ASSIGN(const archive::JsonValue type, json.member("dtype"));
    ET_ASSIGN(const std::int64_t exportCode, type.integer());
    ET_ASSIGN(const archive::JsonValue sizes, json.member("sizes"));
    TensorMeta meta;
    meta.scalarType = scalarTypeFromExport(exportCode);
    ET_ASSIGN(meta.sizes, readSymInts(sizes));
    if (const auto strides = json.find("strides")) {
        ET_ASSIGN(meta.strides, readSymInts(*strides));
    }
    if (const auto requiresGrad = json.find("requires_grad")) {
        ET_ASSIGN(meta.requiresGrad, requiresGrad->boolean());
    }
    if (const auto device = json.find("device")) {
        ET_ASSIGN(meta.device, readDevice(*device));
    }
    if (const auto offset = json.find("storage_offset")) {
        ET_ASSIGN(meta.storageOffset, readSymbolic<std::int64_t>(*offset));
    }
    if (const auto layout = json.find("layout")) {
        ET_ASSIGN(meta.layout, layout->integer());
    }
    return meta;
}

void writeTensorMeta(core::JsonWriter& out, const TensorMeta& meta) {
    out.beginObject();
    out.member("dtype", [&] { out.integer(scalarTypeToExport(meta.scalarType)); });
    writeSymInts(out, "sizes", meta.sizes);
    out.member("requires_grad", [&] { out.boolean(meta.requiresGrad); });
    out.member("device", [&] { writeDevice(out, meta.device); });
    writeSymInts(out, "strides", meta.strides);
    out.member("storage_offset", [&] { writeSymbolic(out, meta.storageOffset); });
    out.member("layout", [&] { out.integer(meta.layout); });
    out.endObject();
}

Result<> readValues(const archive::JsonValue& graphJson, ExportedGraph& graph) {
    ET_TRY(readMap(graphJson, "tensor_values", graph.tensors, readTensorMeta));
    ET_TRY(readMap(graphJson, "sym_int_values", graph.symInts, readSymbolic<std::int64_t>));
    ET_TRY(readMap(graphJson, "sym_float_values", graph.symFloats, readSymbolic<double>));
    ET_TRY(readMap(graphJson, "sym_bool_values", graph.symBools, readSymbolic<bool>));
    return readMap(graphJson, "custom_obj_values", graph.customObjects, readClassName);
}

void writeValues(core::JsonWriter& out, const ExportedGraph& graph) {
    writeMap(out, "tensor_values", graph.tensors, writeTensorMeta);
    writeMap(out, "sym_int_values", graph.symInts, writeSymbolic<std::int64_t>);
    // Readers reject fields that are not in their schema, and Graph in ExecuTorch 1.5 has no field of this
    // name.
    if (!graph.symFloats.empty()) {
        writeMap(out, "sym_float_values", graph.symFloats, writeSymbolic<double>);
    }
    writeMap(out, "sym_bool_values", graph.symBools, writeSymbolic<bool>);
    out.key("custom_obj_values");
    out.beginObject();
    for (const auto& [name, className] : graph.customObjects) {
        out.key(name);
        out.beginObject();
        out.member("name", [&] { out.string(name); });
        out.member("class_fqn", [&] { out.string(className); });
        out.endObject();
    }
    out.endObject();
}

}  // namespace et::etrecord::detail
