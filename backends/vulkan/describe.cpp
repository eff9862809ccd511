#include "backends/vulkan/describe.h"

#include "backends/call_graph.h"
#include "backends/constant_info.h"
#include "backends/dense_bytes.h"
#include "backends/vulkan/detail/value_info.h"
#include "backends/vulkan/payload.h"
#include "runtime/core/flat_view.h"

#include <fmt/format.h>

#include <string>
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

}  // namespace

Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const PayloadParts parts, findParts(payload));
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(schema::GraphIdentifier()));
    return Describer(view, *root, parts.constants, namedData).describe();
}

}  // namespace et::backends::vulkan
