#pragma once

#include "app/devices/device_log.h"
#include "app/devices/target.h"
#include "app/devices/target_test.h"
#include "app/output/cells.h"

#include <span>
#include <string>

// Output of `et-inspect target`, and device information in the results of a run.
namespace et::output {

[[nodiscard]] std::string targetsText(std::span<const devices::Target> targets);
[[nodiscard]] std::string targetsJson(std::span<const devices::Target> targets);

[[nodiscard]] std::string targetTestText(const devices::Target& target, const devices::TargetTest& test);
[[nodiscard]] std::string targetTestJson(const devices::Target& target, const devices::TargetTest& test);

/// State of a device while it ran a model; values that it does not report are omitted.
[[nodiscard]] Dict deviceInfo(const devices::Target& target, const devices::DeviceSummary& summary);

}  // namespace et::output
