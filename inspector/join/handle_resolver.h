#pragma once

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/method_fit.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::inspector::join::detail {

/// Returns the debug handles in delegate metadata: et-inspect's own delegates write JSON with
/// "debug_handles". Returns nothing if there are none, since metadata can be arbitrary bytes.
[[nodiscard]] std::optional<std::vector<core::DebugHandle>> metadataHandles(core::Bytes metadata);

/// Lists of Edge nodes that events point into; a deque keeps their addresses stable.
using NodeLists = std::deque<std::vector<etrecord::NodeIndex>>;

/// Debug handles that are not in any record; a deque for the same reason.
using HandleLists = std::deque<std::vector<core::DebugHandle>>;

/// Finds the debug handles and Edge nodes of events in the record and in the metadata of delegates. One
/// resolver serves one method.
class HandleResolver {
  public:
    /// `events` is the trace that contains the events to resolve; null if there is none.
    HandleResolver(const MethodView& view, const etdump::Trace* events, bool referenceQuirks,
                   NodeLists& lists, HandleLists& handles)
        : method(view), trace(events), quirks(referenceQuirks), nodeLists(lists), handleLists(handles) {}

    /// Fills the backend, handles, handle source, nodes and output count of `event`, whose identity (name,
    /// instruction, delegate) is set. The spans live as long as the record and the node lists. Errors: Limit
    /// (a record that repeats handles excessively).
    [[nodiscard]] core::Result<> resolve(Event& event);

    using Handles = std::vector<core::DebugHandle>;
    /// Assigns handles from its delegate's payload to a resolved event. Errors: as resolve().
    [[nodiscard]] core::Result<> take(Event& event, Handles handles);

  private:
    using Identifiers = std::unordered_map<std::string_view, const Handles*>;

    [[nodiscard]] bool resolveFromMetadata(Event& event);
    void resolveDelegated(Event& event, const etrecord::HandleEntry& entry);
    [[nodiscard]] const Handles* handlesOf(const etrecord::DelegateEntry& delegate, const Event& event);
    /// Matches as the reference does: the last identifier of the map that is a substring of the event's.
    [[nodiscard]] const Handles* bySubstring(const etrecord::DelegateEntry& delegate,
                                             std::string_view identifier);
    [[nodiscard]] core::Result<> associate(Event& event);

    MethodView method;
    const etdump::Trace* trace;
    bool quirks;
    NodeLists& nodeLists;
    HandleLists& handleLists;
    std::unordered_map<const etrecord::DelegateEntry*, Identifiers> identifiers;
    std::unordered_map<const core::DebugHandle*, std::span<const etrecord::NodeIndex>> nodesOfList;
    std::size_t substringTests = 0;
};

}  // namespace et::inspector::join::detail
