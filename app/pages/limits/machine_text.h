#pragma once

#include "inspector/limits/machine_profile.h"

#include <string>

namespace et::app {

/// The measurements of a machine as text.
[[nodiscard]] std::string machineText(const inspector::MachineProfile& profile);

}  // namespace et::app
