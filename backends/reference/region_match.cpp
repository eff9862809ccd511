#include "backends/reference/region_match.h"

#include "backends/reference/operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace et::backends::reference {
namespace {

using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::NodeIndex;
using etrecord::ValueRef;

constexpr int maxRegionDepth = 32;

class RegionReader {
  public:
    explicit RegionReader(const program::Chain& of) : chain(of) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            const auto target = destination(static_cast<std::int32_t>(i));
            if (target && std::cmp_less_equal(*target, i)) {
                loopEnds[*target] = static_cast<std::int32_t>(i);  // keeps the outermost loop that begins
                                                                   // here
            }
        }
    }

    /// Reads instructions [begin, end).
    Region read(std::int32_t begin, std::int32_t end, int depth) {
        Region region;
        for (std::int32_t at = begin; at < end;) {
            if (const auto loop = loopEnds.find(at); loop != loopEnds.end() && loop->second < end) {
                const std::int32_t last = loop->second;
                loopEnds.erase(loop);
                region.inner.push_back(readLoop(at, last, depth));
                at = last + 1;
            } else if (const auto target = destination(at)) {
                at = readBranches(region, at, *target, end, depth);
            } else {
                region.instructions.push_back(at++);
            }
        }
        return region;
    }

  private:
    [[nodiscard]] std::optional<std::int32_t> destination(std::int32_t at) const {
        const auto* jump =
            std::get_if<program::JumpFalseCall>(&chain.instructions[static_cast<std::size_t>(at)]);
        return jump == nullptr ? std::nullopt : std::optional(jump->destination.value);
    }

    Region part(std::int32_t begin, std::int32_t end, int depth) {
        return depth < maxRegionDepth ? read(begin, end, depth + 1) : Region{};
    }

    /// Reads instructions [begin, last]; the last one jumps back.
    Region::ControlFlow readLoop(std::int32_t begin, std::int32_t last, int depth) {
        Region::ControlFlow loop{.kind = Region::Kind::Loop, .parts = {}};
        for (std::int32_t at = begin; at < last; ++at) {
            if (const auto target = destination(at); target && *target > last) {  // exits the loop
                loop.parts.push_back(part(begin, at, depth));
                loop.parts.push_back(part(at + 1, last, depth));
                return loop;
            }
        }
        loop.parts.push_back(part(begin, last, depth));
        return loop;
    }

    /// A forward jump skips the instructions of the true branch; these end with a jump over the false branch
    /// if there is one. Returns the next instruction.
    std::int32_t readBranches(Region& region, std::int32_t at, std::int32_t target, std::int32_t end,
                              int depth) {
        if (target <= at || target > end) {
            return at + 1;
        }
        const auto over = target - 1 > at ? destination(target - 1) : std::nullopt;
        const bool hasOther = over && *over >= target && *over <= end;
        Region::ControlFlow branches;
        branches.parts.push_back(part(at + 1, hasOther ? target - 1 : target, depth));
        if (hasOther) {
            branches.parts.push_back(part(target, *over, depth));
        }
        region.inner.push_back(std::move(branches));
        return hasOther ? *over : target;
    }

    const program::Chain& chain;
    std::map<std::int32_t, std::int32_t> loopEnds;  ///< last instruction of a loop, by its first
};

using GraphPointer = std::shared_ptr<const etrecord::GraphRef>;

/// Names of values in an argument, in order; empty for items without a name.
std::vector<std::string> namesIn(const Argument& argument) {
    std::vector<std::string> names;
    if (const auto* ref = std::get_if<ValueRef>(&argument.value)) {
        names.push_back(ref->name);
    } else if (const auto* list = std::get_if<std::vector<std::optional<ValueRef>>>(&argument.value)) {
        std::ranges::transform(*list, std::back_inserter(names),
                               [](const auto& item) { return item ? item->name : std::string(); });
    }
    return names;
}

/// A control flow node: an operator with graph arguments.
struct ControlNode {
    bool isLoop = false;
    bool walksRows = false;  ///< passes its first values row by row (map)
    std::vector<const ExportedGraph*> graphs;
    std::vector<std::string> walked;  ///< values passed row by row
    std::vector<std::string> handed;  ///< values passed unchanged, after `walked`
};

std::optional<ControlNode> controlNode(const etrecord::Node& node) {
    ControlNode made;
    bool isFirst = true;
    const std::string_view target = plainTarget(node.target);
    made.isLoop = target != "higher_order.cond";
    made.walksRows = target == "higher_order.map_impl";
    for (const Argument& argument : node.inputs) {
        if (const auto* graph = std::get_if<GraphPointer>(&argument.value); graph != nullptr && *graph) {
            made.graphs.push_back(&(*graph)->graph);
            continue;
        }
        if (made.graphs.empty()) {
            continue;  // the condition
        }
        auto& names = made.walksRows && isFirst ? made.walked : made.handed;
        std::ranges::move(namesIn(argument), std::back_inserter(names));
        isFirst = false;
    }
    return made.graphs.empty() ? std::nullopt : std::optional(std::move(made));
}

/// Names known in a region before its kernels are examined.
struct Start {
    ValueNames names;
    std::set<std::string> weights;
};

class RegionMatcher {
  public:
    RegionMatcher(const program::Method& of, const kernels::KernelRegistry& known)
        : method(of), registry(known) {}

    void match(const Region& region, const ExportedGraph& graph, bool isSubgraph, Start start);

    std::vector<RegionMatch> matches;

  private:
    [[nodiscard]] const program::KernelCall* kernelAt(std::int32_t instruction) const {
        return std::get_if<program::KernelCall>(&at(instruction));
    }
    [[nodiscard]] const program::Instruction& at(std::int32_t instruction) const {
        return method.chains.front().instructions[static_cast<std::size_t>(instruction)];
    }
    void nameOutputs(const Region& region, RegionMatch& match) const;
    void nameKernels(const Region& region, RegionMatch& match) const;
    void matchInner(const Region& region, const RegionMatch& outer);
    [[nodiscard]] Start startOf(const Region& part, const ControlNode& node, const ExportedGraph& graph,
                                const RegionMatch& outer) const;

    const program::Method& method;
    const kernels::KernelRegistry& registry;
};

/// Names the region's results, which it moves to a slot or copies into a row, in the order of the graph's
/// outputs.
void RegionMatcher::nameOutputs(const Region& region, RegionMatch& match) const {
    std::vector<std::string> outputs;
    for (const Argument& output : match.graph->outputs) {
        std::ranges::move(namesIn(output), std::back_inserter(outputs));
    }
    std::size_t next = 0;
    for (const std::int32_t instruction : region.instructions) {
        const auto* move = std::get_if<program::MoveCall>(&at(instruction));
        const auto* kernel = kernelAt(instruction);
        const bool copiesRow = kernel != nullptr && kernel->args.size() > 1 &&
                               method.op(kernel->op).fullName().starts_with("executorch_prim::et_copy_index");
        if ((move != nullptr || copiesRow) && next < outputs.size()) {
            match.names.add(move != nullptr ? move->from : kernel->args[1], outputs[next++]);
        }
    }
}

/// Matches each kernel with the first node that it computes and that no earlier kernel matched.
void RegionMatcher::nameKernels(const Region& region, RegionMatch& match) const {
    std::set<NodeIndex> found;
    for (const std::int32_t instruction : region.instructions) {
        const auto* call = kernelAt(instruction);
        if (call == nullptr) {
            continue;
        }
        if (const auto node = match.names.addKernel(method, *match.graph, *call, registry, found)) {
            found.insert(*node);
        }
    }
    for (NodeIndex i = 0; i < match.graph->nodes.size(); ++i) {
        if (!found.contains(i) && !controlNode(match.graph->nodes[i])) {
            match.unknown.push_back(i);
        }
    }
}

/// The initial values of a control flow region.
Start RegionMatcher::startOf(const Region& part, const ControlNode& node, const ExportedGraph& graph,
                             const RegionMatch& outer) const {
    Start start;
    std::vector<std::string> inputs;
    for (const Argument& input : graph.inputs) {
        std::ranges::move(namesIn(input), std::back_inserter(inputs));
    }
    std::size_t row = 0;
    for (const std::int32_t instruction : part.instructions) {  // select_copy reads a row of each
        const auto* call = kernelAt(instruction);
        if (call != nullptr && row < node.walked.size() && row < inputs.size() && !call->args.empty() &&
            method.op(call->op).fullName() == "aten::select_copy.int_out") {
            start.names.add(call->args.back(), inputs[row++]);
        }
    }
    for (std::size_t i = 0; i < node.handed.size() && node.walked.size() + i < inputs.size(); ++i) {
        const std::string& inside = inputs[node.walked.size() + i];
        const auto spec =
            std::ranges::find(outer.graph->inputSpecs, node.handed[i], &etrecord::InputSpec::value);
        const bool isOwn = spec != outer.graph->inputSpecs.end() && !spec->target.empty();
        if (isOwn || outer.weights.contains(node.handed[i])) {
            start.weights.insert(inside);
        }
        if (const auto value = outer.names.valueOf(node.handed[i])) {
            start.names.add(*value, inside);
        }
    }
    return start;
}

void RegionMatcher::matchInner(const Region& region, const RegionMatch& outer) {
    std::size_t next = 0;
    for (const etrecord::Node& node : outer.graph->nodes) {
        const auto control = controlNode(node);
        if (!control) {
            continue;
        }
        if (next >= region.inner.size()) {
            return;
        }
        const Region::ControlFlow& flow = region.inner[next++];
        if ((flow.kind == Region::Kind::Loop) != control->isLoop) {
            continue;
        }
        for (std::size_t i = 0; i < std::min(flow.parts.size(), control->graphs.size()); ++i) {
            match(flow.parts[i], *control->graphs[i], true,
                  startOf(flow.parts[i], *control, *control->graphs[i], outer));
        }
    }
}

void RegionMatcher::match(const Region& region, const ExportedGraph& graph, bool isSubgraph, Start start) {
    RegionMatch made{.graph = &graph,
                     .isSubgraph = isSubgraph,
                     .names = std::move(start.names),
                     .unknown = {},
                     .delegates = {},
                     .weights = std::move(start.weights)};
    nameKernels(region, made);
    if (isSubgraph) {
        nameOutputs(region, made);
    }
    for (const std::int32_t instruction : region.instructions) {
        if (std::holds_alternative<program::DelegateCall>(at(instruction))) {
            made.delegates.push_back(instruction);
        }
    }
    matchInner(region, made);
    if (!made.delegates.empty()) {
        matches.push_back(std::move(made));
    }
}

}  // namespace

Region makeRegions(const program::Chain& chain) {
    return RegionReader(chain).read(0, static_cast<std::int32_t>(chain.instructions.size()), 0);
}

std::vector<RegionMatch> matchRegions(const program::Method& method, const ExportedGraph& graph,
                                      const kernels::KernelRegistry& registry) {
    if (method.chains.empty()) {
        return {};
    }
    RegionMatcher matcher(method, registry);
    matcher.match(makeRegions(method.chains.front()), graph, false,
                  {.names = ValueNames::ofInputs(method, graph), .weights = {}});
    return std::move(matcher.matches);
}

}  // namespace et::backends::reference
