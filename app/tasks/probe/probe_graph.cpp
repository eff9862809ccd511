#include "app/tasks/probe/probe_graph.h"

#include "app/tasks/base/interruption.h"
#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using etrecord::NodeIndex;
using etrecord::SymInt;
using inspector::GraphValues;
using inspector::NodeRole;

/// Selects the nodes of a probe.
class ProbeNodes {
  public:
    explicit ProbeNodes(const inspector::GraphWalk& walked) : walk(walked) {}

    void add(NodeIndex index) {
        std::vector<NodeIndex> open{index};
        while (!open.empty()) {
            const NodeIndex each = open.back();
            open.pop_back();
            if (!taken.insert(each).second) {
                continue;
            }
            const bool isCompute = inspector::roleOf(walk.node(each)) == NodeRole::Compute;
            for (const std::string_view value : walk.inputsOf(each)) {
                const auto producer = walk.producerOf(value);
                if (producer &&
                    (walk.isConstant(*producer) ||
                     (isCompute && inspector::roleOf(walk.node(*producer)) == NodeRole::Dequantize))) {
                    open.push_back(*producer);
                }
            }
        }
        addQuantizers(index);
    }

    [[nodiscard]] inspector::GraphPart part() const {
        inspector::GraphPart part{.nodes = {taken.begin(), taken.end()}, .inputs = {}, .outputs = {}};
        std::set<std::string_view> stored;
        for (const etrecord::InputSpec& spec : walk.graph().inputSpecs) {
            if (!inspector::isUserInput(spec)) {
                stored.insert(spec.value);
            }
        }
        for (const NodeIndex index : part.nodes) {
            for (const std::string_view value : walk.inputsOf(index)) {
                const auto producer = walk.producerOf(value);
                const bool isOutside = producer ? !taken.contains(*producer) : !stored.contains(value);
                if (isOutside && walk.graph().tensors.contains(value) &&
                    !std::ranges::contains(part.inputs, value)) {
                    part.inputs.push_back(value);
                }
            }
            for (const std::string_view value : walk.resultsOf(index)) {
                const bool isRead = walk.isGraphOutput(value) || walk.consumersOf(value).empty() ||
                                    std::ranges::any_of(walk.consumersOf(value), [&](NodeIndex reader) {
                                        return !taken.contains(reader);
                                    });
                if (isRead && !walk.isConstant(index)) {
                    part.outputs.push_back(value);
                }
            }
        }
        return part;
    }

  private:
    /// Adds the quantizers of a result that only they read.
    void addQuantizers(NodeIndex index) {
        for (const std::string_view value : walk.resultsOf(index)) {
            const auto readers = walk.consumersOf(value);
            if (!walk.isGraphOutput(value) && !readers.empty() &&
                std::ranges::all_of(readers, [&](NodeIndex reader) {
                    return inspector::roleOf(walk.node(reader)) == NodeRole::Quantize;
                })) {
                taken.insert(readers.begin(), readers.end());
            }
        }
    }

    const inspector::GraphWalk& walk;
    std::set<NodeIndex> taken;
};

/// Replaces a symbolic number with its value in the run.
void setNumber(SymInt& number, const GraphValues& values) {
    const auto found = number.expression.empty() ? values.end() : values.find(number.expression);
    const auto* const observed = found == values.end() ? nullptr : found->second.as<std::int64_t>();
    number.value = observed == nullptr ? number.value : *observed;
    number.expression.clear();
}

/// Replaces the symbolic numbers of a node with their values in the run.
Result<> makeStatic(Node& node, const GraphValues& values) {
    for (Argument& argument : node.inputs) {
        if (std::holds_alternative<std::shared_ptr<const etrecord::GraphRef>>(argument.value)) {
            return core::fail(ErrorCode::Unsupported,
                              fmt::format("{} is control flow", core::printable(node.name)));
        }
        if (auto* const numbers = std::get_if<std::vector<SymInt>>(&argument.value)) {
            for (SymInt& number : *numbers) {
                setNumber(number, values);
            }
        }
        const auto* const reference = std::get_if<etrecord::ValueRef>(&argument.value);
        if (reference == nullptr || !argument.kind.starts_with("as_sym_")) {
            continue;
        }
        const auto found = values.find(reference->name);
        if (found == values.end()) {
            return core::fail(
                ErrorCode::Unsupported,
                fmt::format("{} reads a number that the run did not compute", core::printable(node.name)));
        }
        if (const auto* const whole = found->second.as<std::int64_t>()) {
            argument.kind = "as_int";
            argument.value = *whole;
        } else if (const auto* const real = found->second.as<double>()) {
            argument.kind = "as_float";
            argument.value = *real;
        } else if (const auto* const truth = found->second.as<bool>()) {
            argument.kind = "as_bool";
            argument.value = *truth;
        }
    }
    return {};
}

void setSizes(etrecord::TensorMeta& meta, const core::Tensor& tensor) {
    meta.sizes.clear();
    meta.strides.clear();
    meta.storageOffset = {};
    for (std::size_t d = 0; d < tensor.dim(); ++d) {
        meta.sizes.push_back({.value = tensor.sizes()[d], .expression = {}});
        meta.strides.push_back({.value = tensor.strides()[d], .expression = {}});
    }
}

/// Collects the given values, row-major.
Result<> collectGiven(ProbeGraph& probe, const GraphValues& values, backends::lowering::EdgeMethod& method) {
    for (const etrecord::InputSpec& spec : probe.graph.inputSpecs) {
        if (!inspector::isUserInput(spec)) {
            ET_ASSIGN(ReferenceTensor stored, method.tensor(spec.value));
            probe.given.insert_or_assign(spec.value, ReferenceValue{std::move(stored)});
            continue;
        }
        const ReferenceTensor* const tensor = inspector::tensorIn(values, spec.value);
        if (tensor == nullptr) {
            return core::fail(ErrorCode::Unsupported,
                              fmt::format("{} is not a tensor", core::printable(spec.value)));
        }
        ET_ASSIGN(ReferenceTensor copy, inspector::rowMajorCopy(tensor->view));
        probe.given.insert_or_assign(spec.value, ReferenceValue{std::move(copy)});
    }
    return {};
}

}  // namespace

Result<ProbeGraph> makeProbeGraph(const inspector::GraphWalk& walk, std::span<const NodeIndex> nodes,
                                  const GraphValues& values, backends::lowering::EdgeMethod& method) {
    ProbeNodes chosen(walk);
    for (const NodeIndex index : nodes) {
        if (!inspector::isDetermined(walk.node(index))) {
            return core::fail(ErrorCode::Unsupported, "its results are not determined");
        }
        chosen.add(index);
    }
    ProbeGraph probe{.graph = inspector::graphOf(walk, chosen.part()), .given = {}, .computed = {}};
    for (const etrecord::OutputSpec& spec : probe.graph.outputSpecs) {
        if (spec.kind != "user_output") {
            return core::fail(ErrorCode::Unsupported, "it changes state");
        }
    }
    for (Node& node : probe.graph.nodes) {
        ET_TRY(makeStatic(node, values));
    }
    probe.graph.rangeConstraints.clear();
    probe.graph.symInts.clear();
    probe.graph.symFloats.clear();
    probe.graph.symBools.clear();
    ET_TRY(collectGiven(probe, values, method));
    if (inputNames(probe).empty() || outputNames(probe).empty()) {
        return core::fail(ErrorCode::Unsupported, "it has no inputs or no outputs");
    }
    ET_TRY(computeProbe(probe));
    return probe;
}

Result<> computeProbe(ProbeGraph& probe) {
    const kernels::ThreadPool threads{1};
    ET_ASSIGN(const auto interpreter,
              Interpreter::of(probe.graph, {.kernels = kernels::builtin(),
                                            .threads = threads,
                                            .cancel = &InterruptionGuard::requested()}));
    std::vector<std::string> wanted;
    for (const Node& node : probe.graph.nodes) {
        for (const std::string_view name : inspector::valueNames(node.outputs)) {
            wanted.emplace_back(name);
        }
    }
    ET_ASSIGN(probe.computed, interpreter->evaluate(wanted, probe.given));
    for (auto& [name, meta] : probe.graph.tensors) {
        const ReferenceTensor* tensor = inspector::tensorIn(probe.given, name);
        tensor = tensor == nullptr ? inspector::tensorIn(probe.computed, name) : tensor;
        if (tensor != nullptr) {
            setSizes(meta, tensor->view);
        }
    }
    return {};
}

std::vector<std::string> inputNames(const ProbeGraph& probe) {
    std::vector<std::string> names;
    for (const etrecord::InputSpec& spec : probe.graph.inputSpecs) {
        if (inspector::isUserInput(spec)) {
            names.push_back(spec.value);
        }
    }
    return names;
}

std::vector<std::string> outputNames(const ProbeGraph& probe) {
    std::vector<std::string> names;
    for (const etrecord::OutputSpec& spec : probe.graph.outputSpecs) {
        names.push_back(spec.value);
    }
    return names;
}

std::int64_t elementsOf(const ProbeGraph& probe) {
    std::int64_t total = 0;
    for (const GraphValues* const values : {&probe.given, &probe.computed}) {
        for (const auto& [name, value] : *values) {
            const auto* const tensor = value.as<ReferenceTensor>();
            total += tensor == nullptr ? 0 : tensor->view.numel();
        }
    }
    return total;
}

}  // namespace et::tasks
