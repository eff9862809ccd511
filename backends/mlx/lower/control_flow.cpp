#include "backends/mlx/lower/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using etrecord::Argument;
using etrecord::ValueRef;

/// Adds the tensors and values that a chain writes, and those that it reads before it writes them.
void addUses(const Payload& payload, std::uint32_t chain, ChainUses& uses) {
    for (const Node& node : payload.chains[chain]) {
        const auto visit = [&](bool writes) {
            for (std::size_t i = 0; i < node.fields.size(); ++i) {
                const FieldAccess access = accessOf(node.kind->fields[i].kind);
                forItems(node.fields[i], [&](const Item& item) {
                    const bool isTensor = item.kind == Item::Kind::Tensor;
                    const bool isValue = item.kind == Item::Kind::Value;
                    if (writes && access.writes && (isTensor || isValue)) {
                        (isTensor ? uses.writtenTensors : uses.writtenValues).insert(item.number);
                    }
                    const auto& written = isTensor ? uses.writtenTensors : uses.writtenValues;
                    if (!writes && access.reads && (isTensor || isValue) && !written.contains(item.number)) {
                        (isTensor ? uses.readTensors : uses.readValues).insert(item.number);
                    }
                });
            }
        };
        visit(false);
        const auto inner = chainsOf(node);
        if (inner.size() == 1) {
            visit(true);  // a loop's body reads the slices
        }
        for (const std::uint32_t each : inner) {
            addUses(payload, each, uses);
        }
        visit(true);
    }
}

ChainUses usesOf(const Payload& payload, std::uint32_t chain) {
    ChainUses uses;
    addUses(payload, chain, uses);
    return uses;
}

}  // namespace

Result<> ControlFlow::add() {
    return node.kind->name == "IfNode" ? addBranch() : addLoop();
}

/// Numbers that are defined before the node.
ControlFlow::Numbers ControlFlow::inputsOf(const ChainUses& uses) const {
    Numbers inputs;
    std::ranges::copy_if(uses.readTensors, std::back_inserter(inputs.tensors),
                         [&](TensorNumber number) { return maker.tensors.contains(number); });
    std::ranges::copy_if(uses.readValues, std::back_inserter(inputs.values),
                         [&](ValueNumber number) { return maker.values.contains(number); });
    return inputs;
}

/// The chain as a graph that takes `inputs` and returns `results`.
Result<Argument> ControlFlow::body(std::uint32_t chain, const Numbers& inputs, const Numbers& results) {
    GraphMaker inner(maker.payload);
    inner.types = maker.types;
    inner.position = maker.position;
    inner.converted = maker.converted;
    for (const TensorNumber number : inputs.tensors) {
        const std::string name = fmt::format("in{}_t{}", maker.position, number);
        inner.defineTensor(number, name);
        inner.tensors[number].dtype =
            maker.tensors.contains(number) ? maker.tensors[number].dtype : inner.tensors[number].dtype;
        inner.made.tensors[name].scalarType = static_cast<std::int8_t>(inner.tensors[number].dtype);
        inner.made.inputs.push_back(tensorArgument(name));
    }
    for (const ValueNumber number : inputs.values) {
        const std::string name = fmt::format("in{}_v{}", maker.position, number);
        inner.defineValue(number, name);
        inner.made.inputs.push_back({.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = name}});
    }
    ET_TRY(inner.addChain(chain));
    for (const TensorNumber number : results.tensors) {
        ET_ASSIGN(MadeTensor result, inner.tensor(number));
        inner.made.outputs.push_back(tensorArgument(result.name));
        resultTypes[number] = result.dtype;
    }
    for (const ValueNumber number : results.values) {
        ET_ASSIGN(std::string name, inner.value(number));
        inner.made.outputs.push_back({.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = name}});
    }
    maker.position = inner.position;
    maker.converted = inner.converted;
    maker.types = inner.types;
    return Argument{
        .name = {},
        .kind = "as_graph",
        .value = std::make_shared<const etrecord::GraphRef>(etrecord::GraphRef{
            .name = fmt::format("chain_{}_of_n{}", chain, maker.position), .graph = std::move(inner.made)})};
}

Result<Argument> ControlFlow::listOf(const Numbers& numbers) const {
    std::vector<Argument> items;
    std::vector<std::optional<ValueRef>> tensors;
    for (const TensorNumber number : numbers.tensors) {
        ET_ASSIGN(const MadeTensor tensor, maker.tensor(number));
        tensors.emplace_back(ValueRef{.name = tensor.name});
    }
    for (const ValueNumber number : numbers.values) {
        ET_ASSIGN(std::string name, maker.value(number));
        tensors.emplace_back(ValueRef{.name = std::move(name)});
    }
    return Argument{.name = {}, .kind = "as_tensors", .value = std::move(tensors)};
}

/// New names for what the node writes.
void ControlFlow::defineResults(const Numbers& numbers, etrecord::Node& made) {
    for (const TensorNumber number : numbers.tensors) {
        const std::string name = fmt::format("{}_t{}", made.name, number);
        made.outputs.push_back(tensorArgument(name));
        maker.tensors[number] = {name, resultTypes[number]};
        maker.made.tensors[name] = GraphMaker::metaOf(resultTypes[number], {});
    }
    for (const ValueNumber number : numbers.values) {
        const std::string name = fmt::format("{}_v{}", made.name, number);
        made.outputs.push_back({.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = name}});
        maker.defineValue(number, name);
    }
}

/// Results are the tensors that both branches write, or that one writes and that have a value before.
Result<> ControlFlow::addBranch() {
    const auto chains = chainsOf(node);
    const ChainUses then = usesOf(maker.payload, chains.at(0));
    const ChainUses otherwise = usesOf(maker.payload, chains.at(1));
    const auto isResult = [](const auto& first, const auto& second, const auto& known, std::uint32_t number) {
        return (first.contains(number) && second.contains(number)) || known.contains(number);
    };
    Numbers results;
    ChainUses both = then;
    both.readTensors.insert(otherwise.readTensors.begin(), otherwise.readTensors.end());
    both.readValues.insert(otherwise.readValues.begin(), otherwise.readValues.end());
    both.writtenTensors.insert(otherwise.writtenTensors.begin(), otherwise.writtenTensors.end());
    both.writtenValues.insert(otherwise.writtenValues.begin(), otherwise.writtenValues.end());
    for (const TensorNumber number : both.writtenTensors) {
        if (isResult(then.writtenTensors, otherwise.writtenTensors, maker.tensors, number)) {
            results.tensors.push_back(number);
            both.readTensors.insert(number);
        }
    }
    for (const ValueNumber number : both.writtenValues) {
        if (isResult(then.writtenValues, otherwise.writtenValues, maker.values, number)) {
            results.values.push_back(number);
            both.readValues.insert(number);
        }
    }
    const Numbers inputs = inputsOf(both);
    ET_ASSIGN(Argument condition, maker.numberArgument(itemsIn(node, "cond").at(0)));
    ET_ASSIGN(Argument operands, listOf(inputs));
    const std::size_t at = maker.position++;
    ET_ASSIGN(Argument first, body(chains[0], inputs, results));
    ET_ASSIGN(Argument second, body(chains[1], inputs, results));
    etrecord::Node& made =
        maker.addOperator(fmt::format("n{}", at), "higher_order.cond",
                          {std::move(condition), std::move(first), std::move(second), std::move(operands)});
    defineResults(results, made);
    return {};
}

/// The body reads one slice per step. Carried tensors keep their numbers; the others are stacked.
Result<> ControlFlow::addLoop() {
    const std::uint32_t chain = chainsOf(node).at(0);
    const auto originals = tensorsIn(node, "originals");
    const auto sliced = tensorsIn(node, "sliced");
    const auto outputs = tensorsIn(node, "outputs");
    const auto carried = tensorsIn(node, "carry");
    const std::int64_t axis = wholeIn(node, "scan_axis");
    if (originals.size() != sliced.size() || originals.empty()) {
        return core::fail(ErrorCode::Format, "it has other numbers of tensors and of slices");
    }
    // higher_order.scan slices and stacks along the first axis.
    std::vector<MadeTensor> along;
    for (std::size_t i = 0; i < originals.size(); ++i) {
        ET_ASSIGN(MadeTensor tensor, maker.tensor(originals[i]));
        along.push_back(moved(tensor, axis, 0));
        auto type = maker.types.of(originals[i]);
        const std::int64_t at = type ? axisOf(axis, type->sizes.size()) : -1;
        if (at >= 0) {
            type->sizes.erase(type->sizes.begin() + at);
        }
        maker.types.set(sliced[i], std::move(type));
        maker.tensors[sliced[i]] = tensor;  // gives the slice its dtype
    }
    ChainUses uses = usesOf(maker.payload, chain);
    Numbers inputs{.tensors = carried, .values = {}};
    inputs.tensors.insert(inputs.tensors.end(), sliced.begin(), sliced.end());
    Numbers others = inputsOf(uses);
    std::erase_if(others.tensors,
                  [&](TensorNumber number) { return std::ranges::contains(inputs.tensors, number); });
    inputs.tensors.insert(inputs.tensors.end(), others.tensors.begin(), others.tensors.end());
    inputs.values = others.values;
    Numbers results{.tensors = carried, .values = {}};
    results.tensors.insert(results.tensors.end(), outputs.begin(), outputs.end());
    ET_ASSIGN(Argument initial, listOf({.tensors = carried, .values = {}}));
    ET_ASSIGN(Argument additional, listOf(others));
    const std::size_t at = maker.position++;
    ET_ASSIGN(Argument graph, body(chain, inputs, results));
    const std::size_t after = std::exchange(maker.position, at);
    etrecord::Node& made = maker.addOperator(
        fmt::format("n{}", at), "higher_order.scan",
        {std::move(graph), std::move(initial), tensorsArgument(along), std::move(additional)});
    defineResults(results, made);
    for (const TensorNumber number : outputs) {
        maker.tensors[number] = moved(maker.tensors[number], 0, axis);
        auto type = maker.types.of(number);
        const std::int64_t stackedAt = type ? axisOf(axis, type->sizes.size() + 1) : -1;
        if (stackedAt >= 0) {
            type->sizes.insert(type->sizes.begin() + stackedAt, unknownSize);
            maker.types.set(number, std::move(type));
        }
    }
    maker.position = after;
    return {};
}

MadeTensor ControlFlow::moved(const MadeTensor& tensor, std::int64_t from, std::int64_t to) {
    return from == to ? tensor
                      : maker.put("aten.movedim.int",
                                  {tensorArgument(tensor.name), wholeArgument(from), wholeArgument(to)},
                                  tensor.dtype);
}

}  // namespace et::backends::mlx
