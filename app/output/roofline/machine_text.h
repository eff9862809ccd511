#pragma once

#include "inspector/roofline/machine_profile.h"

#include <string>

namespace et::output {

/// The measurements of a machine as text.
[[nodiscard]] std::string machineText(const inspector::MachineProfile& profile);

}  // namespace et::output
