#pragma once

#include "app/devices/device_log.h"
#include "app/devices/target.h"
#include "app/devices/target_test.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

// What `et-inspect target` prints, and what the results of a run on a device say of it.
namespace et::app {

[[nodiscard]] std::string targetsText(std::span<const devices::Target> targets);
[[nodiscard]] std::string targetsJson(std::span<const devices::Target> targets);

[[nodiscard]] std::string targetTestText(const devices::Target& target, const devices::TargetTest& test);
[[nodiscard]] std::string targetTestJson(const devices::Target& target, const devices::TargetTest& test);

/// What a device did while it ran a model; what it does not tell is left out.
[[nodiscard]] inspector::report::Dict deviceInfo(const devices::Target& target,
                                                 const devices::DeviceSummary& summary);

}  // namespace et::app
