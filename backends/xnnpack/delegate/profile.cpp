#include "backends/xnnpack/delegate/profile.h"

#include "backends/xnnpack/delegate/operator_matching.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;

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

/// Name in traces, as spelled by current library versions, which have names for operators that the installed
/// version calls "elementwise".
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
    std::vector<MatchedOperator> matched = matchNodes(payload, libraryNodes, names);
    std::vector<ProfiledOperator> operators;
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = tracedName(matched[i].tracedAs, names[i]);
        operators.push_back({.name = fmt::format("{} #{}", name, ++counts[name]),
                             .nodes = std::move(matched[i].nodes),
                             .metadata = {}});
        operators.back().metadata = metadataOf(payload, operators.back().nodes);
    }
    return operators;
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
