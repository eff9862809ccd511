#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/limits/machine_profile.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace et::app {

/// The machine that traces are compared with.
struct LimitOptions {
    std::filesystem::path machine{};  ///< its measurement as JSON; empty: the one in the cache
    std::size_t threads = 1;  ///< that the trace ran with; 0: as many as the machine was measured with
};

/// The measurement that the options name; nothing where there is none: `note` gets a line that says how to
/// make one. Errors: those of readProfile() for a file that was named.
[[nodiscard]] core::Result<std::optional<inspector::MachineProfile>> machineFor(
    const LimitOptions& options, const std::function<void(const std::string&)>& note);

/// What the events of all traces of a session have to do, and the least times. Null without a program: `note`
/// gets a line. Errors: as machineFor().
[[nodiscard]] core::Result<std::shared_ptr<const inspector::report::EventLimits>> sessionLimits(
    const inspector::Session& session, const LimitOptions& options,
    const std::function<void(const std::string&)>& note);

}  // namespace et::app
