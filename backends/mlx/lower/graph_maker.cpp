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
