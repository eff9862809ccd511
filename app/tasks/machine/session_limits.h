#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/roofline/machine_profile.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace et::tasks {

class OptionList;

/// The machine that traces are compared with, and the threads of the trace.
struct LimitOptions {
    std::filesystem::path machine{};  ///< JSON file with its measurement; empty: the cached one
    std::size_t threads = 1;          ///< of the traced run; 0: as many as the machine was measured with
};

/// Loads the measurement that the options name. Returns nothing if there is none, and `note` gets a line that
/// explains how to create one. Errors: those of readProfile() for a named file.
[[nodiscard]] core::Result<std::optional<inspector::MachineProfile>> machineFor(
    const LimitOptions& options, const std::function<void(const std::string&)>& note);

/// Work and minimum times of the events of all traces in a session. Null without a program, and `note` gets a
/// line. Errors: those of machineFor().
[[nodiscard]] core::Result<std::shared_ptr<const inspector::events::EventLimits>> sessionLimits(
    const inspector::Session& session, const LimitOptions& options,
    const std::function<void(const std::string&)>& note);

/// Adds --machine and --machine-threads.
void addLimitOptions(OptionList& options, LimitOptions& limits);

}  // namespace et::tasks
