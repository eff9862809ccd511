#include "app/tasks/gap/twin_record.h"

#include "app/tasks/gap/graph_twins.h"
#include "app/tasks/gap/linked_record.h"
#include "backends/lowering/edge_method.h"
#include "backends/reference/node_values.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

using core::DebugHandle;
using core::ErrorCode;
using core::fail;
using core::InstructionId;
using core::Result;
using etrecord::ExportedGraph;
using etrecord::Node;
using KnownPairs = std::vector<std::pair<PairedGraph::Value, PairedGraph::Value>>;

/// A graph of a record for pairing, with the names of its values.
struct NamedGraph {
    PairedGraph graph;
    std::map<std::string, PairedGraph::Value, std::less<>> values;
    std::vector<const Node*> nodes;  ///< by operator

    std::optional<PairedGraph::Value> find(std::string_view name) const {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
};

PairedGraph::Shape shapeOf(const ExportedGraph& graph, std::string_view name) {
    const auto found = graph.tensors.find(name);
    if (found == graph.tensors.end()) {
        return {};
    }
    PairedGraph::Shape shape{.isTensor = true, .rank = found->second.sizes.size(), .elements = 1};
    for (const etrecord::SymInt& size : found->second.sizes) {
        shape.isDynamic = shape.isDynamic || !size.expression.empty();
        shape.elements *= std::clamp<std::int64_t>(size.value, 0, std::int64_t{1} << 20);
        shape.elements = std::min(shape.elements, std::int64_t{1} << 40);
    }
    return shape;
}

void addNumbers(const etrecord::Argument& argument, std::vector<double>& numbers) {
    if (const auto* whole = std::get_if<std::int64_t>(&argument.value)) {
        numbers.push_back(static_cast<double>(*whole));
    } else if (const auto* real = std::get_if<double>(&argument.value)) {
        numbers.push_back(*real);
    } else if (const auto* list = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
        std::ranges::transform(*list, std::back_inserter(numbers),
                               [](const etrecord::SymInt& item) { return static_cast<double>(item.value); });
    }
}

using ValueNames = std::map<std::string, PairedGraph::Value, std::less<>>;

constexpr std::size_t maxNesting = 32;

/// Adds the nodes of a graph and of its branches and loops, whose values are named separately.
void addNodes(const ExportedGraph& from, ValueNames& values, NamedGraph& to, std::size_t depth) {
    const auto valueOf = [&](const std::string& name) {
        const auto [place, isNew] = values.try_emplace(name, 0);
        if (isNew) {
            place->second = to.graph.add(shapeOf(from, name));
        }
        return place->second;
    };
    for (const Node& node : from.nodes) {
        PairedGraph::Operator op{.name = node.op};
        std::vector<const ExportedGraph*> bodies;
        for (const etrecord::Argument& input : node.inputs) {
            addNumbers(input, op.numbers);
            backends::reference::forNames(input, [&](const std::string& name) {
                if (!name.empty()) {
                    op.inputs.push_back(valueOf(name));
                }
            });
            const auto* body = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&input.value);
            if (body != nullptr && *body != nullptr && depth < maxNesting) {
                bodies.push_back(&(*body)->graph);
            }
        }
        for (const ExportedGraph* body : bodies) {
            // The last operands of control flow are the inputs of its graphs.
            const std::size_t count = std::min(body->inputs.size(), op.inputs.size());
            ValueNames inner;
            for (std::size_t i = 0; i < count; ++i) {
                inner.emplace(backends::lowering::valueName(&body->inputs[i]),
                              op.inputs[op.inputs.size() - count + i]);
            }
            addNodes(*body, inner, to, depth + 1);
        }
        for (const std::string& name : backends::reference::namesIn(node.outputs)) {
            op.outputs.push_back(valueOf(name));
        }
        to.graph.operators.push_back(std::move(op));
        to.nodes.push_back(&node);
    }
}

NamedGraph namedGraph(const ExportedGraph& from) {
    NamedGraph made;
    for (const etrecord::InputSpec& spec : from.inputSpecs) {
        made.values.emplace(spec.value, made.graph.add(shapeOf(from, spec.value)));
    }
    addNodes(from, made.values, made, 0);
    return made;
}

/// Pairs user inputs by position, and others by their qualified names.
KnownPairs knownPairs(const ExportedGraph& first, const NamedGraph& left, const ExportedGraph& second,
                      const NamedGraph& right) {
    KnownPairs known;
    const auto users = [](const ExportedGraph& graph) {
        std::vector<std::string> names;
        for (const etrecord::InputSpec& spec : graph.inputSpecs) {
            if (spec.kind == "user_input") {
                names.push_back(spec.value);
            }
        }
        return names;
    };
    const auto add = [&](std::string_view a, std::string_view b) {
        if (const auto x = left.find(a), y = right.find(b); x && y) {
            known.emplace_back(*x, *y);
        }
    };
    const auto own = users(first);
    const auto others = users(second);
    for (std::size_t i = 0; i < std::min(own.size(), others.size()); ++i) {
        add(own[i], others[i]);
    }
    for (const etrecord::InputSpec& spec : first.inputSpecs) {
        const auto twin = std::ranges::find(second.inputSpecs, spec.target, &etrecord::InputSpec::target);
        if (!spec.target.empty() && twin != second.inputSpecs.end()) {
            add(spec.value, twin->value);
        }
    }
    return known;
}

Result<> requireTwins(std::size_t pairs, std::size_t operators, std::string_view method) {
    constexpr std::size_t least = 3;  ///< one of so many operators
    return pairs * least >= std::max<std::size_t>(operators, 1) || operators == 0
               ? Result<>()
               : fail(ErrorCode::Mismatch,
                      fmt::format(
                          "method \"{}\": only {} of {} operators have a counterpart in the other file: "
                          "it is another model",
                          core::printable(method), pairs, operators));
}

/// The instruction's place in a method for pairing.
struct ProgramGraph {
    PairedGraph graph;
    std::vector<std::optional<InstructionId>> instructions;  ///< by operator; nothing for a view
};

PairedGraph::Shape shapeOf(const program::Value& value) {
    const auto* tensor = value.as<program::TensorInfo>();
    if (tensor == nullptr) {
        return {};
    }
    PairedGraph::Shape shape{.isTensor = true,
                             .isDynamic = tensor->dynamism != program::ShapeDynamism::Static,
                             .rank = tensor->sizes.size(),
                             .elements = 1};
    for (const std::int64_t size : tensor->sizes) {
        shape.elements = std::min(shape.elements * std::clamp<std::int64_t>(size, 0, std::int64_t{1} << 20),
                                  std::int64_t{1} << 40);
    }
    return shape;
}

void addArgument(const program::Method& method, program::ValueId id, PairedGraph::Operator& op) {
    const program::Value& value = method.value(id);
    if (const auto* whole = value.as<std::int64_t>()) {
        op.numbers.push_back(static_cast<double>(*whole));
    } else if (const auto* real = value.as<double>()) {
        op.numbers.push_back(*real);
    } else if (const auto* list = value.as<program::TensorList>()) {
        std::ranges::for_each(list->items, [&](program::ValueId item) { op.inputs.push_back(item.value); });
    } else if (const auto* some = value.as<program::OptionalTensorList>()) {
        for (const auto& item : some->items) {
            if (item) {
                op.inputs.push_back(item->value);
            }
        }
    } else if (const auto* numbers = value.as<program::IntList>()) {
        std::ranges::for_each(numbers->items, [&](program::ValueId item) { addArgument(method, item, op); });
    } else if (value.is<program::TensorInfo>()) {
        op.inputs.push_back(id.value);
    }
}

/// Results are the last argument: a tensor, or a list of tensors, which precede it.
PairedGraph::Operator operatorOf(const program::Method& method, const program::KernelCall& call) {
    PairedGraph::Operator op;
    op.name = std::string(method.op(call.op).name);
    if (call.args.empty()) {
        return op;
    }
    std::set<std::size_t> results;
    const program::ValueId last = call.args.back();
    if (const auto* list = method.value(last).as<program::TensorList>()) {
        std::ranges::for_each(list->items, [&](program::ValueId item) {
            op.outputs.push_back(item.value);
            results.insert(item.value);
        });
    } else {
        op.outputs.push_back(last.value);
    }
    results.insert(last.value);
    for (const program::ValueId id : call.args) {
        if (!results.contains(id.value)) {
            addArgument(method, id, op);
        }
    }
    std::erase_if(op.inputs, [&](PairedGraph::Value value) { return results.contains(value); });
    return op;
}

/// Adds the calls of a method. Exporters drop views: a tensor that nothing produces is another one at its
/// address.
class ProgramGraphMaker {
  public:
    explicit ProgramGraphMaker(const program::Method& of) : method(of), produced(of.values.size(), false) {
        for (const program::Value& value : method.values) {
            made.graph.add(shapeOf(value));
        }
        for (const program::ValueId input : method.inputs) {
            write(input.value);
        }
    }

    ProgramGraph make() {
        std::int32_t index = 0;
        for (const program::Instruction& instruction : method.chains.front().instructions) {
            const InstructionId id(index++);
            const auto* call = std::get_if<program::KernelCall>(&instruction);
            constexpr std::string_view writesState = "aten::copy_";
            if (call == nullptr || method.op(call->op).name == writesState) {
                continue;
            }
            PairedGraph::Operator op = operatorOf(method, *call);
            std::ranges::for_each(op.inputs, [&](PairedGraph::Value value) { addView(value); });
            std::ranges::for_each(op.outputs, [&](PairedGraph::Value value) { write(value); });
            made.graph.operators.push_back(std::move(op));
            made.instructions.emplace_back(id);
        }
        return std::move(made);
    }

  private:
    using Address = std::pair<std::uint32_t, std::uint64_t>;

    [[nodiscard]] std::optional<Address> addressOf(PairedGraph::Value value) const {
        const auto* tensor = method.values[value].as<program::TensorInfo>();
        return tensor == nullptr || !tensor->allocation
                   ? std::nullopt
                   : std::optional(Address{tensor->allocation->arena.value, tensor->allocation->offset});
    }
    void write(PairedGraph::Value value) {
        produced[value] = true;
        if (const auto address = addressOf(value)) {
            latest[*address] = value;
        }
    }
    void addView(PairedGraph::Value value) {
        const auto address = produced[value] ? std::nullopt : addressOf(value);
        const auto other = address ? latest.find(*address) : latest.end();
        if (other != latest.end()) {
            made.graph.operators.push_back(
                {.name = "aten::view_copy.out", .inputs = {other->second}, .outputs = {value}});
            made.instructions.emplace_back(std::nullopt);
            produced[value] = true;
        }
    }

    const program::Method& method;
    std::vector<bool> produced;
    std::map<Address, PairedGraph::Value> latest;
    ProgramGraph made;
};

ProgramGraph programGraph(const program::Method& method) {
    return method.chains.empty() ? ProgramGraph() : ProgramGraphMaker(method).make();
}

/// Inputs by position, constants by content, state by name.
Result<KnownPairs> knownPairs(const etrecord::Record& record, const std::string& name,
                              const program::Method& method, const NamedGraph& named) {
    ET_ASSIGN(backends::lowering::EdgeMethod edge, backends::lowering::EdgeMethod::open(record, name));
    KnownPairs known;
    std::size_t user = 0;
    for (const etrecord::InputSpec& spec : edge.graph().inputSpecs) {
        const auto value = named.find(spec.value);
        if (spec.kind == "user_input") {
            if (value && user < method.inputs.size()) {
                known.emplace_back(*value, method.inputs[user].value);
            }
            ++user;
            continue;
        }
        if (value && edge.isMutated(spec.value)) {
            for (std::size_t i = 0; i < method.values.size(); ++i) {
                const auto* info = method.values[i].as<program::TensorInfo>();
                if (info != nullptr && info->name == spec.target && info->allocation) {
                    known.emplace_back(*value, i);
                }
            }
        }
        if (!value || !edge.isConstant(spec.value)) {
            continue;
        }
        ET_ASSIGN(const auto tensor, edge.storedTensor(spec.value));
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            const auto* info = method.values[i].as<program::TensorInfo>();
            const bool isSame = info != nullptr && !info->data.empty() &&
                                info->scalarType == std::to_underlying(tensor.view.dtype()) &&
                                std::ranges::equal(info->sizes, tensor.view.sizes()) &&
                                std::ranges::equal(info->data, tensor.view.rawBytes());
            if (isSame) {
                known.emplace_back(*value, i);
            }
        }
    }
    return known;
}

/// The graph of a twin and the maps for a package's program.
struct TwinMethod {
    ExportedGraph graph;
    etrecord::MethodMaps maps;
};

/// Copies a graph so that nodes which instructions compute have their own debug handles, also in branches and
/// loops; exporters give one to all nodes of an operator.
class HandleSeparator {
  public:
    HandleSeparator(const ExportedGraph& graph, const std::set<const Node*>& computed)
        : chosen(computed), last(lastHandle(graph)), made(copyOf(graph)) {}

    [[nodiscard]] ExportedGraph take() { return std::move(made); }
    [[nodiscard]] const std::vector<DebugHandle>& handlesOf(const Node& node) const {
        return handles.at(&node);
    }

  private:
    static const etrecord::GraphRef* bodyOf(const etrecord::Argument& argument) {
        const auto* body = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
        return body == nullptr ? nullptr : body->get();
    }

    static std::int64_t lastHandle(const ExportedGraph& graph) {
        std::int64_t found = 0;
        for (const Node& node : graph.nodes) {
            for (const DebugHandle handle : node.debugHandles) {
                found = std::max<std::int64_t>(found, handle.value);
            }
            for (const etrecord::Argument& argument : node.inputs) {
                if (const auto* body = bodyOf(argument)) {
                    found = std::max(found, lastHandle(body->graph));
                }
            }
        }
        return found;
    }

    void separate(const ExportedGraph& from, const Node& original, Node& copy) {
        const bool isShared = std::ranges::any_of(
            copy.debugHandles, [&](DebugHandle handle) { return from.nodesOf(handle).size() > 1; });
        if (isShared || copy.debugHandles.empty()) {
            copy.debugHandles = {DebugHandle(++last)};
            std::erase_if(copy.metadata, [](const auto& entry) { return entry.first == "debug_handle"; });
        }
        handles[&original] = copy.debugHandles;
    }

    ExportedGraph copyOf(const ExportedGraph& from) {
        ExportedGraph copy = from;
        for (std::size_t i = 0; i < from.nodes.size(); ++i) {
            if (chosen.contains(&from.nodes[i])) {
                separate(from, from.nodes[i], copy.nodes[i]);
            }
            for (etrecord::Argument& argument : copy.nodes[i].inputs) {
                if (const auto* body = bodyOf(argument)) {
                    argument.value = std::make_shared<const etrecord::GraphRef>(
                        etrecord::GraphRef{.name = body->name, .graph = copyOf(body->graph)});
                }
            }
        }
        return copy;
    }

    const std::set<const Node*>& chosen;
    std::int64_t last;
    std::map<const Node*, std::vector<DebugHandle>> handles;
    ExportedGraph made;
};

Result<TwinMethod> twinMethod(const etrecord::Record& package, const std::string& method,
                              const ExportedGraph& other) {
    const ExportedGraph& own = *package.edgeGraph(method);
    const NamedGraph left = namedGraph(own);
    const NamedGraph right = namedGraph(other);
    const auto pairs = pairOperators(left.graph, right.graph, knownPairs(own, left, other, right));
    ET_TRY(requireTwins(pairs.size(), left.nodes.size(), method));
    std::set<const Node*> computed;
    std::ranges::for_each(pairs,
                          [&](const OperatorPair& pair) { computed.insert(right.nodes[pair.second]); });
    HandleSeparator separated(other, computed);
    std::map<DebugHandle, std::vector<DebugHandle>> handles;
    for (const OperatorPair& pair : pairs) {
        handles[left.nodes[pair.first]->debugHandles.front()] =
            separated.handlesOf(*right.nodes[pair.second]);
    }
    TwinMethod made{.graph = separated.take(), .maps = {}};
    if (const etrecord::MethodMaps* known = package.maps(method)) {
        made.maps.outputCounts = known->outputCounts;
        for (const auto& [instruction, entry] : known->debugHandles) {
            const auto found = entry.handles.empty() ? handles.end() : handles.find(entry.handles.front());
            if (found != handles.end() && !found->second.empty()) {
                made.maps.debugHandles[instruction] = {.handles = found->second,
                                                       .list = found->second.size() > 1};
            }
        }
    }
    return made;
}

}  // namespace

Result<std::shared_ptr<const etrecord::Record>> twinRecord(const etrecord::Record& twin,
                                                           const ProgramFile& package) {
    LinkedMaps maps;
    std::shared_ptr<const etrecord::Record> linked;
    for (const std::string& method : package.record->methods()) {
        const ExportedGraph* other = twin.edgeGraph(method);
        if (other == nullptr) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("the record has no method \"{}\"", core::printable(method)),
                        {.file = twin.file().name(), .field = {}, .offset = {}});
        }
        ET_ASSIGN(TwinMethod made, twinMethod(*package.record, method, *other));
        maps.emplace(method, std::move(made.maps));
        ET_ASSIGN(linked, withGraph(linked == nullptr ? twin : *linked, method, made.graph));
    }
    return withMaps(linked == nullptr ? twin : *linked, maps);
}

Result<std::shared_ptr<const etrecord::Record>> twinRecord(const etrecord::Record& package,
                                                           const program::Program& program) {
    LinkedMaps maps;
    for (const std::string& name : package.methods()) {
        const program::Method* method = program.findMethod(name);
        if (method == nullptr) {
            continue;
        }
        const NamedGraph left = namedGraph(*package.edgeGraph(name));
        const ProgramGraph right = programGraph(*method);
        ET_ASSIGN(const KnownPairs known, knownPairs(package, name, *method, left));
        const auto pairs = pairOperators(left.graph, right.graph, known);
        ET_TRY(requireTwins(pairs.size(), left.nodes.size(), name));
        etrecord::MethodMaps& made = maps[name];
        for (const OperatorPair& pair : pairs) {
            if (const auto instruction = right.instructions[pair.second]) {
                const Node& node = *left.nodes[pair.first];
                made.debugHandles[*instruction] = {.handles = node.debugHandles, .list = false};
                made.outputCounts[*instruction] = static_cast<std::int64_t>(node.outputs.size());
            }
        }
    }
    return withMaps(package, maps);
}

}  // namespace et::tasks
