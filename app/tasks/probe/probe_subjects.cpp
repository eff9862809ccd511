#include "app/tasks/probe/probe_subjects.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/lab/site_report.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "backends/lowering/edge_method.h"
#include "backends/lowering/node_names.h"
#include "backends/reference/interpreter.h"
#include "inspector/delegates/delegates.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::NodeIndex;
using inspector::NodeRole;

/// Numbers above this are sizes rather than properties of an operator.
constexpr std::int64_t largestProperty = 16;
constexpr std::string_view xnnpackName = "XnnpackBackend";

std::string numberText(std::int64_t number) {
    return number > largestProperty ? "n" : fmt::format("{}", number);
}

/// A number, or a list of numbers, that are not sizes; empty for other arguments.
std::string propertyText(const etrecord::Argument& argument) {
    if (const auto* const whole = std::get_if<std::int64_t>(&argument.value)) {
        return numberText(*whole);
    }
    if (const auto* const real = std::get_if<double>(&argument.value)) {
        return fmt::format("{}", *real);
    }
    if (const auto* const truth = std::get_if<bool>(&argument.value)) {
        return *truth ? "true" : "false";
    }
    std::string text;
    if (const auto* const list = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
        for (const etrecord::SymInt& number : *list) {
            text += numberText(number.value) + ",";
        }
    }
    return text;
}

/// Operators, properties, dtypes, ranks, and sizes of kernels.
std::string kindOf(const ProbeGraph& probe) {
    std::string text;
    for (const etrecord::Node& node : probe.graph.nodes) {
        text += node.op;
        for (const etrecord::Argument& argument : node.inputs) {
            text += " " + argument.name + propertyText(argument);
        }
        text += ";";
    }
    for (const etrecord::InputSpec& spec : probe.graph.inputSpecs) {
        const auto meta = probe.graph.tensors.find(spec.value);
        if (meta == probe.graph.tensors.end()) {
            continue;
        }
        text += fmt::format(" {}:{}", meta->second.scalarType, meta->second.sizes.size());
        for (std::size_t d = 2; !inspector::isUserInput(spec) && d < meta->second.sizes.size(); ++d) {
            text += fmt::format("x{}", meta->second.sizes[d].value);
        }
    }
    return text;
}

/// Renames values by their order, so that equal operators have equal arguments.
class ValueNumbers {
  public:
    explicit ValueNumbers(const ProbeGraph& numbered) : probe(numbered) {}

    std::string text() {
        std::string all;
        for (const etrecord::Node& node : probe.graph.nodes) {
            all += node.op;
            for (const etrecord::Argument& argument : node.inputs) {
                all += fmt::format(" {}={}", argument.name, valueText(argument));
            }
            all += ";";
        }
        return all;
    }

  private:
    std::string valueText(const etrecord::Argument& argument) {
        if (const auto* const list = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
            std::string text;
            for (const etrecord::SymInt& number : *list) {
                text += fmt::format("{},", number.value);
            }
            return text;
        }
        if (const auto* const whole = std::get_if<std::int64_t>(&argument.value)) {
            return fmt::format("{}", *whole);
        }
        std::string text = propertyText(argument);
        for (const std::string_view name : inspector::valueNames(argument)) {
            const auto [number, isNew] = numbers.try_emplace(name, numbers.size());
            text += fmt::format("%{}", number->second);
            const auto meta = probe.graph.tensors.find(name);
            if (isNew && meta != probe.graph.tensors.end()) {
                text += fmt::format(":{}", meta->second.scalarType);
                for (const etrecord::SymInt& size : meta->second.sizes) {
                    text += fmt::format("x{}", size.value);
                }
            }
        }
        return text;
    }

    const ProbeGraph& probe;
    std::map<std::string_view, std::size_t> numbers;
};

/// Nodes of a delegate call, in graph order.
struct DelegateNodes {
    std::size_t delegate = 0;
    std::vector<NodeIndex> nodes;
};

class SubjectCollector {
  public:
    explicit SubjectCollector(const ProbeChoice& chosen) : choice(chosen) {}

    Result<ProbeSubjects> run() {
        ET_TRY(open());
        const inspector::GraphWalk walk(*graph);
        ET_ASSIGN(const std::vector<DelegateNodes> calls, delegateNodes());
        ET_ASSIGN(const inspector::GraphValues values, runWhole());
        ET_ASSIGN(auto method, backends::lowering::EdgeMethod::open(*record, methodName));
        backends::lowering::NodeNames only(choice.only);
        std::set<NodeIndex> added;
        for (const DelegateNodes& call : calls) {
            for (const NodeIndex index : call.nodes) {
                const etrecord::Node& node = walk.node(index);
                if (inspector::roleOf(node) == NodeRole::Compute && !walk.isConstant(index) &&
                    (only.has(node) || only.empty()) && added.insert(index).second) {
                    addOperator(node, makeProbeGraph(walk, std::array{index}, values, method));
                }
            }
            if (!found.device.empty() && choice.only.empty()) {
                addCall(call, makeProbeGraph(walk, call.nodes, values, method));
            }
        }
        ET_TRY(only.requireAll());
        ET_TRY(InterruptionGuard::check());
        if (found.subjects.empty()) {
            return fail(ErrorCode::NotFound,
                        found.omitted.empty()
                            ? std::string("there is no operator to probe")
                            : fmt::format("there is no operator to probe: {}", found.omitted[0]),
                        {.file = choice.record.string(), .field = {}, .offset = {}});
        }
        return std::move(found);
    }

  private:
    Result<> open() {
        ET_ASSIGN(model, Model::prepare(choice.model, choice.options));
        ET_ASSIGN(record, openRecord(choice.record));
        if (record == nullptr) {
            return fail(ErrorCode::InvalidArgument, "expected an ETRecord");
        }
        ET_ASSIGN(const program::Method* const method, chooseMethod(*model->program, choice.options.method));
        methodName = method->name;
        graph = record->edgeGraph(methodName);
        if (graph == nullptr) {
            return fail(ErrorCode::NotFound,
                        fmt::format("it has no Edge graph of method {}", core::printable(methodName)),
                        {.file = choice.record.string(), .field = {}, .offset = {}});
        }
        return {};
    }

    /// All nodes, if there are no delegates.
    Result<std::vector<DelegateNodes>> delegateNodes() {
        ET_ASSIGN(const auto report, inspector::delegatesOf({.program = *model->program,
                                                             .tensorData = model->tensorData,
                                                             .record = record.get(),
                                                             .method = methodName}));
        std::vector<DelegateNodes> calls;
        std::size_t count = 0;
        for (const inspector::MethodDelegates& method : report.methods) {
            count += method.delegates.size();
            for (std::size_t i = 0; i < method.delegates.size(); ++i) {
                if (!choice.delegate || *choice.delegate == i) {
                    addCalls(method.delegates[i], i, calls);
                }
            }
        }
        if (choice.delegate && *choice.delegate >= count) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--delegate {}: the method has {} delegates", *choice.delegate, count));
        }
        if (count == 0) {
            DelegateNodes all;
            for (NodeIndex i = 0; i < graph->nodes.size(); ++i) {
                all.nodes.push_back(i);
            }
            calls.push_back(std::move(all));
        } else if (std::ranges::all_of(calls, [](const DelegateNodes& call) { return call.nodes.empty(); })) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected the ETRecord of {}, got one without any node of its delegates",
                                    choice.model.string()),
                        {.file = choice.record.string(), .field = {}, .offset = {}});
        }
        found.backend = found.device == xnnpackName ? LowerBackend::Xnnpack : LowerBackend::None;
        return calls;
    }

    void addCalls(const inspector::DelegateReport& delegate, std::size_t index,
                  std::vector<DelegateNodes>& calls) {
        found.device = found.device.empty() ? std::string(delegate.delegate->backend) : found.device;
        for (const inspector::DelegateCallSite& call : delegate.calls) {
            DelegateNodes nodes{.delegate = index, .nodes = {}};
            for (NodeIndex i = 0; i < graph->nodes.size(); ++i) {
                if (std::ranges::contains(call.nodes, &graph->nodes[i])) {
                    nodes.nodes.push_back(i);
                }
            }
            calls.push_back(std::move(nodes));
        }
    }

    Result<inspector::GraphValues> runWhole() {
        ET_ASSIGN(const GapInputSet inputs, inputSet());
        const kernels::ThreadPool threads{std::max<std::size_t>(choice.options.threads, 1)};
        ET_ASSIGN(const auto interpreter,
                  backends::reference::Interpreter::edge(*record, methodName,
                                                         {.kernels = kernels::builtin(),
                                                          .threads = threads,
                                                          .cancel = &InterruptionGuard::requested()}));
        return inspector::runGraph(*interpreter, inputs.values);
    }

    Result<GapInputSet> inputSet() {
        auto usual = usualGapInputSet(
            {.record = *record, .method = methodName, .model = model.get(), .options = choice.options});
        if (usual || usual.error().code != ErrorCode::NotFound) {
            return usual;
        }
        ET_ASSIGN(const InputSet random, randomInputs(*model->program->findMethod(methodName),
                                                      choice.options.seed, model->limits.memoryBytes));
        return makeGapInputSet(random, "random");
    }

    void addOperator(const etrecord::Node& node, Result<ProbeGraph> made) {
        if (!made) {
            omit(node.op, made.error());
            return;
        }
        const auto [place, isNew] = known.try_emplace(ValueNumbers(*made).text(), found.subjects.size());
        if (!isNew) {
            found.subjects[place->second].nodes.push_back(node.name);
            return;
        }
        std::string kind = kindOf(*made);
        found.subjects.push_back({.name = node.op,
                                  .kind = std::move(kind),
                                  .nodes = {node.name},
                                  .isWhole = false,
                                  .graph = *std::move(made)});
    }

    void addCall(const DelegateNodes& call, Result<ProbeGraph> made) {
        std::string name = fmt::format("delegate {}", call.delegate);
        if (!made) {
            omit(name, made.error());
            return;
        }
        const bool isOne = std::ranges::count_if(made->graph.nodes, [](const etrecord::Node& node) {
                               return inspector::roleOf(node) == NodeRole::Compute;
                           }) == 1;
        if (!isOne && known.try_emplace(ValueNumbers(*made).text(), found.subjects.size()).second) {
            ProbeSubject subject{
                .name = name, .kind = name, .nodes = {}, .isWhole = true, .graph = *std::move(made)};
            for (const etrecord::Node& node : subject.graph.graph.nodes) {
                subject.nodes.push_back(node.name);
            }
            found.subjects.push_back(std::move(subject));
        }
    }

    void omit(const std::string& name, const core::Error& reason) {
        std::string text = fmt::format("{}: {}", core::printable(name), reason.message);
        if (!std::ranges::contains(found.omitted, text)) {
            found.omitted.push_back(std::move(text));
        }
    }

    const ProbeChoice& choice;
    std::unique_ptr<Model> model;
    std::shared_ptr<const etrecord::Record> record;
    std::string methodName;
    const etrecord::ExportedGraph* graph = nullptr;
    ProbeSubjects found;
    std::map<std::string, std::size_t> known;
};

}  // namespace

Result<ProbeSubjects> probeSubjects(const ProbeChoice& choice) {
    return SubjectCollector(choice).run();
}

}  // namespace et::tasks
