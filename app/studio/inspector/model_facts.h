#pragma once

#include "inspector/catalog/tensor_catalog.h"
#include "inspector/events/event_rows.h"
#include "inspector/findings/findings.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/core/graph.h"
#include "visualizers/delegates/delegation.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::studio {

/// What a program says of a method's operators.
struct MethodFacts {
    std::string name;
    core::ModelGraph graph;  ///< instructions, with delegates opened
    std::optional<inspector::MemoryTimeline> memory{};
};

/// What takes a moment to work out and holds for all operators of a session. Immutable; keeps alive what it
/// borrows.
struct ModelFacts {
    std::shared_ptr<const inspector::Session> session;
    std::vector<MethodFacts> methods{};
    std::vector<inspector::Finding> findings{};
    inspector::report::EventRows rows{};
    std::shared_ptr<const visualizers::Delegation> delegation{};  ///< null without a program
    std::shared_ptr<const inspector::TensorCatalog> tensors{};

    /// What cannot be read is left out: the rooms that show it say why.
    [[nodiscard]] static std::shared_ptr<const ModelFacts> of(
        const std::shared_ptr<const inspector::Session>& session);
    /// Null: the program has no such method, or there is none. An empty name is that of the only method.
    [[nodiscard]] const MethodFacts* findMethod(std::string_view name) const;
    /// Likewise.
    [[nodiscard]] const inspector::MethodDelegates* findDelegates(std::string_view name) const;
};

}  // namespace et::studio
