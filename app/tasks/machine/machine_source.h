#pragma once

#include "inspector/limits/machine_profile.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace et::app {

/// Which measurement of a machine to use.
struct MachineRequest {
    std::filesystem::path import{};  ///< take this one from now on; empty: none given
    bool refresh = false;            ///< measure again, whatever the cache has
};

/// The measurement in the cache; where there is none, this machine is measured, and it is put there. A cache
/// that cannot be read or is damaged counts as none, and one that cannot be written is no error: `note` gets
/// a line. Errors: those of readProfile() for an import, and measureMachine().
[[nodiscard]] core::Result<inspector::MachineProfile> machineProfile(
    const MachineRequest& request, const std::function<void(const std::string&)>& note,
    const std::function<void(double)>& progress, const std::function<bool()>& cancelled);

}  // namespace et::app
