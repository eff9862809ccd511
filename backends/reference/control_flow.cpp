#include "backends/reference/control_flow.h"

#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

// Operators with graph arguments: https://docs.pytorch.org/docs/stable/higher_order_ops/index.html
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using List = ReferenceValue::List;
using Values = std::vector<ReferenceValue>;

Result<const Plan*> planAt(const ControlCall& call, std::size_t index) {
    const auto* plan = index < call.step.operands.size()
                           ? std::get_if<std::shared_ptr<const Plan>>(&call.step.operands[index].content)
                           : nullptr;
    if (plan == nullptr) {
        return fail(ErrorCode::InvalidArgument, fmt::format("expected a subgraph as argument {}", index));
    }
    return plan->get();
}

Result<ReferenceValue> valueAt(const ControlCall& call, std::size_t index) {
    if (index >= call.step.operands.size()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("its argument {} is missing", index));
    }
    return call.runner.value(call.step.operands[index], call.frame);
}

/// A list; empty if the argument is missing.
Result<List> listAt(const ControlCall& call, std::size_t index) {
    if (index >= call.step.operands.size()) {
        return List{};
    }
    ET_ASSIGN(ReferenceValue value, valueAt(call, index));
    if (auto* list = std::get_if<List>(&value.content)) {
        return std::move(*list);
    }
    return List{std::move(value)};
}

/// Results of subgraphs in the form the node expects: one list, or one value each.
Result<Values> arranged(const ControlCall& call, List flat) {
    Values results;
    std::size_t at = 0;
    for (const StepResult& result : call.step.results) {
        const bool isList = result.kind.kind == ResultKind::Kind::Tensors;
        const std::size_t count = isList ? result.slots.size() : 1;
        if (flat.size() - at < count) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("its subgraph returns {} values", flat.size()));
        }
        const auto first = flat.begin() + static_cast<std::ptrdiff_t>(at);
        results.push_back(isList ? ReferenceValue{List(first, first + static_cast<std::ptrdiff_t>(count))}
                                 : *first);
        at += count;
    }
    return results;
}

Result<bool> truthOf(Runner& runner, const ReferenceValue& value) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr) {
        const auto scalar = scalarOf(value);
        if (!scalar) {
            return fail(ErrorCode::InvalidArgument, "expected a condition, got " + kindOf(value));
        }
        return scalar->to<bool>();
    }
    const ResultKind number{.kind = ResultKind::Kind::Number, .dtypes = {}};
    ET_ASSIGN(const Values item,
              runner.operators().several("aten._local_scalar_dense.default", {&value, 1}, {&number, 1}));
    const auto scalar = scalarOf(item.front());
    return scalar && scalar->to<bool>();
}

Result<Values> runCond(const ControlCall& call) {
    ET_ASSIGN(const ReferenceValue condition, valueAt(call, 0));
    ET_ASSIGN(const bool truth, truthOf(call.runner, condition));
    ET_ASSIGN(const Plan* branch, planAt(call, truth ? 1 : 2));
    ET_ASSIGN(const List inputs, listAt(call, 3));
    ET_ASSIGN(List outputs, call.runner.runSubgraph(*branch, inputs));
    return arranged(call, std::move(outputs));
}

Result<ReferenceValue> rowOf(Runner& runner, const ReferenceValue& value, std::int64_t row) {
    const auto* tensor = value.as<ReferenceTensor>();
    if (tensor == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to map over, got " + kindOf(value));
    }
    ET_ASSIGN(auto made, runner.operators().tensor("aten.select_copy.int", {value, {std::int64_t{0}}, {row}},
                                                   tensor->view.dtype()));
    return ReferenceValue{std::move(made)};
}

/// Number of rows that all `tensors` have.
Result<std::int64_t> rowsOf(const List& tensors) {
    const auto* first = tensors.empty() ? nullptr : tensors.front().as<ReferenceTensor>();
    if (first == nullptr || first->view.dim() == 0 || first->view.size(0) == 0) {
        return fail(ErrorCode::Unsupported, "expected tensors with at least one row to map over");
    }
    return first->view.size(0);
}

Result<ReferenceValue> stacked(Runner& runner, List rows) {
    const auto* first = rows.front().as<ReferenceTensor>();
    if (first == nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    "expected a tensor for each row, got " + kindOf(rows.front()));
    }
    const core::ScalarType dtype = first->view.dtype();
    ET_ASSIGN(auto made, runner.operators().tensor("aten.stack.default", {{std::move(rows)}}, dtype));
    return ReferenceValue{std::move(made)};
}

/// Runs `step` on each row of `along` and stacks the results.
Result<List> walkRows(Runner& runner, const List& along, const std::function<Result<List>(List)>& step) {
    ET_ASSIGN(const std::int64_t rows, rowsOf(along));
    std::vector<List> columns;
    for (std::int64_t row = 0; row < rows; ++row) {
        List inputs;
        for (const ReferenceValue& tensor : along) {
            ET_ASSIGN(ReferenceValue part, rowOf(runner, tensor, row));
            inputs.push_back(std::move(part));
        }
        ET_ASSIGN(List made, step(std::move(inputs)));
        columns.resize(row == 0 ? made.size() : columns.size());
        if (made.size() != columns.size()) {
            return fail(ErrorCode::InvalidArgument,
                        "its subgraph returns a different number of values each time");
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            columns[i].push_back(std::move(made[i]));
        }
    }
    List results;
    for (List& column : columns) {
        ET_ASSIGN(ReferenceValue whole, stacked(runner, std::move(column)));
        results.push_back(std::move(whole));
    }
    return results;
}

void append(List& to, const List& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Result<Values> runMap(const ControlCall& call) {
    ET_ASSIGN(const Plan* body, planAt(call, 0));
    ET_ASSIGN(const List along, listAt(call, 1));
    ET_ASSIGN(const List others, listAt(call, 2));
    ET_ASSIGN(List results, walkRows(call.runner, along, [&](List inputs) -> Result<List> {
                  append(inputs, others);
                  return call.runner.runSubgraph(*body, inputs);
              }));
    return arranged(call, std::move(results));
}

Result<Values> runScan(const ControlCall& call) {
    ET_ASSIGN(const Plan* body, planAt(call, 0));
    ET_ASSIGN(List carried, listAt(call, 1));
    ET_ASSIGN(const List along, listAt(call, 2));
    ET_ASSIGN(const List others, listAt(call, 3));
    const auto count = static_cast<std::ptrdiff_t>(carried.size());
    ET_ASSIGN(const List rows, walkRows(call.runner, along, [&](List inputs) -> Result<List> {
                  List all = carried;
                  append(all, inputs);
                  append(all, others);
                  ET_ASSIGN(List made, call.runner.runSubgraph(*body, all));
                  if (made.size() < carried.size()) {
                      return fail(ErrorCode::InvalidArgument,
                                  "its subgraph does not return the carried values");
                  }
                  std::ranges::move(made.begin(), made.begin() + count, carried.begin());
                  return List(made.begin() + count, made.end());
              }));
    append(carried, rows);
    return arranged(call, std::move(carried));
}

Result<Values> runWhile(const ControlCall& call) {
    ET_ASSIGN(const Plan* condition, planAt(call, 0));
    ET_ASSIGN(const Plan* body, planAt(call, 1));
    ET_ASSIGN(List carried, listAt(call, 2));
    ET_ASSIGN(const List others, listAt(call, 3));
    while (true) {
        List inputs = carried;
        append(inputs, others);
        ET_ASSIGN(const List answer, call.runner.runSubgraph(*condition, inputs));
        ET_ASSIGN(const bool goesOn,
                  truthOf(call.runner, answer.empty() ? ReferenceValue{} : answer.front()));
        if (!goesOn) {
            return arranged(call, std::move(carried));
        }
        ET_ASSIGN(carried, call.runner.runSubgraph(*body, inputs));
    }
}

/// (flag, graph, inputs …): runs a graph under a setting that has no effect here.
Result<Values> runWrapped(const ControlCall& call) {
    const auto found = std::ranges::find_if(call.step.operands, [](const Operand& operand) {
        return std::holds_alternative<std::shared_ptr<const Plan>>(operand.content);
    });
    const auto at = static_cast<std::size_t>(found - call.step.operands.begin());
    ET_ASSIGN(const Plan* body, planAt(call, at));
    List inputs;
    for (std::size_t i = at + 1; i < call.step.operands.size(); ++i) {
        ET_ASSIGN(ReferenceValue value, valueAt(call, i));
        inputs.push_back(std::move(value));
    }
    ET_ASSIGN(List outputs, call.runner.runSubgraph(*body, inputs));
    return arranged(call, std::move(outputs));
}

/// (lowered module, inputs …): runs the operators that the backend took. Tensors of the module are not in the
/// graph.
Result<Values> runLoweredModule(const ControlCall& call) {
    ET_ASSIGN(const Plan* body, planAt(call, 0));
    List inputs;
    std::size_t next = 1;
    for (const auto& own : body->ownInputs) {
        const auto* tensor = own ? own->as<ReferenceTensor>() : nullptr;
        if (tensor == nullptr) {
            ET_ASSIGN(ReferenceValue value, valueAt(call, next++));
            inputs.push_back(std::move(value));
            continue;
        }
        Calls& calls = call.runner.operators();
        ET_ASSIGN(auto computed, calls.converted(*tensor, calls.computedType(tensor->view.dtype())));
        computed.view.setConstant(true);
        inputs.push_back({std::move(computed)});
    }
    ET_ASSIGN(List outputs, call.runner.runSubgraph(*body, inputs));
    return arranged(call, std::move(outputs));
}

/// An argument of the node, by name.
Result<ReferenceValue> argumentNamed(const ControlCall& call, std::string_view name) {
    const auto& inputs = call.frame.plan->graph->nodes[call.step.node].inputs;
    const auto found = std::ranges::find(inputs, name, &etrecord::Argument::name);
    if (found == inputs.end()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("its argument \"{}\" is missing", name));
    }
    return valueAt(call, static_cast<std::size_t>(found - inputs.begin()));
}

/// An operator that writes rows to a cache, from position `start_pos`.
struct CacheUpdate {
    std::string_view target;
    std::string_view rows;  ///< argument with the rows
    std::int64_t axis = 0;  ///< of the positions
};
constexpr std::array cacheUpdates{CacheUpdate{"llama.update_cache.default", "value", 1},
                                  CacheUpdate{"mlx.kv_cache_update.default", "new_values", 2}};

const CacheUpdate* findCacheUpdate(std::string_view target) {
    const auto* found = std::ranges::find(cacheUpdates, plainTarget(target), &CacheUpdate::target);
    return found == cacheUpdates.end() ? nullptr : found;
}

/// Positions after which an update continues at the first one; 0: it does not.
Result<std::int64_t> ringSize(const ControlCall& call) {
    constexpr std::string_view name = "ring_size";
    const auto& inputs = call.frame.plan->graph->nodes[call.step.node].inputs;
    if (!std::ranges::contains(inputs, name, &etrecord::Argument::name)) {
        return 0;
    }
    ET_ASSIGN(const ReferenceValue ring, argumentNamed(call, name));
    return integerOf(ring);
}

/// Writes rows into a copy of a four-dimensional cache.
Result<ReferenceTensor> updatedCache(const ControlCall& call, const CacheUpdate& update,
                                     const ReferenceValue& cache) {
    ET_ASSIGN(const ReferenceTensor before, tensorOf(cache));
    ET_ASSIGN(const ReferenceValue value, argumentNamed(call, update.rows));
    ET_ASSIGN(const ReferenceTensor rows, tensorOf(value));
    ET_ASSIGN(const ReferenceValue position, argumentNamed(call, "start_pos"));
    ET_ASSIGN(std::int64_t start, integerOf(position));
    ET_ASSIGN(const std::int64_t ring, ringSize(call));
    const auto axis = static_cast<std::size_t>(update.axis);
    const bool isRing = ring > 0 && start >= 0;
    start = isRing ? start % ring : start;
    const bool fits = rows.view.dim() == 4 && before.view.dim() == 4 && start >= 0 &&
                      (isRing ? ring <= before.view.size(axis) && rows.view.size(axis) <= ring
                              : start <= before.view.size(axis) - rows.view.size(axis));
    if (!fits) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("cannot write {} at position {} of a cache of {}", core::describe(rows.view),
                                start, core::describe(before.view)));
    }
    Calls& calls = call.runner.operators();
    const std::int64_t count = rows.view.size(axis);
    const std::int64_t first = isRing ? std::min(count, ring - start) : count;
    const ReferenceValue along{update.axis};
    const auto part = [&](std::int64_t from, std::int64_t to) {
        return calls.tensor("aten.slice_copy.Tensor", {value, along, {from}, {to}, {std::int64_t{1}}},
                            rows.view.dtype());
    };
    const auto write = [&](const ReferenceValue& into, const ReferenceValue& from, std::int64_t at,
                           std::int64_t length) {
        return calls.tensor("aten.slice_scatter.default", {into, from, along, {at}, {at + length}},
                            before.view.dtype());
    };
    if (first == count) {
        return write(cache, value, start, count);
    }
    ET_ASSIGN(auto head, part(0, first));
    ET_ASSIGN(auto tail, part(first, count));
    ET_ASSIGN(auto written, write(cache, {std::move(head)}, start, first));
    return write({std::move(written)}, {std::move(tail)}, 0, count - first);
}

/// Writes to its argument `cache`; the result only orders the graph.
Result<Values> runUpdateCache(const ControlCall& call) {
    ET_ASSIGN(const ReferenceValue cache, argumentNamed(call, "cache"));
    const CacheUpdate* const update = findCacheUpdate(call.frame.plan->graph->nodes[call.step.node].target);
    ET_ASSIGN(auto updated, updatedCache(call, *update, cache));
    const auto& inputs = call.frame.plan->graph->nodes[call.step.node].inputs;
    const auto at = static_cast<std::size_t>(std::ranges::find(inputs, "cache", &etrecord::Argument::name) -
                                             inputs.begin());
    const auto* slot = std::get_if<Slot>(&call.step.operands[at].content);
    if (slot == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a tensor to write to");
    }
    ET_TRY(call.runner.write(*slot, updated, call.frame));
    return Values(call.step.results.size(), ReferenceValue{std::move(updated)});
}

/// Functional form of an operator that writes to an argument: receives copies of the written tensors
/// (`_all_bases`), and returns its own results, then the updated bases.
Result<Values> runFunctionalized(const ControlCall& call) {
    ET_ASSIGN(const ReferenceValue op, valueAt(call, 0));
    const auto* target = op.as<std::string>();
    const CacheUpdate* const update = target == nullptr ? nullptr : findCacheUpdate(*target);
    if (update == nullptr) {
        return fail(ErrorCode::Unsupported, fmt::format("an operator other than {} and {}",
                                                        cacheUpdates[0].target, cacheUpdates[1].target));
    }
    ET_ASSIGN(const ReferenceValue basesValue, argumentNamed(call, "_all_bases"));
    ET_ASSIGN(const ReferenceValue indexValue, argumentNamed(call, "_cache_base_index"));
    ET_ASSIGN(const std::int64_t index, integerOf(indexValue));
    const auto* bases = basesValue.as<List>();
    if (bases == nullptr || index < 0 || std::cmp_greater_equal(index, bases->size()) ||
        call.step.results.size() != bases->size() + 1) {
        return fail(ErrorCode::InvalidArgument, "expected the tensors that it writes to");
    }
    ET_ASSIGN(auto updated, updatedCache(call, *update, (*bases)[static_cast<std::size_t>(index)]));
    Values results{{updated}};
    results.insert(results.end(), bases->begin(), bases->end());
    results[static_cast<std::size_t>(index) + 1] = {std::move(updated)};
    return results;
}

constexpr std::array controls{
    ControlOperator{"higher_order.cond", runCond},
    ControlOperator{"higher_order.map_impl", runMap},
    ControlOperator{"higher_order.scan", runScan},
    ControlOperator{"higher_order.while_loop", runWhile},
    ControlOperator{"higher_order.wrap_with_set_grad_enabled", runWrapped},
    ControlOperator{"higher_order.wrap_with_autocast", runWrapped},
    ControlOperator{"higher_order.executorch_call_delegate", runLoweredModule, false, true},
    ControlOperator{"higher_order.auto_functionalized_v2", runFunctionalized},
    ControlOperator{cacheUpdates[0].target, runUpdateCache, true},
    ControlOperator{cacheUpdates[1].target, runUpdateCache, true},
};

}  // namespace

const ControlOperator* findControl(std::string_view target) {
    const auto* found = std::ranges::find(controls, plainTarget(target), &ControlOperator::name);
    return found == controls.end() ? nullptr : found;
}

}  // namespace et::backends::reference
