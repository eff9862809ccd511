#include "app/tasks/lab/program_blocks.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {

namespace lowering = backends::lowering;
using backends::reference::forNames;
using etrecord::Argument;
using etrecord::Node;
using etrecord::ValueRef;
using program::Instruction;
using program::TensorInfo;
using program::ValueId;

namespace {

std::string_view ruleOf(const program::KernelCall& /*call*/) {
    return "";  // depends on what it reads and writes
}
std::string_view ruleOf(const program::DelegateCall& /*call*/) {
    return "it is already a delegate";
}
std::string_view ruleOf(const program::MoveCall& /*call*/) {
    return "it moves a value for control flow";
}
std::string_view ruleOf(const program::JumpFalseCall& /*call*/) {
    return "it is control flow";
}
std::string_view ruleOf(const program::FreeCall& /*call*/) {
    return "it frees a tensor whose size is known only at run time";
}

class BlockMaker {
  public:
    BlockMaker(const program::Method& of, const MethodValues& known, const kernels::KernelRegistry& kernels,
               const NodeNotes& more)
        : method(of), values(known), nodes(of, known.computed, kernels), notes(more) {
        for (const Instruction& each : chain()) {
            if (const auto* jump = std::get_if<program::JumpFalseCall>(&each)) {
                targets.insert(static_cast<std::size_t>(jump->destination.value));
            }
        }
    }

    std::vector<ProgramBlock> run() {
        for (std::size_t i = 0; i < chain().size(); ++i) {
            std::optional<Node> node = nodeOf(i);
            if (!node) {
                addAlone(i);
                continue;
            }
            if (targets.contains(i) || blocks.empty() || !blocks.back().rule.empty() ||
                writesWhatIsKnown(i)) {
                begin(i);
            }
            add(i, *std::move(node));
        }
        finish();
        return std::move(blocks);
    }

  private:
    [[nodiscard]] const std::vector<Instruction>& chain() const { return method.chains.front().instructions; }

    /// Returns why a kernel call is kept as it is; empty if its values do not require it.
    [[nodiscard]] std::string_view whyAlone(const program::InstructionAccess& access) const {
        const auto isRead = [&](ValueId id) { return std::ranges::contains(access.reads, id); };
        if (std::ranges::any_of(access.writes, isRead)) {
            return "it writes to its input";
        }
        const auto isPinned = [&](ValueId id) { return bool{values.pinned[id.value]}; };
        return std::ranges::any_of(access.writes, isPinned)
                   ? "it writes to persistent state, or to a value that is written several times"
                   : "";
    }

    /// Returns nothing if the instruction is kept as it is.
    [[nodiscard]] std::optional<Node> nodeOf(std::size_t i) const {
        const auto* call = std::get_if<program::KernelCall>(&chain()[i]);
        return call == nullptr || !whyAlone(values.accesses[i]).empty() ? std::nullopt : nodes.make(*call);
    }

    [[nodiscard]] std::string ruleFor(std::size_t i) const {
        if (std::holds_alternative<program::KernelCall>(chain()[i])) {
            const std::string_view why = whyAlone(values.accesses[i]);
            return std::string(why.empty() ? "its kernel has no known operator" : why);
        }
        return std::visit([](const auto& each) { return std::string(ruleOf(each)); }, chain()[i]);
    }

    void begin(std::size_t i) {
        blocks.push_back({.first = i, .end = i});
        mentioned.clear();
    }

    void addAlone(std::size_t i) {
        begin(i);
        ProgramBlock& block = blocks.back();
        block.end = i + 1;
        block.rule = ruleFor(i);
        Node node{.name = instructionNodeName(i), .op = operatorOfInstruction(i)};
        node.target = node.op;
        notes(i, node);
        block.graph.nodes.push_back(std::move(node));
        block.instructions.emplace_back(i);
        noteUses(i);
    }

    [[nodiscard]] std::string operatorOfInstruction(std::size_t i) const {
        if (const auto* kernel = std::get_if<program::KernelCall>(&chain()[i])) {
            return method.op(kernel->op).fullName();
        }
        if (const auto* delegate = std::get_if<program::DelegateCall>(&chain()[i])) {
            return std::string(method.delegate(delegate->delegate).backend);
        }
        return std::string(program::instructionName(chain()[i]));
    }

    /// True for a value of a loop, which is read before it is written.
    [[nodiscard]] bool writesWhatIsKnown(std::size_t i) const {
        return std::ranges::any_of(values.accesses[i].writes,
                                   [&](ValueId id) { return mentioned.contains(id.value); });
    }

    void noteUses(std::size_t i) {
        for (const auto* ids : {&values.accesses[i].reads, &values.accesses[i].writes}) {
            for (const ValueId id : *ids) {
                usedIn[id.value].insert(blocks.size() - 1);
                mentioned.insert(id.value);
            }
        }
    }

    void add(std::size_t i, Node node) {
        ProgramBlock& block = blocks.back();
        block.end = i + 1;
        node.name = instructionNodeName(i);
        notes(i, node);
        block.graph.nodes.push_back(std::move(node));
        block.instructions.emplace_back(i);
        noteUses(i);
        for (const ValueId written : values.accesses[i].writes) {
            const auto views = values.views.find(written.value);
            for (const ValueId view : views == values.views.end() ? std::vector<ValueId>() : views->second) {
                addView(written, view, i);
            }
        }
    }

    /// Adds a view that the exporter omitted.
    void addView(ValueId from, ValueId view, std::size_t after) {
        const auto* source = method.value(from).as<TensorInfo>();
        const auto* result = method.value(view).as<TensorInfo>();
        if (source == nullptr || result == nullptr) {
            return;
        }
        const bool isWhole = source->scalarType == result->scalarType && source->byteSize == result->byteSize;
        Node node{.name = fmt::format("view_{}", view.value),
                  .op = isWhole ? "aten.view_copy.default" : "view"};
        node.target = node.op;
        std::vector<etrecord::SymInt> sizes;
        std::ranges::transform(result->sizes, std::back_inserter(sizes),
                               [](std::int64_t size) { return etrecord::SymInt{.value = size}; });
        node.inputs = {{.name = "self", .kind = "as_tensor", .value = ValueRef{.name = graphName(from)}},
                       {.name = "size", .kind = "as_ints", .value = std::move(sizes)}};
        node.outputs = {{.name = {}, .kind = "as_tensor", .value = ValueRef{.name = graphName(view)}}};
        notes(after, node);
        node.debugHandles.clear();  // the handles belong to the viewed value
        blocks.back().graph.nodes.push_back(std::move(node));
        blocks.back().instructions.emplace_back(std::nullopt);
        usedIn[view.value].insert(blocks.size() - 1);
        mentioned.insert(view.value);
    }

    void finish() {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].rule.empty()) {
                finish(blocks[i], i);
            }
        }
    }

    /// Sets the inputs and outputs of a block.
    void finish(ProgramBlock& block, std::size_t index) const {
        std::set<std::string_view> made;
        std::set<std::string> incoming;
        for (const Node& node : block.graph.nodes) {
            for (const Argument& argument : node.inputs) {
                forNames(argument, [&](const std::string& name) {
                    if (!name.empty() && !made.contains(name)) {
                        incoming.insert(name);
                    }
                });
            }
            for (const Argument& argument : node.outputs) {
                forNames(argument, [&](const std::string& name) { made.insert(name); });
            }
        }
        for (const std::string& name : incoming) {
            addInput(block.graph, name);
        }
        for (const std::string_view name : made) {
            const ValueId id = *valueOfGraph(name);
            describe(block.graph, id);
            const auto& uses = usedIn.at(id.value);
            if (values.isOutput[id.value] || uses.size() > 1 || !uses.contains(index)) {
                block.graph.outputs.push_back(reference(id));
            }
        }
        for (const Node& node : block.graph.nodes) {
            narrow(node, block.graph);
        }
    }

    /// Sizes given as numbers in a view are the same in each run.
    static void narrow(const Node& node, etrecord::ExportedGraph& graph) {
        const Argument* argument = lowering::findArgument(node, "size");
        const auto* sizes =
            argument == nullptr ? nullptr : std::get_if<std::vector<etrecord::SymInt>>(&argument->value);
        const auto meta = graph.tensors.find(lowering::firstResult(node));
        if (node.op != "aten.view_copy.default" || sizes == nullptr || meta == graph.tensors.end()) {
            return;
        }
        auto& described = meta->second.sizes;
        for (std::size_t i = 0; i < std::min(sizes->size(), described.size()); ++i) {
            if ((*sizes)[i].expression.empty() && (*sizes)[i].value == described[i].value) {
                described[i].expression.clear();
            }
        }
    }

    [[nodiscard]] Argument reference(ValueId id) const {
        const bool isTensor = method.value(id).is<TensorInfo>();
        return {.name = {},
                .kind = isTensor ? "as_tensor" : "as_sym_int",
                .value = ValueRef{.name = graphName(id)}};
    }

    void addInput(etrecord::ExportedGraph& graph, const std::string& name) const {
        const ValueId id = *valueOfGraph(name);
        const auto* tensor = method.value(id).as<TensorInfo>();
        const bool isConstant =
            tensor != nullptr && !tensor->allocation && tensor->initialData == program::InitialData::Program;
        describe(graph, id);
        graph.inputs.push_back(reference(id));
        graph.inputSpecs.push_back({.kind = isConstant ? "tensor_constant" : "user_input",
                                    .value = name,
                                    .target = isConstant ? name : std::string(),
                                    .argument = isConstant ? Argument() : reference(id)});
    }

    void describe(etrecord::ExportedGraph& graph, ValueId id) const {
        if (const auto* tensor = method.value(id).as<TensorInfo>()) {
            describeTensor(*tensor, id, graph);
        }
    }

    const program::Method& method;
    const MethodValues& values;
    InstructionNodes nodes;
    const NodeNotes& notes;
    std::set<std::size_t> targets;  ///< of jumps
    std::vector<ProgramBlock> blocks;
    std::set<std::uint32_t> mentioned;                      ///< values used in the block so far
    std::map<std::uint32_t, std::set<std::size_t>> usedIn;  ///< blocks, by value
};

}  // namespace

std::vector<ProgramBlock> blocksOf(const program::Method& method, const MethodValues& values,
                                   const kernels::KernelRegistry& kernels, const NodeNotes& notes) {
    return BlockMaker(method, values, kernels, notes).run();
}

}  // namespace et::tasks
