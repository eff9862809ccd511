#include "backends/vulkan/describe.h"

#include "backends/call_graph.h"
#include "backends/payload_data.h"
#include "backends/vulkan/schema/payload_generated.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::vulkan {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;
using core::ScalarType;

struct DatatypeInfo {
    std::string name;        ///< "float32"; "datatype 99" for an unknown code
    std::uint64_t bits = 0;  ///< per element; 0: unknown
};

/// Code of a storage or layout that the runtime chooses.
constexpr std::uint8_t leftToRuntime = 255;

struct CodeName {
    std::uint8_t code;
    std::string_view name;
};

/// By code.
constexpr std::array datatypes = {ScalarType::Bool, ScalarType::Byte,  ScalarType::Char,   ScalarType::Int,
                                  ScalarType::Half, ScalarType::Float, ScalarType::Double, ScalarType::Long};

constexpr std::array storages =
    std::to_array<CodeName>({{0, "buffer"}, {1, "3D texture"}, {2, "2D texture"}});

/// "packed": four neighbours along this dimension share a texel; for int8, blocks of the named dimensions.
constexpr std::array layouts = std::to_array<CodeName>({{0, "width packed"},
                                                        {1, "height packed"},
                                                        {2, "channels packed"},
                                                        {3, "int8 packed 4W4C"},
                                                        {4, "int8 packed 4H4W"},
                                                        {5, "int8 packed 4W"},
                                                        {8, "int8 packed 4C1W"},
                                                        {9, "int8 packed for convolutions"}});

/// Indexed by schema::Content.
constexpr std::array<std::string_view, 12> typeNames = {
    "none",        "none",          "int",          "float",          "bool", "tensor",
    "list of int", "list of float", "list of bool", "list of values", "text", "symbolic int"};

/// Names from position 1, as PyTorch declares quantized_decomposed's per-tensor and per-channel operators.
constexpr std::array<std::string_view, 5> wholeArguments = {"scale", "zero point", "quantized min",
                                                            "quantized max", "datatype"};
constexpr std::array<std::string_view, 6> channelArguments = {
    "scales", "zero points", "channel dimension", "quantized min", "quantized max", "datatype"};

struct OperatorArguments {
    std::string_view name;
    std::span<const std::string_view> arguments;
};
constexpr std::array quantizing = std::to_array<OperatorArguments>({
    {"quantized_decomposed.quantize_per_tensor.default", wholeArguments},
    {"quantized_decomposed.dequantize_per_tensor.default", wholeArguments},
    {"quantized_decomposed.quantize_per_tensor.tensor", wholeArguments},
    {"quantized_decomposed.dequantize_per_tensor.tensor", wholeArguments},
    {"quantized_decomposed.quantize_per_channel.default", channelArguments},
    {"quantized_decomposed.dequantize_per_channel.default", channelArguments},
});

constexpr std::size_t maxItems = 8;
constexpr std::size_t longestText = 64;

std::string nameOf(std::span<const CodeName> names, std::uint8_t code, std::string_view what) {
    const auto found = std::ranges::find(names, code, &CodeName::code);
    return found == names.end() ? fmt::format("{} {}", what, code) : std::string(found->name);
}

/// Elements are copied before reading, see core::FlatView.
template <class T>
std::string listText(const flatbuffers::Vector<T>* items) {
    const std::size_t count = items == nullptr ? 0 : items->size();
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(count, maxItems); ++i) {
        T item{};
        std::memcpy(&item, items->Data() + i * sizeof(T), sizeof item);
        text += fmt::format("{}{}", i == 0 ? "" : ", ", item);
    }
    return text + (count > maxItems ? fmt::format(", … {} in all]", count) : "]");
}

/// Booleans are stored as bytes.
std::string listText(const schema::BooleanList& list) {
    const std::size_t count = list.items() == nullptr ? 0 : list.items()->size();
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(count, maxItems); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", list.items()->Data()[i] != 0);
    }
    return text + (count > maxItems ? fmt::format(", … {} in all]", count) : "]");
}

std::string shortText(const flatbuffers::String* from) {
    const std::string_view text = from == nullptr ? std::string_view{} : from->string_view();
    return core::printable(text.substr(0, longestText)) + (text.size() > longestText ? "…" : "");
}

DatatypeInfo datatypeInfo(std::int8_t code) {
    const auto index = static_cast<std::uint8_t>(code);
    if (index >= datatypes.size()) {
        return {.name = fmt::format("datatype {}", code)};
    }
    const auto info = core::scalarType(static_cast<std::int64_t>(datatypes[index]));
    return {.name = std::string(info->torchName), .bits = std::uint64_t{info->bytes} * 8};
}

/// Storage of a tensor: "buffer", "3D texture", "storage 99".
std::string storageName(std::uint8_t code) {
    return nameOf(storages, code, "storage");
}

std::string layoutName(std::uint8_t code) {
    return nameOf(layouts, code, "layout");
}

/// "tensor", "int", "list of int", …
std::string_view typeName(const schema::Value& value) {
    const auto kind = static_cast<std::size_t>(value.content_type());
    return kind < typeNames.size() ? typeNames[kind] : "unknown";
}

/// Name of an operator's quantization argument: "scale". Others: "argument 3".
std::string argumentName(std::string_view operatorName, std::size_t position) {
    const auto found = std::ranges::find(quantizing, operatorName, &OperatorArguments::name);
    const bool isNamed = found != quantizing.end() && position > 0 && position <= found->arguments.size();
    return isNamed ? std::string(found->arguments[position - 1]) : fmt::format("argument {}", position);
}

/// Formats a value that is not a tensor: "[2, 2]", "none". Long lists and texts are truncated.
std::string valueText(const schema::Value& value) {
    const void* content = value.content();
    if (content == nullptr) {
        return std::string(typeName(value));
    }
    switch (value.content_type()) {
        case schema::Content::Integer:
            return fmt::to_string(FlatView::unionAs<schema::Integer>(content).number());
        case schema::Content::Real:
            return fmt::to_string(FlatView::unionAs<schema::Real>(content).number());
        case schema::Content::Boolean:
            return fmt::to_string(FlatView::unionAs<schema::Boolean>(content).number());
        case schema::Content::IntegerList:
            return listText(FlatView::unionAs<schema::IntegerList>(content).items());
        case schema::Content::RealList:
            return listText(FlatView::unionAs<schema::RealList>(content).items());
        case schema::Content::BooleanList:
            return listText(FlatView::unionAs<schema::BooleanList>(content));
        case schema::Content::Text:
            return shortText(FlatView::unionAs<schema::Text>(content).text());
        case schema::Content::SymbolicInteger:
            return fmt::to_string(FlatView::unionAs<schema::SymbolicInteger>(content).number());
        default:
            return std::string(typeName(value));
    }
}

/// Locations of the sections in a payload, from its header `VH00`.
struct PayloadParts {
    core::Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    core::Bytes constants;
};

constexpr std::size_t magicAt = 4;
constexpr std::string_view magic = "VH00";

/// Errors: Format.
core::Result<PayloadParts> findParts(core::Bytes payload) {
    core::ByteReader reader(payload);
    ET_TRY(reader.seek(magicAt, "header.magic"));
    ET_ASSIGN(const core::Bytes mark, reader.take(magic.size(), "header.magic"));
    if (std::string_view(reinterpret_cast<const char*>(mark.data()), mark.size()) != magic) {
        return core::fail(core::ErrorCode::Format, "expected a payload of the Vulkan compiler (VH00)",
                          {.file = {}, .field = "header.magic", .offset = magicAt});
    }
    ET_ASSIGN([[maybe_unused]] const auto length, reader.read<std::uint16_t>("header.length"));
    ET_ASSIGN(const auto flatAt, reader.read<std::uint32_t>("header.flatbuffer_offset"));
    ET_ASSIGN(const auto flatSize, reader.read<std::uint32_t>("header.flatbuffer_size"));
    ET_ASSIGN(const auto dataAt, reader.read<std::uint32_t>("header.bytes_offset"));
    ET_ASSIGN(const auto dataSize, reader.read<std::uint64_t>("header.bytes_size"));
    PayloadParts parts{.flatbuffer = {}, .flatbufferAt = flatAt, .constants = {}};
    ET_ASSIGN(parts.flatbuffer, payloadPart(payload, flatAt, flatSize, "header.flatbuffer_offset"));
    ET_ASSIGN(parts.constants, payloadPart(payload, dataAt, dataSize, "header.bytes_offset"));
    return parts;
}

/// A small file could share names and lists among a million calls; no real payload has this many.
constexpr std::size_t maxValues = std::size_t{1} << 20U;
constexpr std::size_t maxArguments = std::size_t{1} << 18U;
constexpr std::size_t longestName = 256;

class Describer {
  public:
    Describer(FlatView& flat, const schema::Graph& root, core::Bytes constantBytes,
              const executor::NamedDataSource& source)
        : view(flat), graph(root), bytes(constantBytes), namedData(source) {}

    Result<ModelGraph> describe() {
        const FieldPath root;
        const FieldPath valuesPath = root.field("values");
        ET_ASSIGN(values, view.map(graph.values(), valuesPath,
                                   [this](const schema::Value* table, const FieldPath& path) {
                                       return checkValue(table, path);
                                   }));
        if (values.size() > maxValues) {
            return view.fail(ErrorCode::Limit, valuesPath, graph.values(),
                             fmt::format("expected at most {} values, got {}", maxValues, values.size()));
        }
        calls = CallGraph(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const FieldPath path = valuesPath.at(i);
            ET_TRY(declareTensor(i, path));
        }
        std::size_t argument = 0;
        ET_TRY(setEnds(graph.inputs(), root.field("inputs"), argument, &CallGraph::setInput));
        ET_TRY(readCalls(root.field("calls")));
        ET_TRY(setEnds(graph.outputs(), root.field("outputs"), argument, &CallGraph::setOutput));
        return calls.finish();
    }

  private:
    Result<const schema::Value*> checkValue(const schema::Value* value, const FieldPath& path) const {
        if (value->content() == nullptr && value->content_type() != schema::Content::NONE) {
            return view.fail(ErrorCode::Format, path, value, "expected content, got none");
        }
        return value;
    }

    /// Declares tensors, and integers computed at run time.
    Result<> declareTensor(std::size_t number, const FieldPath& path) {
        const schema::Value& value = *values[number];
        if (const auto* tensor = value.content_as_Tensor()) {
            ET_ASSIGN(GraphValue described, describeTensor(number, *tensor, path));
            calls.declare(number, std::move(described));
        } else if (value.content_type() == schema::Content::SymbolicInteger) {
            declareOther(number);
        }
        return {};
    }

    /// A value that is not a tensor is only in the graph if something makes it flow.
    void declareOther(std::size_t number) {
        if (!calls.isDeclared(number)) {
            calls.declare(number, {.name = nameOf(number), .type = std::string(typeName(*values[number]))});
        }
    }

    static std::string nameOf(std::size_t number) { return fmt::format("v{}", number); }

    Result<GraphValue> describeTensor(std::size_t number, const schema::Tensor& tensor,
                                      const FieldPath& path) {
        const FieldPath sizesPath = path.field("sizes");
        ET_ASSIGN(const auto sizes, view.copy<std::int64_t>(tensor.sizes(), sizesPath));
        const DatatypeInfo datatype = datatypeInfo(tensor.datatype());
        GraphValue value{.name = nameOf(number),
                         .type = fmt::format("{} {}", datatype.name, core::sizesText(sizes)),
                         .bytes = denseBytes(datatype.bits, sizes)};
        const auto storage = tensor.storage() == leftToRuntime ? graph.storage() : tensor.storage();
        const auto layout = tensor.layout() == leftToRuntime ? graph.layout() : tensor.layout();
        if (storage != leftToRuntime) {
            value.attributes.push_back({"storage", storageName(storage)});
        }
        if (layout != leftToRuntime) {
            value.attributes.push_back({"layout", layoutName(layout)});
        }
        if (tensor.constant() >= 0) {
            ET_TRY(describeConstant(tensor, path, value));
        } else if (tensor.memory() >= 0) {
            value.attributes.push_back({"shared memory", fmt::to_string(tensor.memory())});
        }
        return value;
    }

    Result<> describeConstant(const schema::Tensor& tensor, const FieldPath& path, GraphValue& value) {
        const auto index = static_cast<flatbuffers::uoffset_t>(tensor.constant());
        const auto count = graph.constants() == nullptr ? 0 : graph.constants()->size();
        const FieldPath constantPath = path.field("constant");
        if (index >= count) {
            return view.fail(ErrorCode::Format, constantPath, &tensor,
                             fmt::format("expected one of the {} constants, got {}", count, index));
        }
        const schema::Constant& constant = *graph.constants()->Get(index);
        value.role = GraphValue::Role::Constant;
        if (constant.name() != nullptr && constant.name()->size() != 0) {
            const std::string_view name = constant.name()->string_view();
            ET_TRY(checkName(name, constantPath));
            value.bytes = constant.size();
            describeNamedConstant(name, namedData, value);
            return {};
        }
        if (constant.offset() > bytes.size() || constant.size() > bytes.size() - constant.offset()) {
            return view.fail(ErrorCode::Format, constantPath, &constant,
                             fmt::format("expected at most the {} bytes of constants, got {} bytes at {}",
                                         bytes.size(), constant.size(), constant.offset()));
        }
        value.bytes = constant.size();
        value.data = bytes.subspan(static_cast<std::size_t>(constant.offset()),
                                   static_cast<std::size_t>(constant.size()));
        return {};
    }

    Result<> checkName(std::string_view name, const FieldPath& path) const {
        if (name.size() > longestName) {
            return view.fail(
                ErrorCode::Limit, path, name.data(),
                fmt::format("expected a name of at most {} characters, got {}", longestName, name.size()));
        }
        return {};
    }

    Result<std::size_t> checkNumber(std::int64_t number, const FieldPath& path, const void* place) const {
        if (number < 0 || std::cmp_greater_equal(number, values.size())) {
            return view.fail(ErrorCode::Format, path, place,
                             fmt::format("expected one of the {} values, got {}", values.size(), number));
        }
        return static_cast<std::size_t>(number);
    }

    /// Sets inputs or outputs of the delegate, which are arguments of its call in this order.
    Result<> setEnds(const flatbuffers::Vector<std::uint32_t>* numbers, const FieldPath& path,
                     std::size_t& argument, void (CallGraph::*set)(std::size_t, std::size_t)) {
        ET_ASSIGN(const auto list, view.copy<std::int64_t>(numbers, path));
        for (const std::int64_t each : list) {
            ET_ASSIGN(const std::size_t number, checkNumber(each, path, numbers));
            declareOther(number);
            (calls.*set)(number, argument++);
        }
        return {};
    }

    Result<> readCalls(const FieldPath& path) {
        ET_ASSIGN(const auto tables,
                  view.map(graph.calls(), path, [](const schema::Call* table, const FieldPath&) {
                      return Result<const schema::Call*>(table);
                  }));
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const FieldPath at = path.at(i);
            ET_TRY(readCall(*tables[i], at));
        }
        return {};
    }

    Result<> readCall(const schema::Call& call, const FieldPath& path) {
        const FieldPath namePath = path.field("name");
        ET_ASSIGN(const std::string_view name, view.required(call.name(), namePath, &call));
        ET_TRY(checkName(name, namePath));
        GraphNode node{.name = fmt::format("n{}", call.id()), .kind = std::string(name)};
        const FieldPath argumentsPath = path.field("arguments");
        ET_ASSIGN(const auto arguments, view.copy<std::int64_t>(call.arguments(), argumentsPath));
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            ET_ASSIGN(const std::size_t number, checkNumber(arguments[i], argumentsPath, &call));
            ET_TRY(i + 1 < arguments.size() ? takeArgument(i, number, argumentsPath, node)
                                            : takeResult(number, argumentsPath, node));
        }
        calls.addNode(std::move(node));
        return {};
    }

    Result<> takeArgument(std::size_t position, std::size_t number, const FieldPath& path, GraphNode& node) {
        ET_ASSIGN(const auto flowing, flowingOf(number, path));
        for (const std::size_t each : flowing) {
            if (calls.isDeclared(each)) {
                node.inputs.push_back(calls.read(each));
            }
        }
        if (!calls.isDeclared(number) && values[number]->content_type() != schema::Content::ValueList) {
            node.attributes.push_back({argumentName(node.kind, position), valueText(*values[number])});
        }
        return {};
    }

    /// The last argument of a call is its result.
    Result<> takeResult(std::size_t number, const FieldPath& path, GraphNode& node) {
        ET_ASSIGN(const auto flowing, flowingOf(number, path));
        for (const std::size_t each : flowing) {
            if (values[each]->content_type() != schema::Content::None) {
                declareOther(each);
                node.outputs.push_back(calls.write(each));
            }
        }
        return {};
    }

    /// The value itself, or the items of a list.
    Result<std::vector<std::size_t>> flowingOf(std::size_t number, const FieldPath& path) {
        std::vector<std::size_t> all;
        const auto* list = values[number]->content_as_ValueList();
        const std::size_t count = list == nullptr || list->items() == nullptr ? 1 : list->items()->size();
        argumentsSeen += count;
        if (argumentsSeen > maxArguments) {
            return view.fail(ErrorCode::Limit, path, values[number],
                             fmt::format("expected at most {} arguments in all calls", maxArguments));
        }
        if (list == nullptr) {
            return std::vector{number};
        }
        ET_ASSIGN(const auto items, view.copy<std::int64_t>(list->items(), path));
        for (const std::int64_t item : items) {
            ET_ASSIGN(const std::size_t each, checkNumber(item, path, list));
            all.push_back(each);
        }
        return all;
    }

    FlatView& view;
    const schema::Graph& graph;
    core::Bytes bytes;
    const executor::NamedDataSource& namedData;
    std::vector<const schema::Value*> values;
    CallGraph calls{0};
    std::size_t argumentsSeen = 0;
};

constexpr std::size_t headerSize = 30;

}  // namespace

Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const PayloadParts parts, findParts(payload));
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(schema::GraphIdentifier()));
    return Describer(view, *root, parts.constants, namedData).describe();
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                      PayloadContents& contents) {
    ET_ASSIGN(const ModelGraph graph, describe(delegate.payload, namedData));
    ET_ASSIGN(const PayloadParts parts, findParts(delegate.payload));
    contents.described.add(delegate.payload.data(), headerSize);
    contents.described.addFlatbuffer(parts.flatbuffer, schema::GraphIdentifier(), *schema::GraphTypeTable());
    contents.addConstants(graph);
    return {};
}

}  // namespace et::backends::vulkan
