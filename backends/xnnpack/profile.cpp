#include "backends/xnnpack/profile.h"

#include "backends/xnnpack/subgraph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

using core::Result;

constexpr std::uint64_t nanosecondsPerMicrosecond = 1000;
constexpr std::size_t none = SIZE_MAX;

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
    const bool goesForward = node.facts->form == NodeForm::Pad;
    const ValueIndex link = goesForward ? node.outputs[0] : node.inputs[0];
    std::size_t host = none;
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const auto& ends = goesForward ? payload.nodes[i].inputs : payload.nodes[i].outputs;
        if (std::ranges::find(ends, link) != ends.end()) {
            host = host == none ? i : none;
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
          operatorOf(from.nodes.size(), none),
          own(libraryNames.size(), 0) {}

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
                own[i] = node;
                operatorOf[node] = i;
            }
        }
        for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
            if (operatorOf[node] == none) {
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

    /// The node that a known operator computes, without those that were fused into it.
    [[nodiscard]] std::size_t ownNode(std::size_t index) const { return own[index]; }

  private:
    void addDropped(std::size_t node, std::vector<std::optional<std::vector<std::size_t>>>& found) const {
        std::size_t host = node;
        // Chains of dropped nodes end, since each step goes the same way through the graph.
        for (std::size_t steps = 0; host != none && operatorOf[host] == none && steps < payload.nodes.size();
             ++steps) {
            host = hostOf(payload, host);
        }
        if (host != none && operatorOf[host] != none) {
            found[operatorOf[host]]->push_back(node);
        }
    }

    const Payload& payload;
    std::span<const LibraryNode> nodes;
    std::span<const std::string> names;
    std::vector<std::size_t> operatorOf;  ///< by the payload's node
    std::vector<std::size_t> own;         ///< by operator
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
std::string tracedName(const Payload& payload, const std::optional<std::vector<std::size_t>>& nodes,
                       std::size_t own, std::string_view name) {
    for (const std::string_view kernel : {" Transpose", " Mean"}) {
        if (name.ends_with(kernel)) {
            name.remove_suffix(kernel.size());
        }
    }
    const bool isGeneric = name.starts_with("Unary Elementwise (") ||
                           name.starts_with("Binary Elementwise (") || name.starts_with("Convert (") ||
                           name.starts_with("Copy (");
    if (nodes && isGeneric && !payload.nodes[own].facts->tracedAs.empty()) {
        return std::string(payload.nodes[own].facts->tracedAs);
    }
    return std::string(name);
}

Result<std::vector<std::string>> libraryNames(xnn_runtime_t runtime) {
    std::size_t size = 0;
    (void)xnn_get_runtime_profiling_info(runtime, xnn_profile_info_operator_name, 0, nullptr, &size);
    std::string text(size, '\0');
    if (size != 0) {
        ET_TRY(checkStatus(xnn_get_runtime_profiling_info(runtime, xnn_profile_info_operator_name,
                                                          text.size(), text.data(), &size),
                           "the names of operators"));
    }
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size(); at += names.back().size() + 1) {
        names.push_back(text.substr(at, std::min(text.find('\0', at), text.size()) - at));
    }
    return names;
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
        const std::string name = tracedName(payload, nodes[i], matching.ownNode(i), names[i]);
        operators.push_back({.name = fmt::format("{} #{}", name, ++counts[name]),
                             .nodes = std::move(nodes[i]),
                             .metadata = {}});
        operators.back().metadata = metadataOf(payload, operators.back().nodes);
    }
    return operators;
}

Result<Profile> Profile::make(const Payload& payload, std::span<const LibraryNode> nodes,
                              xnn_runtime_t runtime) {
    ET_ASSIGN(const std::vector<std::string> names, libraryNames(runtime));
    Profile profile;
    profile.runtime = runtime;
    profile.all = matchOperators(payload, nodes, names);
    profile.microseconds.assign(names.size(), 0);
    return profile;
}

Result<> Profile::report(core::EventTracer& tracer, const core::TraceIds& ids, std::uint64_t start) {
    std::size_t size = 0;
    ET_TRY(checkStatus(xnn_get_runtime_profiling_info(runtime, xnn_profile_info_operator_timing,
                                                      microseconds.size() * sizeof(std::uint64_t),
                                                      microseconds.data(), &size),
                       "the times of operators"));
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
