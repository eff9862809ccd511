#include "inspector/join/handle_resolver.h"

#include "inspector/names/operator_names.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace et::inspector::join::detail {
namespace {

/// A delegate that fuses whole blocks has dozens of handles per step.
constexpr std::size_t maxBytes = std::size_t{1} << 20U;

/// Maximum number of nodes of one list of handles; a whole delegated network has thousands.
constexpr std::size_t maxNodes = std::size_t{1} << 20U;
/// Maximum number of substring comparisons in one join; every pair of identifiers is compared.
constexpr std::size_t maxSubstringTests = 100'000'000;

}  // namespace

std::optional<std::vector<core::DebugHandle>> metadataHandles(core::Bytes metadata) {
    if (metadata.size() < 2 || metadata.size() > maxBytes || metadata.front() != std::byte{'{'}) {
        return std::nullopt;
    }
    simdjson::dom::parser parser;
    simdjson::dom::array list;
    const simdjson::padded_string text(reinterpret_cast<const char*>(metadata.data()), metadata.size());
    if (parser.parse(text)["debug_handles"].get(list) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    std::vector<core::DebugHandle> handles;
    for (const simdjson::dom::element element : list) {
        std::int64_t handle = 0;
        if (element.get(handle) != simdjson::SUCCESS || handle < 0) {
            return std::nullopt;
        }
        handles.emplace_back(handle);
    }
    return handles;
}

core::Result<> HandleResolver::resolve(Event& event) {
    if (method.maps == nullptr) {
        return {};
    }
    if (const auto count = method.maps->outputCounts.find(event.instruction);
        count != method.maps->outputCounts.end()) {
        event.outputCount = count->second;
    }
    const auto entry = method.maps->debugHandles.find(event.instruction);
    if (entry == method.maps->debugHandles.end()) {
        return {};
    }
    event.regionHandles = entry->second.handles;
    if (event.delegated) {
        resolveDelegated(event, entry->second);
    } else {
        event.handles = entry->second.handles;
        event.handlesAreList = entry->second.list;
        event.handleSource = HandleSource::Instruction;
        const auto delegate = method.maps->delegates.find(event.instruction);
        if (event.name == names::detail::delegateCall && delegate != method.maps->delegates.end()) {
            event.backend = delegate->second.backend;
        }
    }
    return names::detail::isFrameworkEvent(event.name) ? core::Result<>{} : associate(event);
}

bool HandleResolver::resolveFromMetadata(Event& event) {
    if (quirks || trace == nullptr || event.profileEvents.empty()) {
        return false;
    }
    auto handles = metadataHandles(trace->metadata(event.profileEvents.front()));
    if (!handles) {
        return false;
    }
    event.handles = handleLists.emplace_back(*std::move(handles));
    event.handlesAreList = true;
    event.handleSource = HandleSource::DelegateMetadata;
    return true;
}

core::Result<> HandleResolver::take(Event& event, Handles handles) {
    event.handles = handleLists.emplace_back(std::move(handles));
    event.handlesAreList = true;
    event.handleSource = HandleSource::DelegatePayload;
    return associate(event);
}

void HandleResolver::resolveDelegated(Event& event, const etrecord::HandleEntry& entry) {
    const auto delegate = method.maps->delegates.find(event.instruction);
    if (delegate != method.maps->delegates.end()) {
        event.backend = delegate->second.backend;
    }
    if (resolveFromMetadata(event)) {
        return;
    }
    if (delegate == method.maps->delegates.end()) {
        event.handles = entry.handles;
        event.handlesAreList = entry.list;
        event.handleSource = HandleSource::WholeDelegate;
        return;
    }
    const Handles* handles = handlesOf(delegate->second, event);
    event.handleSource = handles == nullptr ? HandleSource::UnmappedDelegate : HandleSource::DelegateMap;
    if (handles != nullptr) {
        event.handles = *handles;
        event.handlesAreList = true;
    }
}

const HandleResolver::Handles* HandleResolver::handlesOf(const etrecord::DelegateEntry& delegate,
                                                         const Event& event) {
    const auto [known, isNew] = identifiers.try_emplace(&delegate);
    if (isNew) {
        for (const auto& [identifier, handles] : delegate.identifiers) {
            known->second.insert_or_assign(identifier, &handles);
        }
    }
    // A delegated event is named by its identifier; JSON keys spell it the same way, including numbers.
    const auto exact = known->second.find(event.name);
    const Handles* found = exact == known->second.end() ? nullptr : exact->second;
    if (quirks && (found == nullptr || event.delegateInt)) {
        const Handles* part = bySubstring(delegate, event.name);
        return part == nullptr ? found : part;
    }
    return found;
}

const HandleResolver::Handles* HandleResolver::bySubstring(const etrecord::DelegateEntry& delegate,
                                                           std::string_view identifier) {
    const Handles* last = nullptr;
    for (const auto& [key, handles] : delegate.identifiers) {
        if (++substringTests <= maxSubstringTests && identifier.contains(key)) {
            last = &handles;
        }
    }
    return last;
}

core::Result<> HandleResolver::associate(Event& event) {
    if (method.graph == nullptr || event.handles.empty()) {
        return {};
    }
    const auto [known, isNew] = nodesOfList.try_emplace(event.handles.data());
    if (isNew) {
        std::vector<etrecord::NodeIndex>& nodes = nodeLists.emplace_back();
        for (const core::DebugHandle handle : event.handles) {
            const auto more = method.graph->nodesOf(handle);
            if (nodes.size() + more.size() > maxNodes) {
                return core::fail(
                    core::ErrorCode::Limit,
                    fmt::format("the debug handles of instruction {} refer to more than {} nodes",
                                event.instruction.value, maxNodes),
                    {.file = {}, .field = "debug_handle_map", .offset = {}});
            }
            std::ranges::copy_if(more, std::back_inserter(nodes), [this](etrecord::NodeIndex node) {
                return !quirks || !names::detail::isUnloadedByReference(method.graph->nodes[node].op);
            });
        }
        known->second = nodes;
    }
    event.nodes = known->second;
    return {};
}

}  // namespace et::inspector::join::detail
