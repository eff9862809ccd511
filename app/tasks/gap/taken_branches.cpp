#include "app/tasks/gap/taken_branches.h"

#include "app/tasks/gap/linked_record.h"
#include "backends/lowering/edge_method.h"
#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::namesIn;
using core::Result;
using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::GraphRef;
using etrecord::Node;

using Renames = std::map<std::string, std::string, std::less<>>;
using ExecutedGraphs = std::set<const ExportedGraph*>;

const GraphRef* branchAt(const Node& node, std::size_t index) {
    const auto* branch = index < node.inputs.size()
                             ? std::get_if<std::shared_ptr<const GraphRef>>(&node.inputs[index].value)
                             : nullptr;
    return branch == nullptr ? nullptr : branch->get();
}

/// The branches of a torch.cond, whose arguments are a condition, the graphs if it is true or false, and
/// their inputs.
std::optional<std::array<const GraphRef*, 2>> branchesOf(const Node& node) {
    constexpr std::size_t ifTrue = 1;
    constexpr std::size_t ifFalse = 2;
    const std::array branches{branchAt(node, ifTrue), branchAt(node, ifFalse)};
    const bool isCond = node.op.ends_with("cond") && branches[0] != nullptr && branches[1] != nullptr;
    return isCond ? std::optional(branches) : std::nullopt;
}

bool hasBranches(const ExportedGraph& graph) {
    return std::ranges::any_of(graph.nodes, [](const Node& node) { return branchesOf(node).has_value(); });
}

/// The branch that ran; null if unknown. A branch without nodes ran if the other did not.
const GraphRef* takenBranch(const Node& node, const ExecutedGraphs& executed) {
    const auto branches = branchesOf(node);
    if (!branches) {
        return nullptr;
    }
    for (const GraphRef* each : *branches) {
        if (executed.contains(&each->graph)) {
            return each;
        }
    }
    const auto isEmpty = [](const GraphRef* each) { return each->graph.nodes.empty(); };
    const auto found = std::ranges::find_if(*branches, isEmpty);
    return std::ranges::count_if(*branches, isEmpty) == 1 ? *found : nullptr;
}

void rename(Argument& argument, const Renames& names) {
    const auto change = [&](std::string& name) {
        if (const auto found = names.find(name); found != names.end()) {
            name = found->second;
        }
    };
    if (auto* ref = std::get_if<etrecord::ValueRef>(&argument.value)) {
        change(ref->name);
    } else if (auto* list = std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
        for (auto& item : *list) {
            if (item) {
                change(item->name);
            }
        }
    } else if (auto* numbers = std::get_if<std::vector<etrecord::SymInt>>(&argument.value)) {
        std::ranges::for_each(*numbers, [&](etrecord::SymInt& each) { change(each.expression); });
    } else if (auto* nested = std::get_if<std::vector<Argument>>(&argument.value)) {
        std::ranges::for_each(*nested, [&](Argument& each) { rename(each, names); });
    }
}

Argument tensorArgument(std::string name, std::string value) {
    return {
        .name = std::move(name), .kind = "as_tensor", .value = etrecord::ValueRef{.name = std::move(value)}};
}

/// Builds a graph with the nodes of taken branches in place of the torch.cond.
class BranchInliner {
  public:
    explicit BranchInliner(const ExecutedGraphs& ran) : executed(ran) {}

    ExportedGraph inlined(const ExportedGraph& graph) {
        made = graph;
        made.nodes.clear();
        add(graph, {}, {});
        made.nodesByHandle.clear();
        made.indexHandles();
        return std::move(made);
    }

  private:
    void add(const ExportedGraph& graph, const Renames& names, const std::string& prefix) {
        for (const Node& node : graph.nodes) {
            Node copy = node;
            copy.name = prefix + node.name;
            for (auto* arguments : {&copy.inputs, &copy.outputs}) {
                std::ranges::for_each(*arguments, [&](Argument& each) { rename(each, names); });
            }
            const GraphRef* branch = takenBranch(node, executed);
            if (branch == nullptr || !addBranch(copy, *branch)) {
                made.nodes.push_back(std::move(copy));
            }
        }
    }

    /// Adds the metadata of a branch's values, and their names in the whole graph.
    void addValues(const ExportedGraph& branch, const std::string& prefix, Renames& names) {
        const auto copy = [&](const auto& from, auto& to) {
            for (const auto& [name, meta] : from) {
                const auto place = names.try_emplace(name, prefix + name).first;
                to.try_emplace(place->second, meta);
            }
        };
        copy(branch.tensors, made.tensors);
        copy(branch.symInts, made.symInts);
        copy(branch.symFloats, made.symFloats);
        copy(branch.symBools, made.symBools);
    }

    /// Returns false if operands or results cannot be matched with those of the branch.
    bool addBranch(const Node& cond, const GraphRef& branch) {
        constexpr std::size_t operandsAt = 3;
        const std::vector<std::string> operands =
            cond.inputs.size() > operandsAt ? namesIn({cond.inputs[operandsAt]}) : std::vector<std::string>();
        const std::vector<std::string> results = namesIn(cond.outputs);
        const std::vector<std::string> ends = namesIn(branch.graph.outputs);
        if (operands.size() != branch.graph.inputs.size() || results.size() != ends.size() ||
            std::ranges::contains(operands, std::string())) {
            return false;
        }
        const std::string prefix = fmt::format("{}.{}.", cond.name, branch.name);
        Renames names;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            names.insert_or_assign(std::string(backends::lowering::valueName(&branch.graph.inputs[i])),
                                   operands[i]);
        }
        std::set<std::string, std::less<>> computed;
        for (const Node& node : branch.graph.nodes) {
            std::ranges::for_each(namesIn(node.outputs),
                                  [&](const std::string& name) { computed.insert(name); });
        }
        std::vector<std::size_t> copies;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const bool isRenamed =
                computed.contains(ends[i]) && names.try_emplace(ends[i], results[i]).second;
            if (!isRenamed) {
                copies.push_back(i);
            }
        }
        addValues(branch.graph, prefix, names);
        for (const std::string& name : computed) {
            names.try_emplace(name, prefix + name);
        }
        add(branch.graph, names, prefix);
        for (const std::size_t i : copies) {
            const auto known = names.find(ends[i]);
            addCopy(fmt::format("{}result_{}", prefix, i), known == names.end() ? ends[i] : known->second,
                    results[i]);
        }
        return true;
    }

    void addCopy(std::string name, std::string from, std::string to) {
        Node copy;
        copy.name = std::move(name);
        copy.target = "torch.ops.aten.clone.default";
        copy.op = "aten.clone.default";
        copy.inputs = {tensorArgument("self", std::move(from))};
        copy.outputs = {tensorArgument({}, std::move(to))};
        made.nodes.push_back(std::move(copy));
    }

    const ExecutedGraphs& executed;
    ExportedGraph made;
};

}  // namespace

Result<std::shared_ptr<const etrecord::Record>> withTakenBranches(
    std::shared_ptr<const etrecord::Record> record, std::string_view method,
    std::span<const backends::reference::ReferenceValue> inputs,
    const backends::reference::InterpreterOptions& options) {
    const ExportedGraph* graph = record->edgeGraph(method);
    const etrecord::MethodMaps* maps = record->maps(method);
    if (graph == nullptr || maps == nullptr || !hasBranches(*graph)) {
        return record;
    }
    ET_ASSIGN(const auto interpreter, Interpreter::edge(*record, method, options));
    ExecutedGraphs executed;
    const auto observe = [&](const ExportedGraph& of, etrecord::NodeIndex, auto) -> Result<> {
        executed.insert(&of);
        return {};
    };
    ET_TRY(interpreter->run(inputs, observe));
    const ExportedGraph inlined = BranchInliner(executed).inlined(interpreter->graph());
    ET_ASSIGN(const auto changed, withGraph(*record, std::string(method), inlined));
    return withMaps(*changed, {{std::string(method), *maps}});
}

}  // namespace et::tasks
