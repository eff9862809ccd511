#include "app/tasks/debug/program_index.h"

#include "app/tasks/debug/detail/method_access.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/python_stack.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;

SourceAt placeOf(const inspector::PythonFrame& frame) {
    return {.file = std::string(frame.path), .line = frame.line};
}

/// Sets line and stack of an operator.
void setStack(OperatorOrigin& origin, std::span<const inspector::PythonFrame> frames) {
    if (const auto frame = inspector::ownFrame(frames)) {
        origin.source = placeOf(*frame);
    }
    for (const inspector::PythonFrame& frame : std::views::reverse(frames)) {
        if (!inspector::isLibrary(frame.path)) {
            origin.stack.push_back({.at = placeOf(frame),
                                    .function = std::string(frame.function),
                                    .code = std::string(frame.code)});
        }
    }
}

/// The contents of the delegates of a method, by delegate; empty if unknown.
std::vector<std::shared_ptr<const core::ModelGraph>> delegateGraphs(const Model& model,
                                                                    const program::Method& method) {
    const auto report = inspector::delegatesOf({.program = *model.program,
                                                .tensorData = model.tensorData,
                                                .backends = model.backends,
                                                .record = nullptr,
                                                .blocks = nullptr,
                                                .method = method.name});
    std::vector<std::shared_ptr<const core::ModelGraph>> graphs(method.delegates.size());
    if (report && !report->methods.empty()) {
        const auto& delegates = report->methods.front().delegates;
        for (std::size_t i = 0; i < std::min(graphs.size(), delegates.size()); ++i) {
            graphs[i] = delegates[i].graph;
        }
    }
    return graphs;
}

std::optional<std::size_t> delegateOf(const program::Instruction& instruction) {
    const auto* const call = std::get_if<program::DelegateCall>(&instruction);
    return call != nullptr ? std::optional<std::size_t>(call->delegate.value) : std::nullopt;
}

}  // namespace

std::string dottedName(std::string_view op) {
    const std::size_t colons = op.find("::");
    return colons == std::string_view::npos
               ? std::string(op)
               : fmt::format("{}.{}", op.substr(0, colons), op.substr(colons + 2));
}

MethodIndex::MethodIndex(const Model& model, const program::Method& method, const etrecord::Record* of)
    : described(method), record(of) {
    const auto graphs = delegateGraphs(model, method);
    for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
        for (std::size_t i = 0; i < method.chains[chain].instructions.size(); ++i) {
            addSite(static_cast<std::int32_t>(chain), static_cast<std::int32_t>(i));
            InstructionSite& site = all.back();
            if (site.delegate && graphs[*site.delegate] != nullptr) {
                for (const core::GraphNode& node : graphs[*site.delegate]->nodes()) {
                    site.inside.push_back({.kind = node.kind, .origin = originOf(node.debugHandles)});
                }
            }
        }
    }
    const MethodAccess accesses(method);
    for (const InstructionSite& site : all) {
        addResultName(site, accesses);
    }
    for (const InstructionSite& site : all) {
        addInputNames(site);
    }
}

void MethodIndex::addSite(std::int32_t chain, std::int32_t instruction) {
    const program::Chain& code = described.chains[static_cast<std::size_t>(chain)];
    const auto index = static_cast<std::size_t>(instruction);
    InstructionSite& site = all.emplace_back();
    site.chain = chain;
    site.instruction = instruction;
    site.op = dottedName(executor::instructionLabel(described, code.instructions[index]));
    site.delegate = delegateOf(code.instructions[index]);
    if (chain != 0) {
        return;
    }
    const inspector::InstructionNodes nodes(record, described.name);
    const core::InstructionId id(instruction);
    site.origin = originOf(nodes.handlesOf(id));
    if (!site.origin.source) {
        setStack(site.origin, inspector::stackOf(nodes, described, id));
    }
}

OperatorOrigin MethodIndex::originOf(std::vector<core::DebugHandle> handles) const {
    OperatorOrigin origin{.handles = std::move(handles)};
    if (record == nullptr) {
        return origin;
    }
    const inspector::InstructionNodes instructions(record, described.name);
    const std::vector<const etrecord::Node*> nodes = instructions.nodesOf(origin.handles);
    if (const auto modules = inspector::commonModules(nodes)) {
        origin.module = modules->empty() ? std::string() : modules->back().fqn;
    }
    for (const etrecord::Node* const node : nodes) {
        origin.nodes.push_back(node->name);
        if (!origin.source) {
            setStack(origin, inspector::parseFrames(node->stackTrace));
        }
    }
    return origin;
}

void MethodIndex::addName(const std::string& node, program::ValueId value) {
    if (named.try_emplace(node, value).second) {
        names.try_emplace(value, node);
    }
}

/// The last node of a delegate with one result computes it: the others would be unused otherwise.
void MethodIndex::addResultName(const InstructionSite& site, const MethodAccess& accesses) {
    if (site.origin.nodes.empty()) {
        return;
    }
    if (const auto* const call = std::get_if<program::KernelCall>(instruction(site))) {
        if (!call->args.empty()) {
            addName(site.origin.nodes.back(), call->args.back());
        }
    } else if (site.delegate) {
        const auto& written = accesses.at(site.chain, site.instruction).writes;
        if (const std::string node = lastNodeOf(site.origin.handles); written.size() == 1 && !node.empty()) {
            addName(node, written.front());
        }
    }
}

std::string MethodIndex::lastNodeOf(const std::vector<core::DebugHandle>& handles) const {
    const auto nodes = inspector::InstructionNodes(record, described.name).nodesOf(handles);
    // They are in the graph's list, which is in topological order.
    const auto last = std::ranges::max_element(nodes, std::ranges::less());
    return last == nodes.end() ? std::string() : (*last)->name;
}

/// Constants and states are results of no instruction: they have the names that a node's arguments refer to.
void MethodIndex::addInputNames(const InstructionSite& site) {
    const auto* const call = std::get_if<program::KernelCall>(instruction(site));
    const auto nodes = call == nullptr || record == nullptr
                           ? std::vector<const etrecord::Node*>()
                           : inspector::InstructionNodes(record, described.name).nodesOf(site.origin.handles);
    if (nodes.size() != 1) {
        return;
    }
    const std::string op = described.op(call->op).fullName();
    for (std::size_t i = 0; i < call->args.size(); ++i) {
        const std::string_view argument = executor::argumentName(op, i);
        const auto input = std::ranges::find(nodes.front()->inputs, argument, &etrecord::Argument::name);
        if (argument.empty() || input == nodes.front()->inputs.end() || names.contains(call->args[i])) {
            continue;
        }
        if (const auto* const value = std::get_if<etrecord::ValueRef>(&input->value)) {
            addName(value->name, call->args[i]);
        }
    }
}

const InstructionSite* MethodIndex::find(std::int32_t chain, std::int32_t instruction) const {
    const auto place = [](const InstructionSite& site) { return std::pair(site.chain, site.instruction); };
    const auto found = std::ranges::lower_bound(all, std::pair(chain, instruction), {}, place);
    return found != all.end() && place(*found) == std::pair(chain, instruction) ? &*found : nullptr;
}

const program::Instruction* MethodIndex::instruction(const InstructionSite& site) const {
    return &described.chains[static_cast<std::size_t>(site.chain)]
                .instructions[static_cast<std::size_t>(site.instruction)];
}

std::optional<program::ValueId> MethodIndex::valueNamed(std::string_view node) const {
    const auto found = named.find(node);
    return found == named.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> MethodIndex::valueNames() const {
    std::vector<std::string> known;
    for (const auto& [name, value] : named) {
        known.push_back(name);
    }
    return known;
}

std::string MethodIndex::nameOf(program::ValueId value) const {
    const auto found = names.find(value);
    return found == names.end() ? std::string() : found->second;
}

Result<const inspector::SourceIndex*> MethodIndex::lines() const {
    if (!sourceLines) {
        ET_ASSIGN(inspector::SourceIndex built, inspector::SourceIndex::build({.method = described.name,
                                                                               .program = &described,
                                                                               .record = record,
                                                                               .blocks = nullptr,
                                                                               .delegates = nullptr}));
        sourceLines = std::move(built);
    }
    return &*sourceLines;
}

Result<const MethodIndex*> ProgramIndex::method(std::string_view name) const {
    const auto known = methods.find(name);
    if (known != methods.end()) {
        return known->second.get();
    }
    ET_ASSIGN(const program::Method* const method, chooseMethod(*model.program, std::string(name)));
    auto& index = methods[std::string(method->name)];
    if (index == nullptr) {
        index = std::make_unique<MethodIndex>(model, *method, record.get());
    }
    return index.get();
}

}  // namespace et::tasks
