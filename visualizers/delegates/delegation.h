#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/session/session.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// What the views of delegates show: all that is known of those of the open program. Immutable; keeps alive
/// what it borrows.
struct Delegation {
    std::shared_ptr<const inspector::Session> session;
    std::vector<std::shared_ptr<const program::TensorData>> tensorData{};
    inspector::DelegationReport report{};
    std::vector<std::string> problems{};
    std::optional<inspector::TimeScale> timeScale{};  ///< of the times; nothing without a trace

    /// Null where the session has no program. Looks into payloads, which takes a moment.
    [[nodiscard]] static std::shared_ptr<const Delegation> build(
        const std::shared_ptr<const inspector::Session>& session);
};

/// A delegate, and one of its calls; without one where nothing calls it. Positions in the report.
struct DelegateRef {
    std::size_t method = 0;
    std::size_t delegate = 0;
    std::optional<std::size_t> call{};
    bool operator==(const DelegateRef&) const = default;
};

}  // namespace et::visualizers
