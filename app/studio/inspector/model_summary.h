#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/findings/findings.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "inspector/tensors/tensor_catalog.h"
#include "runtime/core/graph.h"
#include "visualizers/delegates/delegation.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::studio {

/// A program's information about the operators of a method.
struct MethodCounts {
    std::string name;
    core::ModelGraph graph;  ///< instructions, with delegates expanded
    std::optional<inspector::MemoryTimeline> memory{};
};

/// Data for all operators of a session that is slow to compute. Immutable; owns or shares everything it
/// refers to.
struct ModelSummary {
    std::shared_ptr<const inspector::Session> session;
    std::vector<MethodCounts> methods{};
    std::vector<inspector::Finding> findings{};
    inspector::events::EventRows rows{};
    std::shared_ptr<const visualizers::Delegation> delegation{};  ///< null without a program
    std::shared_ptr<const inspector::TensorCatalog> tensors{};

    /// Omits unreadable data: the panels that show it report the reason.
    [[nodiscard]] static std::shared_ptr<const ModelSummary> of(
        const std::shared_ptr<const inspector::Session>& session);
    /// Returns null if there is no program or no such method. An empty name selects the only method.
    [[nodiscard]] const MethodCounts* findMethod(std::string_view name) const;
    /// Likewise.
    [[nodiscard]] const inspector::MethodDelegates* findDelegates(std::string_view name) const;
};

}  // namespace et::studio
