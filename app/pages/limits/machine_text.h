#pragma once

#include "inspector/limits/machine_profile.h"

#include <string>

namespace et::app {

/// What was measured of a machine, for people.
[[nodiscard]] std::string machineText(const inspector::MachineProfile& profile);

}  // namespace et::app
