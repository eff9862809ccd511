#include "backends/lowering/emission_control.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::InstructionId;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using program::ValueId;

namespace {

constexpr auto noneGrows = std::numeric_limits<std::size_t>::max();

/// Writes each value to a tensor of the same sizes.
void copyAll(builder::MethodBuilder& into, std::span<const ValueId> from, std::span<const ValueId> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (from[i] != to[i]) {
            into.callFunction("aten::copy_", {to[i], from[i], false}, to[i]);
        }
    }
}

/// A loop over the rows of tensors.
struct RowLoop {
    ValueId count, row;
    InstructionId begin;        ///< of the body
    std::vector<ValueId> rows;  ///< the current row of each tensor
};

/// Begins a loop over the rows of tensors.
Result<RowLoop> beginRows(EmittedValues& values, const Argument& argument) {
    ET_ASSIGN(const auto along, values.list(argument));
    if (along.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to walk along");
    }
    builder::MethodBuilder& into = values.builder();
    RowLoop loop{.count = into.integer(0), .row = into.integer(0), .begin = {}, .rows = {}};
    into.callFunction("aten::sym_size.int", {along.front(), 0}, loop.count);
    loop.begin = into.nextInstruction();
    const auto& names = std::get<std::vector<std::optional<etrecord::ValueRef>>>(argument.value);
    for (std::size_t i = 0; i < along.size(); ++i) {
        ET_ASSIGN(builder::TensorSpec spec, specOf(values.edge().graph(), names[i]->name));
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
void storeRow(builder::MethodBuilder& into, const RowLoop& loop, std::span<const ValueId> to,
              std::span<const ValueId> made) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        into.callFunction("executorch_prim::et_copy_index.tensor", {to[i], made[i]}, loop.row);
    }
}

/// Resets the counter to 0 at the end, since values persist between runs.
void endRows(builder::MethodBuilder& into, const RowLoop& loop) {
    const ValueId isLast = into.boolean(false);
    into.callFunction("executorch_prim::add.Scalar", {loop.row, 1}, loop.row);
    into.callFunction("executorch_prim::eq.Scalar", {loop.row, loop.count}, isLast);
    into.setDestination(into.jumpFalse(isLast), loop.begin);
    into.callFunction("executorch_prim::sub.Scalar", {loop.row, loop.row}, loop.row);
}

/// Copies results that are the carried value of another position, which is overwritten before it is read.
Result<> keepCarried(EmittedValues& values, const Node& node, std::span<ValueId> made,
                     std::span<const ValueId> carried) {
    const std::vector<std::string> names = reference::namesIn(node.outputs);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i] != carried[i] && std::ranges::contains(carried, made[i])) {
            ET_ASSIGN(const builder::TensorSpec spec, specOf(values.edge().graph(), names[i]));
            const ValueId copy = values.builder().intermediate(spec);
            values.builder().call("aten::clone.out", {made[i], nullptr}, {copy});
            made[i] = copy;
        }
    }
    return {};
}

/// cond(condition, graph, graph, inputs): both branches write their results to the same tensors.
Result<> emitCond(Emission& to, const Node& node) {
    if (node.inputs.size() != 4) {
        return fail(ErrorCode::InvalidArgument, "expected a condition, two graphs and their inputs");
    }
    EmittedValues& values = to.known();
    builder::MethodBuilder& into = values.builder();
    ET_ASSIGN(const ValueId truth, values.value(valueName(&node.inputs[0])));
    ET_ASSIGN(const auto inputs, values.list(node.inputs[3]));
    ET_ASSIGN(const auto outs, values.results(node, noneGrows));
    const auto branch = [&](const Argument& graph) -> Result<> {
        ET_ASSIGN(const auto made, to.addSubgraph(graph, inputs));
        if (made.size() != outs.size()) {
            return fail(ErrorCode::InvalidArgument, "the outputs of a graph do not match the node's");
        }
        copyAll(into, made, outs);
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

/// map(graph, tensors, others): runs the graph on each row of the tensors.
Result<> emitMap(Emission& to, const Node& node) {
    if (node.inputs.size() != 3) {
        return fail(ErrorCode::InvalidArgument, "expected a graph, tensors to map over and others");
    }
    EmittedValues& values = to.known();
    builder::MethodBuilder& into = values.builder();
    ET_ASSIGN(const auto others, values.list(node.inputs[2]));
    ET_ASSIGN(const auto outs, values.results(node, 0));
    ET_ASSIGN(const RowLoop loop, beginRows(values, node.inputs[1]));
    std::vector<ValueId> inputs = loop.rows;
    inputs.insert(inputs.end(), others.begin(), others.end());
    ET_ASSIGN(const auto made, to.addSubgraph(node.inputs[0], inputs));
    if (made.size() != outs.size()) {
        return fail(ErrorCode::InvalidArgument, "the outputs of its graph do not match the node's");
    }
    storeRow(into, loop, outs, made);
    endRows(into, loop);
    return {};
}

/// scan(graph, initial values, tensors, others): runs the graph on the carried values and each row of the
/// tensors; it returns the next carried values, then a row of each other result.
Result<> emitScan(Emission& to, const Node& node) {
    if (node.inputs.size() != 3 && node.inputs.size() != 4) {
        return fail(ErrorCode::InvalidArgument,
                    "expected a graph, initial values, tensors to scan and others");
    }
    EmittedValues& values = to.known();
    builder::MethodBuilder& into = values.builder();
    ET_ASSIGN(const auto initial, values.list(node.inputs[1]));
    const std::size_t carries = initial.size();
    ET_ASSIGN(const auto outs, values.results(node, carries));
    if (outs.size() < carries) {
        return fail(ErrorCode::InvalidArgument, "expected a result for each initial value");
    }
    const auto carried = std::span(outs).first(carries);
    copyAll(into, initial, carried);
    std::vector<ValueId> inputs(carried.begin(), carried.end());
    std::vector<ValueId> others;
    if (node.inputs.size() == 4) {
        ET_ASSIGN(others, values.list(node.inputs[3]));
    }
    ET_ASSIGN(const RowLoop loop, beginRows(values, node.inputs[2]));
    inputs.insert(inputs.end(), loop.rows.begin(), loop.rows.end());
    inputs.insert(inputs.end(), others.begin(), others.end());
    ET_ASSIGN(auto made, to.addSubgraph(node.inputs[0], inputs));
    if (made.size() != outs.size()) {
        return fail(ErrorCode::InvalidArgument, "the outputs of its graph do not match the node's");
    }
    storeRow(into, loop, std::span(outs).subspan(carries), std::span(made).subspan(carries));
    ET_TRY(keepCarried(values, node, std::span(made).first(carries), carried));
    copyAll(into, std::span(made).first(carries), carried);
    endRows(into, loop);
    return {};
}

}  // namespace

Result<bool> emitControlFlow(Emission& emission, const Node& node) {
    using Emit = Result<> (*)(Emission&, const Node&);
    static constexpr std::array<std::pair<std::string_view, Emit>, 3> operators{
        {{"higher_order.cond", emitCond},
         {"higher_order.map_impl", emitMap},
         {"higher_order.scan", emitScan}}};
    for (const auto& [target, emit] : operators) {
        if (target == reference::plainTarget(node.target)) {
            ET_TRY(emit(emission, node));
            return true;
        }
    }
    return false;
}

}  // namespace et::backends::lowering
