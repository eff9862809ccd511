#include "backends/xnnpack/delegate/profile.h"

#include "backends/xnnpack/delegate/trace_traits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <ranges>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

using core::Result;

constexpr std::uint64_t nanosecondsPerMicrosecond = 1000;
constexpr std::size_t noOperator = SIZE_MAX;

/// What operators of a node may be called.
bool mayBe(const LibraryNode& node, std::string_view name) {
    for (const auto part : std::views::split(node.operatorNames, '|')) {
        if (name.starts_with(std::string_view(part))) {
            return true;
        }
    }
    return false;
}

/// Operators to nodes, each the first that is possible; nothing where an operator has none left.
std::optional<std::vector<std::size_t>> matchFromFront(std::span<const LibraryNode> nodes,
                                                       std::span<const std::string> names) {
    std::vector<std::size_t> matched;
    std::size_t next = 0;
    for (const std::string& name : names) {
        while (next < nodes.size() && !mayBe(nodes[next], name)) {
            ++next;
        }
        if (next == nodes.size()) {
            return std::nullopt;
        }
        matched.push_back(next++);
    }
    return matched;
}

std::optional<std::vector<std::size_t>> matchFromBack(std::span<const LibraryNode> nodes,
                                                      std::span<const std::string> names) {
    std::vector<std::size_t> matched(names.size());
    std::size_t next = nodes.size();
    for (std::size_t i = names.size(); i-- > 0;) {
        while (next > 0 && !mayBe(nodes[next - 1], names[i])) {
            --next;
        }
        if (next == 0) {
            return std::nullopt;
        }
        matched[i] = --next;
    }
    return matched;
}

/// The node that a dropped one went into: the writer of its input (a clamp, a copy), or the reader of its
/// output (padding of a convolution).
std::size_t hostOf(const Payload& payload, std::size_t dropped) {
    const PayloadNode& node = payload.nodes[dropped];
    const bool goesForward = node.traits->functions->goesIntoReader;
    const ValueIndex link = goesForward ? node.outputs[0] : node.inputs[0];
    std::size_t host = noOperator;
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const auto& ends = goesForward ? payload.nodes[i].inputs : payload.nodes[i].outputs;
        if (std::ranges::find(ends, link) != ends.end()) {
            host = host == noOperator ? i : noOperator;
        }
    }
    return host;
}

class Matching {
  public:
    Matching(const Payload& from, std::span<const LibraryNode> libraryNodes,
             std::span<const std::string> libraryNames)
        : payload(from),
          nodes(libraryNodes),
          names(libraryNames),
          operatorOf(from.nodes.size(), noOperator),
          tracedAs(libraryNames.size()) {}

    /// The payload's nodes of each operator; nothing where that is not certain.
    std::vector<std::optional<std::vector<std::size_t>>> find() {
        std::vector<std::optional<std::vector<std::size_t>>> found(names.size());
        const auto front = matchFromFront(nodes, names);
        const auto back = matchFromBack(nodes, names);
        if (!front || !back) {
            return found;
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::size_t node = nodes[(*front)[i]].payloadNode;
            if (node == nodes[(*back)[i]].payloadNode) {
                found[i].emplace(1, node);
                tracedAs[i] = nodes[(*front)[i]].tracedAs;
                operatorOf[node] = i;
            }
        }
        takeAllBetween(*front, *back, found);
        for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
            if (operatorOf[node] == noOperator) {
                addDropped(node, found);
            }
        }
        for (auto& list : found) {
            if (list) {
                std::ranges::sort(*list);
            }
        }
        return found;
    }

    /// The name in traces of a known operator, where it is not the library's; else empty.
    [[nodiscard]] std::string_view tracedName(std::size_t index) const { return tracedAs[index]; }

  private:
    /// Several conversions in a row, of which each reads the one before and nothing else does, run as one
    /// operator: where it may be any of them, it is all of them.
    void takeAllBetween(const std::vector<std::size_t>& front, const std::vector<std::size_t>& back,
                        std::vector<std::optional<std::vector<std::size_t>>>& found) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool isAlone =
                (i == 0 || back[i - 1] < front[i]) && (i + 1 == names.size() || front[i + 1] > back[i]);
            if (found[i] || !isAlone || !isRowOfConversions(front[i], back[i])) {
                continue;
            }
            tracedAs[i] = nodes[front[i]].tracedAs;
            found[i].emplace();
            for (std::size_t at = front[i]; at <= back[i]; ++at) {
                found[i]->push_back(nodes[at].payloadNode);
                operatorOf[nodes[at].payloadNode] = i;
            }
        }
    }

    [[nodiscard]] bool isRowOfConversions(std::size_t first, std::size_t last) const {
        for (std::size_t at = first; at <= last; ++at) {
            const PayloadNode& node = payload.nodes[nodes[at].payloadNode];
            const bool follows =
                at == first || node.inputs[0] == payload.nodes[nodes[at - 1].payloadNode].outputs[0];
            if (node.traits->kind != NodeKind::Convert || !follows) {
                return false;
            }
        }
        return true;
    }

    void addDropped(std::size_t node, std::vector<std::optional<std::vector<std::size_t>>>& found) const {
        std::size_t host = node;
        // Chains of dropped nodes end, since each step goes the same way through the graph.
        for (std::size_t steps = 0;
             host != noOperator && operatorOf[host] == noOperator && steps < payload.nodes.size(); ++steps) {
            host = hostOf(payload, host);
        }
        if (host != noOperator && operatorOf[host] != noOperator) {
            found[operatorOf[host]]->push_back(node);
        }
    }

    const Payload& payload;
    std::span<const LibraryNode> nodes;
    std::span<const std::string> names;
    std::vector<std::size_t> operatorOf;     ///< by the payload's node
    std::vector<std::string_view> tracedAs;  ///< by operator
};

std::string metadataOf(const Payload& payload, const std::optional<std::vector<std::size_t>>& nodes) {
    if (!nodes) {
        return R"({"start":"synthetic"})";
    }
    std::vector<std::uint32_t> handles;
    for (const std::size_t node : *nodes) {
        const std::uint32_t handle = payload.nodes[node].debugHandle;
        if (handle != noDebugHandle && std::ranges::find(handles, handle) == handles.end()) {
            handles.push_back(handle);
        }
    }
    return fmt::format(R"({{"debug_handles":[{}],"start":"synthetic"}})", fmt::join(handles, ","));
}

/// The name in traces: as the library of today spells it, which names what the installed one calls
/// "elementwise".
std::string tracedName(std::string_view tracedAs, std::string_view name) {
    for (const std::string_view kernel : {" Transpose", " Mean"}) {
        if (name.ends_with(kernel)) {
            name.remove_suffix(kernel.size());
        }
    }
    const bool isGeneric = name.starts_with("Unary Elementwise (") ||
                           name.starts_with("Binary Elementwise (") || name.starts_with("Convert (") ||
                           name.starts_with("Copy (");
    return std::string(isGeneric && !tracedAs.empty() ? tracedAs : name);
}

}  // namespace

std::vector<ProfiledOperator> matchOperators(const Payload& payload,
                                             std::span<const LibraryNode> libraryNodes,
                                             std::span<const std::string> names) {
    Matching matching(payload, libraryNodes, names);
    auto nodes = matching.find();
    std::vector<ProfiledOperator> operators;
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = tracedName(matching.tracedName(i), names[i]);
        operators.push_back({.name = fmt::format("{} #{}", name, ++counts[name]),
                             .nodes = std::move(nodes[i]),
                             .metadata = {}});
        operators.back().metadata = metadataOf(payload, operators.back().nodes);
    }
    return operators;
}

namespace {

/// How operators of any runtime may be called, by the payload's node.
std::vector<std::string> tracedPatterns(const Payload& payload) {
    std::vector<std::string> patterns;
    for (const PayloadNode& node : payload.nodes) {
        patterns.emplace_back(node.traits->operatorNames);
        if (!node.traits->tracedAs.empty()) {
            patterns.back() += fmt::format("|{}", node.traits->tracedAs);
        }
        if (!node.traits->functions->laterNames.empty()) {
            patterns.back() += fmt::format("|{}", node.traits->functions->laterNames);
        }
        if (node.traits->kind == NodeKind::Multiply && node.inputs[0] == node.inputs[1]) {
            patterns.back() += "|Square (";  // what later libraries make of x * x
        }
    }
    return patterns;
}

std::vector<LibraryNode> nodesNamed(const std::vector<std::string>& patterns) {
    std::vector<LibraryNode> nodes;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        nodes.push_back({.payloadNode = i, .operatorNames = patterns[i]});
    }
    return nodes;
}

std::vector<std::string> withoutCounters(std::span<const std::string_view> tracedNames) {
    std::vector<std::string> names;
    for (const std::string_view name : tracedNames) {
        names.emplace_back(name.substr(0, name.rfind(" #")));
    }
    return names;
}

/// Nodes that always run, as one operator each, and how those are called.
bool isProduct(const PayloadNode& node) {
    constexpr std::array products{NodeForm::BatchMatrixMultiply, NodeForm::FullyConnected,
                                  NodeForm::Convolution, NodeForm::DepthwiseConvolution,
                                  NodeForm::TransposedConvolution};
    return std::ranges::contains(products, node.traits->form());
}
bool isProduct(std::string_view name) {
    const auto products = std::ranges::find_if(traceTraits().families, &executor::OperatorFamily::products);
    return std::ranges::contains(products->operators, traceTraits().typeOf(name));
}

/// Whether a product works on quantized elements.
bool isQuantized(const Payload& payload, const PayloadNode& node) {
    return std::ranges::any_of(std::span(node.inputs).first(2), [&payload](ValueIndex input) {
        using enum Datatype;
        constexpr std::array quantized{QInt8, QUInt8, QCInt8, QCInt4, QDInt8, QBInt4, QPInt8};
        return std::ranges::contains(quantized, payload.value(input).datatype);
    });
}

/// Operators that move or convert elements: the library adds some of its own (padding of 4-bit products), so
/// they prove nothing.
bool isLayout(std::string_view name) {
    return std::ranges::contains(traceTraits().layouts, traceTraits().typeOf(name));
}

/// Whether a node runs as an operator of its own in every version of the library: a clamp goes into its
/// writer.
bool mustRun(const PayloadNode& node) {
    const NodeForm form = node.traits->form();
    return (form == NodeForm::Unary || form == NodeForm::Binary) && node.traits->kind != NodeKind::Clamp;
}

/// A node that must have run and for which there is no operator.
std::optional<std::string> missingOperator(const Payload& payload, std::span<const LibraryNode> nodes,
                                           std::span<const std::string> names) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!mustRun(payload.nodes[i])) {
            continue;
        }
        while (next < names.size() && !mayBe(nodes[i], names[next])) {
            ++next;
        }
        if (next++ == names.size()) {
            return fmt::format("ran nothing for node {} of the delegate ({})", i,
                               payload.nodes[i].traits->name);
        }
    }
    return std::nullopt;
}

std::optional<std::string> productContradiction(const Payload& payload, std::span<const std::string> names) {
    std::vector<const PayloadNode*> nodes;
    for (const PayloadNode& node : payload.nodes) {
        if (isProduct(node)) {
            nodes.push_back(&node);
        }
    }
    std::vector<std::string_view> ran;
    std::ranges::copy_if(names, std::back_inserter(ran),
                         [](std::string_view name) { return isProduct(name); });
    // Attention is computed as several of the library's operators.
    const bool composed = std::ranges::contains(payload.nodes, NodeForm::Attention,
                                                [](const PayloadNode& node) { return node.traits->form(); });
    if (composed) {
        return std::nullopt;
    }
    if (ran.size() != nodes.size()) {
        return fmt::format("ran {} convolutions and matrix products, where the delegate has {}", ran.size(),
                           nodes.size());
    }
    for (std::size_t i = 0; i < ran.size(); ++i) {
        if (traceTraits().isQuantized(ran[i]) != isQuantized(payload, *nodes[i])) {
            return fmt::format("ran \"{}\", where the delegate has {} of {} elements", ran[i],
                               nodes[i]->traits->name,
                               datatypeName(payload.value(nodes[i]->inputs[1]).datatype));
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::optional<std::vector<std::size_t>>> nodesOfTraced(
    const Payload& payload, std::span<const std::string_view> tracedNames) {
    const std::vector<std::string> patterns = tracedPatterns(payload);
    return Matching(payload, nodesNamed(patterns), withoutCounters(tracedNames)).find();
}

std::optional<std::string> tracedContradiction(const Payload& payload,
                                               std::span<const std::string_view> tracedNames) {
    if (std::ranges::none_of(tracedNames, traceTraits().isOperator)) {
        return std::nullopt;
    }
    const std::vector<std::string> names = withoutCounters(tracedNames);
    if (auto wrong = productContradiction(payload, names)) {
        return wrong;
    }
    const std::vector<std::string> patterns = tracedPatterns(payload);
    const std::vector<LibraryNode> nodes = nodesNamed(patterns);
    std::size_t next = 0;
    for (const std::string& name : names) {
        if (isLayout(name)) {
            continue;
        }
        const std::size_t before = next;
        while (next < nodes.size() && !mayBe(nodes[next], name)) {
            ++next;
        }
        if (next++ == nodes.size()) {
            return fmt::format("ran \"{}\", which the delegate does not have behind its node {}", name,
                               before);
        }
    }
    return missingOperator(payload, nodes, names);
}

Result<Profile> Profile::make(const Payload& payload, const GraphRuntime& runtime) {
    ET_ASSIGN(const std::vector<std::string> names, runtime.operatorNames());
    Profile profile;
    profile.all = matchOperators(payload, runtime.nodes(), names);
    profile.microseconds.assign(names.size(), 0);
    return profile;
}

Result<> Profile::report(const GraphRuntime& runtime, core::EventTracer& tracer, const core::TraceIds& ids,
                         std::uint64_t start) {
    ET_TRY(runtime.operatorTimes(microseconds));
    const core::TraceName unnamed = tracer.name("");
    for (std::size_t i = 0; i < all.size(); ++i) {
        core::TraceIds own = ids;
        own.delegateString = all[i].name;
        const std::uint64_t end = start + microseconds[i] * nanosecondsPerMicrosecond;
        tracer.profile(unnamed, own, start, end, std::as_bytes(std::span(all[i].metadata)));
        start = end;
    }
    return {};
}

}  // namespace et::backends::xnnpack
