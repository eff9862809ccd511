#include "backends/lowering/emission.h"
#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

// Nodes without a kernel: control flow, operators that write to their arguments, constant folding, and
// operators that export preserves for delegates: outside of those they are decomposed as export would do it.
namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::InstructionId;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using program::ValueId;
using reference::ReferenceTensor;

namespace {

constexpr std::size_t maxNesting = 32;  ///< of subgraphs
constexpr auto noneGrows = std::numeric_limits<std::size_t>::max();

}  // namespace

/// The kernel also returns the indices of the maxima.
Result<> Emission::addMaxPool(const Node& node) {
    Node whole = node;
    whole.target = "aten.max_pool2d_with_indices.default";
    ET_ASSIGN(const KernelChoice choice, chooseKernel(whole, kernels));
    ET_ASSIGN(builder::Arguments arguments, argumentsOf(choice));
    const std::string_view name = firstResult(node);
    ET_ASSIGN(builder::TensorSpec places, specOf(method.graph(), name));
    places.dtype = core::ScalarType::Long;
    ET_ASSIGN(const ValueId largest, result(name));
    into.call(choice.kernel, arguments, {largest, into.intermediate(places)});
    return {};
}

/// x * clamp(x + 3, 0, 6) / 6
Result<> Emission::addHardSwish(const Node& node) {
    constexpr std::int64_t shift = 3;
    constexpr std::int64_t top = 6;
    const std::string_view name = firstResult(node);
    ET_ASSIGN(const ValueId operand, value(valueName(findArgument(node, "self"))));
    ET_ASSIGN(const builder::TensorSpec spec, specOf(method.graph(), name));
    const ValueId sum = into.intermediate(spec);
    into.call("aten::add.Scalar_out", {operand, shift, std::int64_t{1}}, {sum});
    const ValueId clamped = into.intermediate(spec);
    into.call("aten::clamp.out", {sum, std::int64_t{0}, top}, {clamped});
    const ValueId product = into.intermediate(spec);
    into.call("aten::mul.out", {operand, clamped}, {product});
    ET_ASSIGN(const ValueId quotient, result(name));
    into.call("aten::div.Scalar_out", {product, top}, {quotient});
    return {};
}

/// where(x > 0, x, x * weight), with a weight per channel.
Result<> Emission::addPrelu(const Node& node) {
    const std::string_view name = firstResult(node);
    const std::string_view slope = valueName(findArgument(node, "weight"));
    ET_ASSIGN(const ValueId operand, value(valueName(findArgument(node, "self"))));
    ET_ASSIGN(ValueId weight, value(slope));
    ET_ASSIGN(builder::TensorSpec spec, specOf(method.graph(), name));
    ET_ASSIGN(builder::TensorSpec perChannel, specOf(method.graph(), slope));
    perChannel = {.dtype = perChannel.dtype, .sizes = std::move(perChannel.sizes)};
    constexpr std::size_t fromChannels = 1;  // dimensions before the channels
    const std::size_t rank =
        spec.sizes.size() > fromChannels ? spec.sizes.size() - fromChannels : spec.sizes.size();
    if (perChannel.sizes.size() != rank) {
        perChannel.sizes.resize(rank, 1);
        const ValueId viewed = into.intermediate(perChannel);
        into.call("aten::view_copy.out", {weight, builder::Ints(perChannel.sizes)}, {viewed});
        weight = viewed;
    }
    const ValueId product = into.intermediate(spec);
    into.call("aten::mul.out", {operand, weight}, {product});
    ET_ASSIGN(const ValueId chosen, result(name));
    spec.dtype = core::ScalarType::Bool;
    const ValueId above = into.intermediate(spec);
    into.call("aten::gt.Scalar_out", {operand, std::int64_t{0}}, {above});
    into.call("aten::where.self_out", {above, operand, product}, {chosen});
    return {};
}

/// Returns false if the node has a kernel, or is not supported.
Result<bool> Emission::addWithoutKernel(const Node& node) {
    const std::string_view target = reference::plainTarget(node.target);
    const auto done = [](Result<> added) { return std::move(added).transform([] { return true; }); };
    if (isComputedAhead(node)) {
        return done(addComputedAhead(node));
    }
    if (target == "higher_order.auto_functionalized_v2") {
        return done(addFunctionalized(node));
    }
    if (target == "higher_order.cond") {
        return done(addCond(node));
    }
    if (target == "higher_order.map_impl") {
        return done(addMap(node));
    }
    if (target == "higher_order.scan") {
        return done(addScan(node));
    }
    if (target == "aten.max_pool2d.default") {
        return done(addMaxPool(node));
    }
    if (target == "aten.hardswish.default") {
        return done(addHardSwish(node));
    }
    if (target == "aten.prelu.default") {
        return done(addPrelu(node));
    }
    return false;
}

/// Whether a node is computed now rather than in each run: numbers, and nodes without a kernel.
bool Emission::isComputedAhead(const Node& node) const {
    const auto index = static_cast<NodeIndex>(&node - method.graph().nodes.data());
    const auto* meta = method.meta(firstResult(node));
    const bool number = meta != nullptr && meta->sizes.empty() && node.outputs.size() == 1;
    return computed.isComputable(index) && (number || !chooseKernel(node, kernels));
}

Result<> Emission::addComputedAhead(const Node& node) {
    ET_ASSIGN(const auto made, computed.compute(static_cast<NodeIndex>(&node - method.graph().nodes.data())));
    for (const auto& [name, value] : made) {
        if (method.users(name).empty() && !method.isOutput(name)) {
            continue;
        }
        const core::Tensor& tensor = value.as<ReferenceTensor>()->view;
        const auto& known = *method.graph().tensors.find(name);  // its name outlives this call
        values[known.first] =
            into.constant({.dtype = tensor.dtype(), .sizes = {tensor.sizes().begin(), tensor.sizes().end()}},
                          tensor.rawBytes());
    }
    return {};
}

Result<std::vector<ValueId>> Emission::listed(const Argument& argument) {
    const auto* items = std::get_if<OptionalRefs>(&argument.value);
    if (items == nullptr || !std::ranges::all_of(*items, [](const auto& item) { return item.has_value(); })) {
        return fail(ErrorCode::InvalidArgument, "expected a list of tensors");
    }
    std::vector<ValueId> ids;
    for (const auto& item : *items) {
        ET_ASSIGN(const ValueId id, value(item->name));
        ids.push_back(id);
    }
    return ids;
}

/// Creates tensors for all results of a node; from `growing`, they receive row after row.
Result<std::vector<ValueId>> Emission::results(const Node& node, std::size_t growing) {
    std::vector<ValueId> ids;
    for (const Argument& output : node.outputs) {
        std::vector<std::string_view> made;
        reference::forNames(output, [&](const std::string& name) { made.push_back(name); });
        for (const std::string_view name : made) {
            ET_ASSIGN(const ValueId id, result(name, ids.size() >= growing));
            ids.push_back(id);
        }
    }
    return ids;
}

/// The tensor that a node may write to instead of a copy: a buffer, or a node's result, that nothing else
/// reads.
Result<ValueId> Emission::writable(const Node& node, std::string_view base) {
    ET_ASSIGN(const ValueId from, value(base));
    const bool alone = method.users(base).size() == 1 && !method.isOutput(base) &&
                       (method.isMutated(base) || method.producer(base));
    if (alone) {
        return from;
    }
    ET_ASSIGN(const builder::TensorSpec spec,
              specOf(method.graph(), base).transform_error([&](core::Error error) {
                  error.message = fmt::format("{}: {}", core::printable(node.name), error.message);
                  return error;
              }));
    const ValueId copy = into.intermediate(spec);
    into.call("aten::clone.out", {from, nullptr}, {copy});
    return copy;
}

/// update_cache writes rows into a cache; its functional form returns the updated caches.
Result<> Emission::addFunctionalized(const Node& node) {
    const auto* target = node.inputs.empty() ? nullptr : std::get_if<std::string>(&node.inputs[0].value);
    if (target == nullptr || reference::plainTarget(*target) != "llama.update_cache.default") {
        return fail(ErrorCode::Unsupported, "only llama.update_cache is known to write to its argument");
    }
    const auto bases = tensorsArgument(node, "_all_bases");
    const auto index = integerArgument(node, "_cache_base_index");
    const Argument* rows = findArgument(node, "value");
    const Argument* start = findArgument(node, "start_pos");
    if (!bases || bases->size() != 1 || index != 0 || rows == nullptr || start == nullptr ||
        node.outputs.size() != 2) {
        return fail(ErrorCode::InvalidArgument, "expected one cache, the values to write and their position");
    }
    ET_ASSIGN(const builder::Argument from, argument(*rows, false));
    ET_ASSIGN(const builder::Argument position, argument(*start, false));
    ET_ASSIGN(const ValueId cache, writable(node, bases->front()));
    const std::vector<std::int64_t> one{1};
    const ValueId unused = into.intermediate({.sizes = one});
    into.call("llama::update_cache.out", {from, cache, position}, {unused});
    values[valueName(&node.outputs[1])] = cache;
    return {};
}

/// Adds the instructions of a subgraph and returns its results.
Result<std::vector<ValueId>> Emission::addSubgraph(const Argument& argument,
                                                   std::span<const ValueId> inputs) {
    const auto* ref = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
    if (ref == nullptr || *ref == nullptr || depth >= maxNesting) {
        return fail(ErrorCode::InvalidArgument, "expected a graph that is not nested too deeply");
    }
    const etrecord::ExportedGraph& graph = (*ref)->graph;
    ET_ASSIGN(EdgeMethod body, EdgeMethod::subgraph(graph));
    Emission inner(body, {}, kernels, into, emitted, depth + 1);
    if (graph.inputs.size() != inputs.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("its graph takes {} inputs, got {}", graph.inputs.size(), inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inner.bind(valueName(&graph.inputs[i]), inputs[i]);
    }
    ET_TRY(inner.addBody());
    std::vector<ValueId> ids;
    for (const Argument& output : graph.outputs) {
        ET_ASSIGN(const ValueId id, inner.value(valueName(&output)));
        ids.push_back(id);
    }
    return ids;
}

/// cond(condition, graph, graph, inputs): both branches write their results to the same tensors.
Result<> Emission::addCond(const Node& node) {
    if (node.inputs.size() != 4) {
        return fail(ErrorCode::InvalidArgument, "expected a condition, two graphs and their inputs");
    }
    ET_ASSIGN(const ValueId truth, value(valueName(&node.inputs[0])));
    ET_ASSIGN(const auto inputs, listed(node.inputs[3]));
    ET_ASSIGN(const auto outs, results(node, noneGrows));
    const auto branch = [&](const Argument& graph) -> Result<> {
        ET_ASSIGN(const auto made, addSubgraph(graph, inputs));
        if (made.size() != outs.size()) {
            return fail(ErrorCode::InvalidArgument, "the outputs of a graph do not match the node's");
        }
        copyAll(made, outs);
        return {};
    };
    const InstructionId toSecond = into.jumpFalse(truth);
    ET_TRY(branch(node.inputs[1]));
    const InstructionId toEnd = into.jumpFalse(into.boolean(false));
    into.setDestination(toSecond, into.nextInstruction());
    ET_TRY(branch(node.inputs[2]));
    into.setDestination(toEnd, into.nextInstruction());
    return {};
}

/// Begins a loop over the rows of tensors.
Result<Emission::RowLoop> Emission::beginRows(const Argument& argument) {
    ET_ASSIGN(const auto along, listed(argument));
    if (along.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to walk along");
    }
    RowLoop loop{.count = into.integer(0), .row = into.integer(0), .begin = {}, .rows = {}};
    into.callFunction("aten::sym_size.int", {along.front(), 0}, loop.count);
    loop.begin = into.nextInstruction();
    const auto& names = std::get<OptionalRefs>(argument.value);
    for (std::size_t i = 0; i < along.size(); ++i) {
        ET_ASSIGN(builder::TensorSpec spec, specOf(method.graph(), names[i]->name));
        if (spec.sizes.empty()) {
            return fail(ErrorCode::InvalidArgument, "a tensor without dimensions has no rows");
        }
        spec.sizes.erase(spec.sizes.begin());
        spec.dimOrder.clear();
        loop.rows.push_back(into.intermediate(spec));
        into.call("aten::select_copy.int_out", {along[i], 0, loop.row}, {loop.rows.back()});
    }
    return loop;
}

/// Writes values to the current row of tensors. Three arguments; the last one is not a result.
void Emission::storeRow(const RowLoop& loop, std::span<const ValueId> to, std::span<const ValueId> made) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        into.callFunction("executorch_prim::et_copy_index.tensor", {to[i], made[i]}, loop.row);
    }
}

/// Resets the counter to 0 at the end, since values persist between runs.
void Emission::endRows(const RowLoop& loop) {
    const ValueId isLast = into.boolean(false);
    into.callFunction("executorch_prim::add.Scalar", {loop.row, 1}, loop.row);
    into.callFunction("executorch_prim::eq.Scalar", {loop.row, loop.count}, isLast);
    into.setDestination(into.jumpFalse(isLast), loop.begin);
    into.callFunction("executorch_prim::sub.Scalar", {loop.row, loop.row}, loop.row);
}

/// map(graph, tensors, others): runs the graph on each row of the tensors.
Result<> Emission::addMap(const Node& node) {
    if (node.inputs.size() != 3) {
        return fail(ErrorCode::InvalidArgument, "expected a graph, tensors to map over and others");
    }
    ET_ASSIGN(const auto others, listed(node.inputs[2]));
    ET_ASSIGN(const auto outs, results(node, 0));
    ET_ASSIGN(const RowLoop loop, beginRows(node.inputs[1]));
    std::vector<ValueId> inputs = loop.rows;
    inputs.insert(inputs.end(), others.begin(), others.end());
    ET_ASSIGN(const auto made, addSubgraph(node.inputs[0], inputs));
    if (made.size() != outs.size()) {
        return fail(ErrorCode::InvalidArgument, "the outputs of its graph do not match the node's");
    }
    storeRow(loop, outs, made);
    endRows(loop);
    return {};
}

/// scan(graph, initial values, tensors, others): runs the graph on the carried values and each row of the
/// tensors; it returns the next carried values, then a row of each other result.
Result<> Emission::addScan(const Node& node) {
    if (node.inputs.size() != 3 && node.inputs.size() != 4) {
        return fail(ErrorCode::InvalidArgument,
                    "expected a graph, initial values, tensors to scan and others");
    }
    ET_ASSIGN(const auto initial, listed(node.inputs[1]));
    const std::size_t carries = initial.size();
    ET_ASSIGN(const auto outs, results(node, carries));
    if (outs.size() < carries) {
        return fail(ErrorCode::InvalidArgument, "expected a result for each initial value");
    }
    const auto carried = std::span(outs).first(carries);
    copyAll(initial, carried);
    std::vector<ValueId> inputs(carried.begin(), carried.end());
    std::vector<ValueId> others;
    if (node.inputs.size() == 4) {
        ET_ASSIGN(others, listed(node.inputs[3]));
    }
    ET_ASSIGN(const RowLoop loop, beginRows(node.inputs[2]));
    inputs.insert(inputs.end(), loop.rows.begin(), loop.rows.end());
    inputs.insert(inputs.end(), others.begin(), others.end());
    ET_ASSIGN(auto made, addSubgraph(node.inputs[0], inputs));
    if (made.size() != outs.size()) {
        return fail(ErrorCode::InvalidArgument, "the outputs of its graph do not match the node's");
    }
    storeRow(loop, std::span(outs).subspan(carries), std::span(made).subspan(carries));
    ET_TRY(keepCarried(node, std::span(made).first(carries), carried));
    copyAll(std::span(made).first(carries), carried);
    endRows(loop);
    return {};
}

/// Copies results that are the carried value of another position, which is overwritten before it is read.
Result<> Emission::keepCarried(const Node& node, std::span<ValueId> made, std::span<const ValueId> carried) {
    const std::vector<std::string> names = reference::namesIn(node.outputs);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i] != carried[i] && std::ranges::contains(carried, made[i])) {
            ET_ASSIGN(const builder::TensorSpec spec, specOf(method.graph(), names[i]));
            const ValueId copy = into.intermediate(spec);
            into.call("aten::clone.out", {made[i], nullptr}, {copy});
            made[i] = copy;
        }
    }
    return {};
}

/// Writes each value to a tensor of the same sizes.
void Emission::copyAll(std::span<const ValueId> from, std::span<const ValueId> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (from[i] != to[i]) {
            into.callFunction("aten::copy_", {to[i], from[i], false}, to[i]);
        }
    }
}

}  // namespace et::backends::lowering
