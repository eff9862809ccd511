#pragma once

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/method_fit.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::inspector::detail {

/// Lists of Edge nodes that events point into; a deque, so that they stay where they are.
using NodeLists = std::deque<std::vector<etrecord::NodeIndex>>;

/// Debug handles that no record holds, likewise.
using HandleLists = std::deque<std::vector<core::DebugHandle>>;

/// Finds debug handles and Edge nodes of events, as the record, and delegates beside their events, say. One
/// resolver serves one method.
class HandleResolver {
  public:
    /// `events` is the trace that events to resolve come from; null where they come from none.
    HandleResolver(const MethodView& view, const etdump::Trace* events, bool referenceQuirks,
                   NodeLists& lists, HandleLists& handles)
        : method(view), trace(events), quirks(referenceQuirks), nodeLists(lists), handleLists(handles) {}

    /// Fills backend, handles, their source, nodes and the number of outputs of `event`, whose identity
    /// (name, instruction, delegate) is set. The spans live as long as the record and the node lists.
    /// Errors: Limit (a record that repeats handles beyond all measure).
    [[nodiscard]] core::Result<> resolve(Event& event);

    using Handles = std::vector<core::DebugHandle>;
    /// Gives a resolved event handles that its delegate's payload has. Errors: as resolve().
    [[nodiscard]] core::Result<> take(Event& event, Handles handles);

  private:
    using Identifiers = std::unordered_map<std::string_view, const Handles*>;

    [[nodiscard]] bool resolveFromMetadata(Event& event);
    void resolveDelegated(Event& event, const etrecord::HandleEntry& entry);
    [[nodiscard]] const Handles* handlesOf(const etrecord::DelegateEntry& delegate, const Event& event);
    /// As the reference: the last identifier of the map that is part of the event's own, however it is found.
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

}  // namespace et::inspector::detail
