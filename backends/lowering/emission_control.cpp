#include "backends/lowering/emission.h"
#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <fmt/format.h>

#include <algorithm>
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

bool readsConstantsOnly(const EdgeMethod& method, const Node& node) {
    bool constant = true;
    for (const Argument& argument : node.inputs) {
        reference::forNames(argument, [&](const std::string& name) {
            constant = constant && (name.empty() || method.isConstant(name));
        });
    }
    return constant;
}

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

/// Returns false if the node has a kernel, or is not supported.
Result<bool> Emission::addWithoutKernel(const Node& node) {
    const std::string_view target = reference::plainTarget(node.target);
    const auto done = [](Result<> added) { return std::move(added).transform([] { return true; }); };
    if (target == "higher_order.auto_functionalized_v2") {
        return done(addFunctionalized(node));
    }
    if (target == "higher_order.cond") {
        return done(addCond(node));
    }
    if (target == "higher_order.map_impl") {
        return done(addMap(node));
    }
    if (target == "aten.max_pool2d.default") {
        return done(addMaxPool(node));
    }
    if (target == "aten.hardswish.default") {
        return done(addHardSwish(node));
    }
    if (!chooseKernel(node, kernels) && method.archive() != nullptr && readsConstantsOnly(method, node)) {
        return done(addComputedNow(node));
    }
    return false;
}

/// Folds a node whose inputs are all constants.
Result<> Emission::addComputedNow(const Node& node) {
    if (interpreter == nullptr) {
        threads = std::make_unique<kernels::ThreadPool>();
        ET_ASSIGN(interpreter, reference::Interpreter::edge(*method.archive(), method.name(),
                                                            {.kernels = kernels, .threads = *threads}));
    }
    std::vector<std::string> wanted;
    for (const Argument& output : node.outputs) {
        reference::forNames(output, [&](const std::string& name) { wanted.push_back(name); });
    }
    ET_ASSIGN(const auto computed, interpreter->evaluate(wanted, {}));
    for (const auto& [name, made] : computed) {
        const auto* tensor = made.as<ReferenceTensor>();
        const auto* meta = method.meta(name);
        if (tensor == nullptr || meta == nullptr || !describes(*meta, tensor->view)) {
            return fail(ErrorCode::Mismatch, "its value differs from the graph's");
        }
        const auto known = std::ranges::find(wanted, name);
        const auto& result = *method.graph().tensors.find(*known);
        values[result.first] =
            into.constant({.dtype = tensor->view.dtype(),
                           .sizes = {tensor->view.sizes().begin(), tensor->view.sizes().end()}},
                          tensor->view.rawBytes());
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

/// Creates tensors for all results of a node.
Result<std::vector<ValueId>> Emission::results(const Node& node, bool grow) {
    std::vector<ValueId> ids;
    for (const Argument& output : node.outputs) {
        std::vector<std::string_view> made;
        reference::forNames(output, [&](const std::string& name) { made.push_back(name); });
        for (const std::string_view name : made) {
            ET_ASSIGN(const ValueId id, result(name, grow));
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
    ET_ASSIGN(const auto outs, results(node));
    const auto branch = [&](const Argument& graph) -> Result<> {
        ET_ASSIGN(const auto made, addSubgraph(graph, inputs));
        if (made.size() != outs.size()) {
            return fail(ErrorCode::InvalidArgument, "the outputs of a graph do not match the node's");
        }
        for (std::size_t i = 0; i < outs.size(); ++i) {
            into.callFunction("aten::copy_", {outs[i], made[i], false}, outs[i]);
        }
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

/// map(graph, tensors, others): runs the graph on each row of the tensors. Resets the counter to 0 at the
/// end, since values persist between runs.
Result<> Emission::addMap(const Node& node) {
    if (node.inputs.size() != 3) {
        return fail(ErrorCode::InvalidArgument, "expected a graph, tensors to map over and others");
    }
    ET_ASSIGN(const auto along, listed(node.inputs[1]));
    ET_ASSIGN(const auto others, listed(node.inputs[2]));
    ET_ASSIGN(const auto outs, results(node, true));
    const auto names = *std::get_if<OptionalRefs>(&node.inputs[1].value);
    if (along.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to map over");
    }
    const ValueId count = into.integer(0);
    const ValueId row = into.integer(0);
    const ValueId isLast = into.boolean(false);
    into.callFunction("aten::sym_size.int", {along.front(), 0}, count);
    const InstructionId begin = into.nextInstruction();
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < along.size(); ++i) {
        ET_ASSIGN(builder::TensorSpec spec, specOf(method.graph(), names[i]->name));
        if (spec.sizes.empty()) {
            return fail(ErrorCode::InvalidArgument, "a tensor without dimensions has no rows");
        }
        spec.sizes.erase(spec.sizes.begin());
        spec.dimOrder.clear();
        inputs.push_back(into.intermediate(spec));
        into.call("aten::select_copy.int_out", {along[i], 0, row}, {inputs.back()});
    }
    inputs.insert(inputs.end(), others.begin(), others.end());
    ET_ASSIGN(const auto made, addSubgraph(node.inputs[0], inputs));
    if (made.size() != outs.size()) {
        return fail(ErrorCode::InvalidArgument, "the outputs of its graph do not match the node's");
    }
    for (std::size_t i = 0; i < outs.size(); ++i) {
        // Three arguments; the last one is not a result.
        into.callFunction("executorch_prim::et_copy_index.tensor", {outs[i], made[i]}, row);
    }
    into.callFunction("executorch_prim::add.Scalar", {row, 1}, row);
    into.callFunction("executorch_prim::eq.Scalar", {row, count}, isLast);
    into.setDestination(into.jumpFalse(isLast), begin);
    into.callFunction("executorch_prim::sub.Scalar", {row, row}, row);
    return {};
}

}  // namespace et::backends::lowering
