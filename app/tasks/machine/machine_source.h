#pragma once

#include "inspector/roofline/machine_profile.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace et::tasks {

/// Selects the measurement of a machine to use.
struct MachineRequest {
    std::filesystem::path import{};  ///< use this profile from now on; empty: none given
    bool refresh = false;            ///< measure again, ignoring the cache
};

/// Returns the cached measurement, or measures this machine and caches the result. A cache that cannot be
/// read or is damaged is ignored, and one that cannot be written is no error; `note` gets a line. Errors:
/// those of readProfile() for an import, and of measureMachine().
[[nodiscard]] core::Result<inspector::MachineProfile> machineProfile(
    const MachineRequest& request, const std::function<void(const std::string&)>& note,
    const std::function<void(double)>& progress, const std::function<bool()>& cancelled);

}  // namespace et::tasks
