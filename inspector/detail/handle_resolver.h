#pragma once

#include "etrecord/record.h"
#include "inspector/detail/method_fit.h"
#include "inspector/event_blocks.h"
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

/// Finds debug handles and Edge nodes of events, as the record says. One resolver serves one method.
class HandleResolver {
  public:
    HandleResolver(const MethodView& view, bool referenceQuirks, NodeLists& lists)
        : method(view), quirks(referenceQuirks), nodeLists(lists) {}

    /// Fills backend, handles, their source, nodes and the number of outputs of `event`, whose identity
    /// (name, instruction, delegate) is set. The spans live as long as the record and the node lists.
    /// Errors: Limit (a record that repeats handles beyond all measure).
    [[nodiscard]] core::Result<> resolve(Event& event);

  private:
    using Handles = std::vector<core::DebugHandle>;
    using Identifiers = std::unordered_map<std::string_view, const Handles*>;

    void resolveDelegated(Event& event, const etrecord::HandleEntry& entry);
    [[nodiscard]] const Handles* handlesOf(const etrecord::DelegateEntry& delegate, const Event& event);
    /// As the reference: the last identifier of the map that is part of the event's own, however it is found.
    [[nodiscard]] const Handles* bySubstring(const etrecord::DelegateEntry& delegate,
                                             std::string_view identifier);
    [[nodiscard]] core::Result<> associate(Event& event);

    MethodView method;
    bool quirks;
    NodeLists& nodeLists;
    std::unordered_map<const etrecord::DelegateEntry*, Identifiers> identifiers;
    std::unordered_map<const core::DebugHandle*, std::span<const etrecord::NodeIndex>> nodesOfList;
    std::size_t substringTests = 0;
};

}  // namespace et::inspector::detail
