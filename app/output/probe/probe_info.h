#pragma once

#include "app/output/cells.h"
#include "app/tasks/probe/probe_run.h"

#include <string>

namespace et::output {

/// docs/reference/json_correctness.md, probe.
[[nodiscard]] Dict probeInfo(const tasks::ProbeResult& result);

/// A table of the findings and a summary.
[[nodiscard]] std::string probeText(const tasks::ProbeResult& result, const Style& style);

}  // namespace et::output
