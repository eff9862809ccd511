#include "backends/mlx/lower/graph_maker.h"

#include "backends/mlx/lower/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using etrecord::Argument;
using etrecord::SymInt;
using etrecord::ValueRef;

/// torch.export's number.
constexpr std::int64_t stridedLayout = 7;

/// More than any model has; branches that several nodes run are converted for each.
constexpr std::uint64_t maxConverted = 1'000'000;

/// Operators on integers, which have the same names in torch.export.
struct IntegerOperator {
    std::string_view kind;
    std::string_view target;
};
constexpr IntegerOperator integerOperators[] = {
    {"AddIntNode", "_operator.add"},      {"SubtractIntNode", "_operator.sub"},
    {"MultiplyIntNode", "_operator.mul"}, {"FloorDivideIntNode", "_operator.floordiv"},
    {"ModIntNode", "_operator.mod"},
};

}  // namespace

ScalarType carriedType(ScalarType dtype) {
    switch (dtype) {
        case ScalarType::UInt32:
            return ScalarType::Int;
        case ScalarType::UInt16:
        case ScalarType::UInt64:
            return ScalarType::Long;
        default:
            return dtype;
    }
}

Argument tensorArgument(std::string name) {
    return {.name = {}, .kind = "as_tensor", .value = ValueRef{.name = std::move(name)}};
}

Argument tensorsArgument(const std::vector<MadeTensor>& tensors) {
    std::vector<std::optional<ValueRef>> items;
    for (const MadeTensor& tensor : tensors) {
        items.emplace_back(ValueRef{.name = tensor.name});
    }
    return {.name = {}, .kind = "as_tensors", .value = std::move(items)};
}

Argument wholeArgument(std::int64_t number) {
    return {.name = {}, .kind = "as_int", .value = number};
}

Argument realArgument(double number) {
    return {.name = {}, .kind = "as_float", .value = number};
}

Argument truthArgument(bool truth) {
    return {.name = {}, .kind = "as_bool", .value = truth};
}

Argument textArgument(std::string_view text) {
    return {.name = {}, .kind = "as_string", .value = std::string(text)};
}

Argument wholesArgument(const std::vector<std::int64_t>& numbers) {
    std::vector<SymInt> items;
    for (const std::int64_t number : numbers) {
        items.push_back({.value = number, .expression = {}});
    }
    return {.name = {}, .kind = "as_ints", .value = std::move(items)};
}

Argument noArgument() {
    return {.name = {}, .kind = "as_none", .value = {}};
}

etrecord::TensorMeta GraphMaker::metaOf(ScalarType dtype, const std::vector<std::int64_t>& sizes) {
    etrecord::TensorMeta meta{.scalarType = static_cast<std::int8_t>(dtype),
                              .sizes = {},
                              .strides = {},
                              .requiresGrad = false,
                              .device = "cpu",
                              .storageOffset = {},
                              .layout = stridedLayout};
    for (const std::int64_t size : sizes) {
        meta.sizes.push_back({.value = size < 0 ? 1 : size, .expression = size < 0 ? "s0" : ""});
        meta.strides.push_back({.value = 1, .expression = {}});
    }
    return meta;
}

void GraphMaker::defineTensor(TensorNumber tensor, const std::string& name) {
    const auto& type = types.of(tensor);
    const ScalarType dtype = carriedType(type ? type->dtype : ScalarType::Float);
    tensors[tensor] = {name, dtype};
    made.tensors[name] = metaOf(dtype, type ? type->sizes : std::vector<std::int64_t>());
}

void GraphMaker::defineValue(ValueNumber value, const std::string& name) {
    values[value] = name;
    made.symInts[name] = {.value = 0, .expression = name};
}

Result<MadeTensor> GraphMaker::tensor(TensorNumber number) const {
    const auto found = tensors.find(number);
    if (found == tensors.end()) {
        return core::fail(ErrorCode::Format, fmt::format("it reads t{}, which nothing has written", number));
    }
    return found->second;
}

Result<std::string> GraphMaker::value(ValueNumber number) const {
    const auto found = values.find(number);
    if (found == values.end()) {
        return core::fail(ErrorCode::Format, fmt::format("it reads v{}, which nothing has written", number));
    }
    return found->second;
}

/// Operators of a node are named "n7_1", "n7_2", …; the last one is renamed "n7".
std::string GraphMaker::nextName() {
    return fmt::format("n{}_{}", position, ++helpers);
}

etrecord::Node& GraphMaker::addOperator(std::string name, std::string_view target, Arguments arguments) {
    etrecord::Node node;
    node.name = std::move(name);
    node.target = fmt::format("{}{}", target.starts_with("_operator.") ? "" : "torch.ops.", target);
    node.op = etrecord::operatorName(node.target);
    node.inputs = std::move(arguments);
    made.nodes.push_back(std::move(node));
    return made.nodes.back();
}

std::string GraphMaker::renameLast(const std::string& name) {
    std::string whole = fmt::format("n{}", position);
    if (made.nodes.empty() || made.nodes.back().name != name || made.nodes.back().outputs.size() != 1) {
        return name;
    }
    etrecord::Node& node = made.nodes.back();
    auto* result = std::get_if<ValueRef>(&node.outputs[0].value);
    if (result == nullptr) {
        return name;
    }
    node.name = whole;
    result->name = whole;
    if (auto meta = made.tensors.extract(name)) {
        meta.key() = whole;
        made.tensors.insert(std::move(meta));
    }
    if (made.symInts.erase(name) > 0) {
        made.symInts[whole] = {.value = 0, .expression = whole};
    }
    return whole;
}

MadeTensor GraphMaker::put(std::string_view target, Arguments arguments, ScalarType dtype) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    node.outputs.push_back(tensorArgument(node.name));
    made.tensors[node.name] = metaOf(dtype, {});
    return {node.name, dtype};
}

std::vector<MadeTensor> GraphMaker::declareResults(const etrecord::Node& node, ScalarType dtype,
                                                   std::size_t count) {
    std::vector<MadeTensor> results;
    for (std::size_t i = 0; i < count; ++i) {
        results.push_back({fmt::format("{}_out{}", node.name, i), dtype});
        made.tensors[results.back().name] = metaOf(dtype, {});
    }
    return results;
}

std::vector<MadeTensor> GraphMaker::putList(std::string_view target, Arguments arguments, ScalarType dtype,
                                            std::size_t count) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    std::vector<MadeTensor> results = declareResults(node, dtype, count);
    node.outputs.push_back(tensorsArgument(results));
    return results;
}

std::vector<MadeTensor> GraphMaker::putSeveral(std::string_view target, Arguments arguments, ScalarType dtype,
                                               std::size_t count) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    std::vector<MadeTensor> results = declareResults(node, dtype, count);
    for (const MadeTensor& each : results) {
        node.outputs.push_back(tensorArgument(each.name));
    }
    return results;
}

std::string GraphMaker::putNumber(std::string_view target, Arguments arguments) {
    etrecord::Node& node = addOperator(nextName(), target, std::move(arguments));
    node.outputs.push_back({.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = node.name}});
    made.symInts[node.name] = {.value = 0, .expression = node.name};
    return node.name;
}

MadeTensor GraphMaker::cast(const MadeTensor& from, ScalarType to) {
    return from.dtype == to ? from : put("aten._to_copy.default", {tensorArgument(from.name)}, to);
}

Result<Argument> GraphMaker::numberArgument(const Item& item) const {
    if (item.kind == Item::Kind::Float) {
        return realArgument(item.real);
    }
    if (item.kind != Item::Kind::Value) {
        return wholeArgument(item.whole);
    }
    ET_ASSIGN(std::string name, value(item.number));
    return Argument{.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = std::move(name)}};
}

Result<Argument> GraphMaker::numbersArgument(const std::vector<Item>& items) const {
    std::vector<SymInt> numbers;
    bool isPlain = true;
    for (const Item& item : items) {
        SymInt number{.value = item.whole, .expression = {}};
        if (item.kind == Item::Kind::Value) {
            ET_ASSIGN(number.expression, value(item.number));
            isPlain = false;
        }
        numbers.push_back(std::move(number));
    }
    return Argument{.name = {}, .kind = isPlain ? "as_ints" : "as_sym_ints", .value = std::move(numbers)};
}

Result<> GraphMaker::addChain(std::uint32_t chain) {
    for (const Node& node : payload.chains[chain]) {
        if (++converted > maxConverted) {
            return core::fail(ErrorCode::Limit, fmt::format("more than {} nodes to compute", maxConverted));
        }
        helpers = 0;
        if (auto added = addNode(node); !added) {
            core::Error error = std::move(added).error();
            if (!error.message.starts_with("node n")) {
                error.message = fmt::format("node n{} ({}): {}", position, node.kind->name, error.message);
            }
            return std::unexpected(std::move(error));
        }
    }
    return {};
}

Result<> GraphMaker::addNode(const Node& node) {
    const std::string_view kind = node.kind->name;
    if (kind == "IfNode" || kind == "ScanNode") {
        return ControlFlow(*this, node).add();
    }
    if (kind == "SplitNode") {
        ET_TRY(addSplit(node));
    } else if (kind == "MetalKernelNode") {
        return addKernel(node);
    } else if (const auto out = itemsIn(node, "out"); !out.empty() && out[0].kind == Item::Kind::Value) {
        ET_TRY(addInteger(node));
    } else if (const ConvertNode convert = conversionOf(kind); convert != nullptr) {
        ET_ASSIGN(MadeTensor result, convert(*this, node));
        return addResult(node, std::move(result));
    } else if (kind != "NoopNode") {
        return core::fail(ErrorCode::Unsupported, "it cannot be computed here");
    }
    types.add(node);
    ++position;
    return {};
}

/// A tensor of the interface has the dtype that the payload states.
Result<> GraphMaker::addResult(const Node& node, MadeTensor result) {
    const TensorNumber out = *tensorIn(node, "out");
    if (const TensorMeta* meta = payload.meta(out)) {
        result = cast(result, carriedType(static_cast<ScalarType>(meta->dtype)));
    }
    result.name = renameLast(result.name);
    types.add(node);
    ++position;
    if (const auto& type = types.of(out)) {
        made.tensors[result.name] = metaOf(result.dtype, type->sizes);
    }
    tensors[out] = std::move(result);
    return {};
}

Result<> GraphMaker::addSplit(const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(*this, node, "x"));
    const auto sizes = itemsIn(node, "sizes");
    const auto outs = tensorsIn(node, "outs");
    const bool isEven = sizes.size() == 1;
    if (outs.empty() || (!isEven && sizes.size() != outs.size())) {
        return core::fail(ErrorCode::Format, "it has other numbers of sizes and results");
    }
    ET_ASSIGN(Argument size, isEven ? numberArgument(sizes[0]) : numbersArgument(sizes));
    auto parts = putList(isEven ? "aten.split_copy.Tensor" : "aten.split_with_sizes_copy.default",
                         {tensorArgument(x.name), std::move(size), wholeArgument(wholeIn(node, "axis"))},
                         x.dtype, outs.size());
    made.nodes.back().name = fmt::format("n{}", position);
    for (std::size_t i = 0; i < outs.size(); ++i) {
        tensors[outs[i]] = std::move(parts[i]);
    }
    return {};
}

Result<> GraphMaker::addKernel(const Node& node) {
    const auto outs = tensorsIn(node, "outputs");
    ET_ASSIGN(const std::vector<MadeTensor> results, convertKernel(*this, node));
    types.add(node);
    ++position;
    for (std::size_t i = 0; i < std::min(outs.size(), results.size()); ++i) {
        MadeTensor result = results[i];
        const auto& type = types.of(outs[i]);
        if (type) {
            result = cast(result, carriedType(type->dtype));
            made.tensors[result.name] = metaOf(result.dtype, type->sizes);
        }
        tensors[outs[i]] = std::move(result);
    }
    return {};
}

Result<> GraphMaker::addInteger(const Node& node) {
    const ValueNumber out = itemsIn(node, "out")[0].number;
    const std::string_view kind = node.kind->name;
    if (kind == "SymSizeNode") {
        ET_ASSIGN(const MadeTensor a, tensorOf(*this, node, "a"));
        values[out] = renameLast(
            putNumber("aten.sym_size.int", {tensorArgument(a.name), wholeArgument(wholeIn(node, "dim"))}));
        return {};
    }
    if (kind == "ItemIntNode") {
        ET_ASSIGN(MadeTensor x, tensorOf(*this, node, "x"));
        x = cast(x, ScalarType::Long);
        values[out] = renameLast(putNumber("aten._local_scalar_dense.default", {tensorArgument(x.name)}));
        return {};
    }
    const auto* found = std::ranges::find(integerOperators, kind, &IntegerOperator::kind);
    if (found == std::end(integerOperators)) {
        return core::fail(ErrorCode::Unsupported, "it cannot be computed here");
    }
    ET_ASSIGN(Argument a, numberArgument(itemsIn(node, "a").at(0)));
    ET_ASSIGN(Argument b, numberArgument(itemsIn(node, "b").at(0)));
    values[out] = renameLast(putNumber(found->target, {std::move(a), std::move(b)}));
    return {};
}

ConvertNode conversionOf(std::string_view kind) {
    static const Conversions all = [] {
        Conversions made;
        addElementwise(made);
        addShapes(made);
        addProducts(made);
        addReductions(made);
        return made;
    }();
    const auto found = all.find(kind);
    return found == all.end() ? nullptr : found->second;
}

Result<MadeTensor> tensorOf(const GraphMaker& maker, const Node& node, std::string_view field) {
    const auto number = tensorIn(node, field);
    return number ? maker.tensor(*number)
                  : core::fail(ErrorCode::Format, fmt::format("its tensor \"{}\" is missing", field));
}

Result<std::optional<MadeTensor>> optionalOf(const GraphMaker& maker, const Node& node,
                                             std::string_view field) {
    const auto number = tensorIn(node, field);
    if (!number) {
        return std::optional<MadeTensor>();
    }
    return maker.tensor(*number).transform([](MadeTensor found) { return std::optional(std::move(found)); });
}

Result<Argument> optionalArgument(const GraphMaker& maker, const Node& node, std::string_view field) {
    ET_ASSIGN(const auto found, optionalOf(maker, node, field));
    return found ? tensorArgument(found->name) : noArgument();
}

Result<TensorType> typeOf(const GraphMaker& maker, const Node& node, std::string_view field) {
    const auto number = tensorIn(node, field);
    const auto type = number ? maker.resultTypes().of(*number) : std::nullopt;
    return type ? Result<TensorType>(*type)
                : core::fail(ErrorCode::Unsupported,
                             fmt::format("the rank of its tensor \"{}\" is unknown", field));
}

Result<Argument> numbersOf(const GraphMaker& maker, const Node& node, std::string_view field) {
    return maker.numbersArgument(itemsIn(node, field));
}

}  // namespace et::backends::mlx
