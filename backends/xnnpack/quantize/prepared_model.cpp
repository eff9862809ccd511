#include "backends/xnnpack/quantize/prepared_model.h"

#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/quantize/computed_weights.h"
#include "backends/xnnpack/quantize/lifted_numbers.h"
#include "backends/xnnpack/quantize/quantizer_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Node;
using lowering::EdgeMethod;
using reference::ReferenceTensor;
using reference::ReferenceValue;

namespace {

Result<> refuseQuantizers(const EdgeMethod& method) {
    for (const Node& node : method.graph().nodes) {
        if (quantizerKind(method, node) != QuantizerKind::None) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format(
                    "the graph is already quantized: node \"{}\" is {}; give the record of the float model",
                    core::printable(node.name), core::printable(node.op)));
        }
    }
    return {};
}

/// Passes values to the observers that watch them, and records their numbers.
class Watch {
  public:
    void add(std::string_view value, RangeObserver& observer, ValueNumbers& seen) {
        Watchers& of = watchers[value];
        of.observers.push_back(&observer);
        of.seen = &seen;
    }
    [[nodiscard]] bool isEmpty() const { return watchers.empty(); }
    [[nodiscard]] bool watches(std::string_view value) const { return watchers.contains(value); }

    void show(std::string_view name, const ReferenceValue& value) const {
        const auto found = watchers.find(name);
        const auto* tensor = value.as<ReferenceTensor>();
        if (found == watchers.end() || tensor == nullptr || tensor->view.dtype() != core::ScalarType::Float) {
            return;
        }
        const std::span numbers(tensor->view.data<float>(), static_cast<std::size_t>(tensor->view.numel()));
        found->second.seen->note(numbers);
        for (RangeObserver* observer : found->second.observers) {
            observer->observe(numbers);
        }
    }

  private:
    struct Watchers {
        std::vector<RangeObserver*> observers{};
        ValueNumbers* seen = nullptr;
    };
    std::unordered_map<std::string_view, Watchers> watchers;
};

/// Creates missing observers for all scales of the annotations, and connects them to their values.
Watch makeWatch(std::span<const Annotation> annotations, ObserverKind kind, unsigned draw,
                Observations& observations, std::map<std::string_view, ValueNumbers>& seen) {
    Watch watch;
    for (const Annotation& annotation : annotations) {
        for (const auto& values : annotation.scales) {
            const auto [place, isNew] = observations.try_emplace(values);
            if (isNew) {
                place->second = makeObserver(kind, draw);
                for (const std::string_view value : values) {
                    watch.add(value, *place->second, seen[value]);
                }
            }
        }
    }
    return watch;
}

}  // namespace

Result<std::unique_ptr<PreparedModel>> PreparedModel::make(const etrecord::Record& record,
                                                           std::string_view name) {
    std::unique_ptr<PreparedModel> made(new PreparedModel());
    ET_ASSIGN(EdgeMethod original, EdgeMethod::open(record, name));
    ET_TRY(refuseQuantizers(original));
    ET_ASSIGN(const auto stored, storeComputedWeights(original, record));
    const etrecord::Record& from = stored == nullptr ? record : *stored;
    ET_ASSIGN(EdgeMethod method, EdgeMethod::open(from, name));
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(method));
    ET_ASSIGN(made->norms, foldBatchNorms(method, draft));
    ET_TRY(liftNumbers(method, draft));
    ET_ASSIGN(made->folded, draft.record(from, name));
    ET_TRY(made->open(name));
    return made;
}

Result<> PreparedModel::open(std::string_view name) {
    ET_ASSIGN(EdgeMethod opened, EdgeMethod::open(*folded, name));
    edge = std::make_unique<EdgeMethod>(std::move(opened));
    exported = std::make_unique<ExportedOperators>(*edge);
    found = findSites(*edge, *exported);
    return {};
}

Result<std::unique_ptr<PreparedModel>> PreparedModel::changed(std::span<const ConstantChange> changes) {
    std::unique_ptr<PreparedModel> made(new PreparedModel());
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(*edge));
    changeConstants(*edge, *exported, changes, draft);
    made->norms = norms;
    ET_ASSIGN(made->folded, draft.record(*folded, edge->name()));
    ET_TRY(made->open(edge->name()));
    return made;
}

std::vector<std::string> PreparedModel::nodesOf(const QuantizationSite& site) const {
    std::vector<std::string> nodes;
    const auto add = [&](std::size_t op) {
        // Computing nodes come before those that transpose a weight or reshape an operand.
        std::vector<lowering::NodeIndex> ordered = (*exported)[op].nodes;
        std::ranges::stable_partition(ordered, [&](lowering::NodeIndex node) {
            return !std::ranges::contains(arrangementRows(), edge->node(node).op, &OperatorRow::op);
        });
        for (const lowering::NodeIndex node : ordered) {
            nodes.push_back(edge->node(node).name);
            if (const auto norm = norms.find(nodes.back()); norm != norms.end()) {
                nodes.push_back(norm->second.node);
            }
        }
    };
    add(site.op);
    if (site.relu) {
        add(*site.relu);
    }
    return nodes;
}

std::string PreparedModel::moduleOf(const ExportedOperator& op) const {
    for (const lowering::NodeIndex node : op.nodes) {
        if (const auto norm = norms.find(edge->node(node).name); norm != norms.end()) {
            return norm->second.module;
        }
    }
    const auto& modules = edge->node(op.nodes.front()).moduleStack;
    return modules.empty() ? std::string() : modules.back().fqn;
}

Result<> PreparedModel::calibrate(std::span<const Case> cases, std::span<const Annotation> annotations,
                                  ObserverKind kind, const reference::InterpreterOptions& options,
                                  Observations& observations, unsigned draw) {
    const Watch watch = makeWatch(annotations, kind, draw, observations, seenNumbers);
    if (watch.isEmpty()) {
        return {};
    }
    ET_ASSIGN(const auto interpreter, reference::Interpreter::edge(*folded, edge->name(), options));
    const auto observe = [&](const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                             std::span<const ReferenceValue> outputs) -> Result<> {
        if (!reference::isSubgraph(graph)) {
            reference::forResults(
                graph.nodes[node], outputs,
                [&](const std::string& name, const ReferenceValue& value) { watch.show(name, value); });
        }
        return {};
    };
    for (const Case& each : cases) {
        std::size_t index = 0;
        for (const etrecord::InputSpec& spec : edge->graph().inputSpecs) {
            if (lowering::isUserInput(spec)) {
                if (index < each.size()) {
                    watch.show(spec.value, each[index++]);
                }
            } else if (watch.watches(spec.value)) {
                ET_ASSIGN(ReferenceTensor tensor, edge->tensor(spec.value));
                watch.show(spec.value, ReferenceValue{std::move(tensor)});
            }
        }
        ET_TRY(interpreter->run(each, observe));
    }
    return {};
}

ValueNumbers PreparedModel::numbersSeen(std::string_view value) const {
    const auto place = seenNumbers.find(value);
    return place == seenNumbers.end() ? ValueNumbers() : place->second;
}

Result<std::vector<QuantizationNumbers>> PreparedModel::numbersOf(const Annotation& annotation,
                                                                  const Observations& observations) {
    std::vector<QuantizationNumbers> numbers;
    for (const auto& values : annotation.scales) {
        const auto observer = observations.find(values);
        const auto range = observer == observations.end() ? std::nullopt : observer->second->range();
        if (!range) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("the value \"{}\" held no finite number in any calibration case",
                                    core::printable(values.front())));
        }
        numbers.push_back(affineNumbers(*range, activationIntegers));
    }
    return numbers;
}

Result<std::shared_ptr<const etrecord::Record>> PreparedModel::quantized(
    const Annotation& annotation, std::span<const QuantizationNumbers> numbers,
    std::span<const ConstantChange> changes, OperatorRules* inFloat) {
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(*edge));
    changeConstants(*edge, *exported, changes, draft);
    ET_TRY(insertQuantizers(*edge, *exported, found, annotation, numbers, draft));
    ET_ASSIGN(auto record, draft.record(*folded, edge->name()));
    if (annotation.halves.empty() && !annotation.halfInDelegate) {
        return record;
    }
    ET_ASSIGN(auto made, halved(*record, edge->name(), halfWish(annotation)));
    if (inFloat != nullptr) {
        *inFloat = std::move(made.inFloat);
    }
    return std::move(made.record);
}

HalfRequest PreparedModel::halfWish(const Annotation& annotation) const {
    HalfRequest wish{.wanted = {}, .kept = {}, .elsewhere = annotation.halfInDelegate};
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto& names = std::ranges::contains(annotation.halves, i) ? wish.wanted : wish.kept;
        for (std::string& name : nodesOf(found[i])) {
            names.insert(std::move(name));
        }
    }
    return wish;
}

}  // namespace et::backends::xnnpack
