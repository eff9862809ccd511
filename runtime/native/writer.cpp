#include "runtime/native/writer.h"

#include "runtime/archive/zip_writer.h"
#include "runtime/core/json_writer.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/detail/member_names.h"
#include "runtime/native/scalar_code.h"
#include "runtime/native/schema/graph_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace et::native {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using Text = Offset<flatbuffers::String>;

/// Writes tables from the innermost to the root, as the builder requires.
class GraphWriter {
  public:
    Offset<schema::Program> write(const Program& program);

    FlatBufferBuilder builder;
    std::optional<std::int8_t> unknownType{};  ///< a dtype without a number in the format

  private:
    Text text(std::string_view from) { return builder.CreateString(from.data(), from.size()); }
    /// No text for an empty one.
    Text optional(std::string_view from) { return from.empty() ? Text() : text(from); }
    template <class Names>
    auto texts(const Names& from) {
        std::vector<Text> written;
        for (const auto& each : from) {
            written.push_back(text(each));
        }
        return builder.CreateVector(written);
    }
    /// Calls `write` for each item, and writes its results as a vector.
    template <class Items, class Write>
    auto tables(const Items& items, Write write) {
        std::vector<decltype(write(*items.begin()))> written;
        for (const auto& item : items) {
            written.push_back(write(item));
        }
        return builder.CreateVector(written);
    }
    std::int8_t code(std::int8_t type) {
        const auto known = codeOfScalarType(type);
        unknownType = known ? unknownType : std::optional(type);
        return known.value_or(0);
    }
    Offset<schema::Quantization> quantization(const Quantization& from);
    Offset<schema::TensorMeta> meta(const TensorMeta& from);
    Offset<schema::Argument> argument(const ArgumentValue& from);
    Offset<void> content(const ArgumentValue& from);
    Offset<void> ints(const std::vector<IntOrName>& from);
    Offset<void> tensors(const TensorNames& from);
    template <class Table, class T>
    Offset<void> scalar(const ScalarOrName<T>& from, Table create) {
        return create(builder, from.value, optional(from.name)).Union();
    }
    Offset<schema::Node> node(const Node& from);
    Offset<schema::Output> output(const Output& from);
    Offset<schema::Graph> graph(const Graph& from);
    Offset<schema::Method> method(const Method& from);
};

/// By index of the alternative; a list of optional tensors has the next kind.
constexpr std::array contentKinds{
    schema::Content::None,       schema::Content::TensorName, schema::Content::Int,
    schema::Content::Float,      schema::Content::Bool,       schema::Content::Text,
    schema::Content::ScalarType, schema::Content::IntList,    schema::Content::FloatList,
    schema::Content::BoolList,   schema::Content::TensorList, schema::Content::Subgraph};

schema::Content kindOf(const ArgumentValue& from) {
    const auto* tensors = std::get_if<TensorNames>(&from);
    return tensors != nullptr && tensors->isOptional ? schema::Content::OptionalTensorList
                                                     : contentKinds[from.index()];
}

Offset<schema::Quantization> GraphWriter::quantization(const Quantization& from) {
    if (const auto* groups = std::get_if<AffineGroups>(&from)) {
        const Text scale = text(groups->scaleKey);
        const Text zero = optional(groups->zeroPointKey);
        const auto table =
            schema::CreateAffineGroups(builder, scale, code(groups->scaleType), groups->minimum,
                                       groups->maximum, groups->groupSize, zero, code(groups->zeroPointType));
        return schema::CreateQuantization(builder, schema::Scheme::AffineGroups, table.Union());
    }
    if (const auto* packed = std::get_if<PackedCodec>(&from)) {
        const auto table = schema::CreatePackedCodec(builder, text(packed->codec));
        return schema::CreateQuantization(builder, schema::Scheme::PackedCodec, table.Union());
    }
    return {};
}

Offset<schema::TensorMeta> GraphWriter::meta(const TensorMeta& from) {
    const auto sizes = tables(from.sizes, [this](const Dim& dim) {
        return schema::CreateRange(builder, dim.minimum, dim.maximum);
    });
    const auto order =
        builder.CreateVector(std::vector<std::int32_t>(from.dimOrder.begin(), from.dimOrder.end()));
    return schema::CreateTensorMeta(builder, code(from.scalarType), sizes, order,
                                    quantization(from.quantization));
}

Offset<void> GraphWriter::content(const ArgumentValue& from) {
    return std::visit(
        [this]<class T>(const T& value) -> Offset<void> {
            if constexpr (std::is_same_v<T, TensorName>) {
                return schema::CreateTensorName(builder, text(value.name)).Union();
            } else if constexpr (std::is_same_v<T, IntOrName>) {
                return scalar(value, schema::CreateInt);
            } else if constexpr (std::is_same_v<T, ScalarOrName<double>>) {
                return scalar(value, schema::CreateFloat);
            } else if constexpr (std::is_same_v<T, ScalarOrName<bool>>) {
                return scalar(value, schema::CreateBool);
            } else if constexpr (std::is_same_v<T, std::string>) {
                return schema::CreateText(builder, text(value)).Union();
            } else if constexpr (std::is_same_v<T, ScalarTypeCode>) {
                return schema::CreateScalarType(builder, code(value.code)).Union();
            } else if constexpr (std::is_same_v<T, std::vector<IntOrName>>) {
                return ints(value);
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                return schema::CreateFloatList(builder, builder.CreateVector(value)).Union();
            } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
                return schema::CreateBoolList(builder, builder.CreateVector(value)).Union();
            } else if constexpr (std::is_same_v<T, TensorNames>) {
                return tensors(value);
            } else if constexpr (std::is_same_v<T, Subgraph>) {
                const Text name = text(value.name);
                return schema::CreateSubgraph(builder, name, graph(*value.graph)).Union();
            } else {
                return schema::CreateNone(builder).Union();
            }
        },
        from);
}

Offset<void> GraphWriter::ints(const std::vector<IntOrName>& from) {
    std::vector<std::int64_t> values;
    std::vector<std::string_view> names;
    bool isNamed = false;
    for (const IntOrName& each : from) {
        values.push_back(each.value);
        names.push_back(each.name);
        isNamed = isNamed || !each.name.empty();
    }
    const auto nameList = isNamed ? texts(names) : Offset<flatbuffers::Vector<Text>>();
    return schema::CreateIntList(builder, builder.CreateVector(values), nameList).Union();
}

Offset<void> GraphWriter::tensors(const TensorNames& from) {
    std::vector<std::string_view> names;
    std::vector<bool> present;
    for (const auto& each : from.names) {
        names.push_back(each ? std::string_view(*each) : std::string_view());
        present.push_back(each.has_value());
    }
    const auto nameList = texts(names);
    return from.isOptional
               ? schema::CreateOptionalTensorList(builder, nameList, builder.CreateVector(present)).Union()
               : schema::CreateTensorList(builder, nameList).Union();
}

Offset<schema::Output> GraphWriter::output(const Output& from) {
    const Text name = text(from.name);
    const Text alias = optional(from.aliasOf);
    const auto names = from.names.empty() ? Offset<flatbuffers::Vector<Text>>() : texts(from.names);
    return schema::CreateOutput(builder, name, alias, static_cast<std::int8_t>(from.kind), names);
}

Offset<schema::Node> GraphWriter::node(const Node& from) {
    const auto inputs = tables(from.inputs, [this](const Argument& each) {
        const Text name = text(each.name);
        const auto value = content(each.value);
        const auto argument = schema::CreateArgument(builder, kindOf(each.value), value);
        return schema::CreateNamedArgument(builder, name, argument, each.isMutated);
    });
    const auto outputs = tables(from.outputs, [this](const Output& each) { return output(each); });
    const auto metadata = tables(from.metadata, [this](const auto& each) {
        const Text key = text(each.first);
        return schema::CreateMetadata(builder, key, text(each.second));
    });
    const Text name = text(from.name);
    return schema::CreateNode(builder, name, static_cast<std::int8_t>(from.kind), text(from.target), inputs,
                              outputs, metadata);
}

Offset<schema::Graph> GraphWriter::graph(const Graph& from) {
    const auto nodes = tables(from.nodes, [this](const Node& each) { return node(each); });
    const auto inputs = texts(from.inputs);
    const auto outputs = texts(from.outputs);
    const auto metas = tables(from.tensors, [this](const auto& each) {
        const Text name = text(each.first);
        return schema::CreateNamedMeta(builder, name, meta(each.second));
    });
    return schema::CreateGraph(builder, nodes, inputs, outputs, metas);
}

Offset<schema::Method> GraphWriter::method(const Method& from) {
    const auto body = graph(from.graph);
    const auto constants = tables(from.constants, [this](const Constant& each) {
        const Text name = text(each.name);
        const Text key = text(each.key);
        return schema::CreateConstant(builder, name, key, meta(each.meta),
                                      static_cast<std::int8_t>(each.kind), each.isMutable);
    });
    const auto specs = tables(from.outputSpecs, [this](const OutputSpec& each) {
        const Text name = text(each.name);
        return schema::CreateOutputSpec(builder, name, static_cast<std::int8_t>(each.kind),
                                        optional(each.target));
    });
    const auto buffers = tables(from.mutableBuffers, [this](const MutableBuffer& each) {
        const Text name = text(each.name);
        return schema::CreateMutableBuffer(builder, name, text(each.key));
    });
    return schema::CreateMethod(builder, text(from.name), body, constants, specs, buffers);
}

Offset<schema::Program> GraphWriter::write(const Program& program) {
    const auto methods = tables(program.methods, [this](const Method& each) { return method(each); });
    return schema::CreateProgram(builder, text(program.version), methods);
}

std::set<std::string_view> mutableKeys(const Program& program) {
    std::set<std::string_view> keys;
    for (const Method& method : program.methods) {
        for (const Constant& constant : method.constants) {
            if (constant.isMutable) {
                keys.insert(constant.key);
            }
        }
    }
    return keys;
}

bool isSame(const TensorContent& left, const TensorContent& right) {
    return left.scalarType == right.scalarType && left.sizes == right.sizes && left.data == right.data;
}

/// Finds keys whose content an earlier one has.
std::map<std::string, std::string> aliasesOf(const TensorContents& tensors,
                                             const std::set<std::string_view>& own) {
    std::map<std::string, std::string> aliases;
    std::vector<const TensorContents::value_type*> owners;
    for (const auto& tensor : tensors) {
        if (own.contains(tensor.first)) {
            continue;
        }
        const auto owner = std::ranges::find_if(
            owners, [&](const auto* each) { return isSame(each->second, tensor.second); });
        if (owner == owners.end()) {
            owners.push_back(&tensor);
        } else {
            aliases.emplace(tensor.first, (*owner)->first);
        }
    }
    return aliases;
}

}  // namespace

Result<std::vector<std::byte>> writeGraph(const Program& program) {
    GraphWriter writer;
    schema::FinishProgramBuffer(writer.builder, writer.write(program));
    if (writer.unknownType) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} has no number in the format", core::scalarTypeName(*writer.unknownType)));
    }
    const auto bytes = std::as_bytes(std::span(writer.builder.GetBufferPointer(), writer.builder.GetSize()));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<core::FileContent> writePackage(const Program& program, const TensorContents& tensors) {
    const std::map<std::string, std::string> aliases = aliasesOf(tensors, mutableKeys(program));
    TensorContents owners = tensors;
    std::erase_if(owners, [&](const auto& each) { return aliases.contains(each.first); });
    archive::Entries entries;
    ET_ASSIGN(auto graph, writeGraph(program));
    entries.emplace_back(detail::graphMember, core::FileContent(std::move(graph)));
    if (!owners.empty()) {
        ET_ASSIGN(auto stored, writeSafetensors(owners));
        entries.emplace_back(detail::tensorsMember, core::FileContent(std::move(stored)));
    }
    if (!aliases.empty()) {
        core::JsonWriter json;
        json.beginObject();
        for (const auto& [key, owner] : aliases) {
            json.key(key);
            json.string(owner);
        }
        json.endObject();
        entries.emplace_back(detail::aliasesMember, archive::textContent(json.take()));
    }
    return archive::storeEntries(entries);
}

}  // namespace et::native
