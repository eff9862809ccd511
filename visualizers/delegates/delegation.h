#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/session/session.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// Data of the delegate views for the open program. Immutable; keeps everything it refers to alive.
struct Delegation {
    std::shared_ptr<const inspector::Session> session;
    std::vector<std::shared_ptr<const program::TensorData>> tensorData{};
    inspector::DelegationReport report{};
    std::vector<std::string> problems{};
    std::optional<inspector::TimeScale> timeScale{};  ///< time unit; nothing without a trace

    /// Returns null if the session has no program. Parses payloads, which takes a moment.
    [[nodiscard]] static std::shared_ptr<const Delegation> build(
        const std::shared_ptr<const inspector::Session>& session);
};

/// A delegate and one of its calls, if it is called. Positions in the report.
struct DelegateRef {
    std::size_t method = 0;
    std::size_t delegate = 0;
    std::optional<std::size_t> call{};
    bool operator==(const DelegateRef&) const = default;
};

}  // namespace et::visualizers
