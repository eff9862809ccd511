#pragma once

#include "app/tasks/lab/lower_run.h"
#include "app/tasks/probe/probe_graph.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::tasks {

/// Method of every probe.
inline constexpr const char* probeMethod = "forward";

/// Writes a bundled program of the graph with its inputs and expected outputs, lowered to the backend. With
/// LowerBackend::None, also its ETRecord, from which the script of reexportScript() lowers it to another
/// backend. Returns whether a delegate computes anything. Errors: Unsupported (a value that is not a tensor),
/// those of lowerOpened(); Io.
[[nodiscard]] core::Result<bool> writeProbe(const ProbeGraph& probe, LowerBackend backend,
                                            const std::filesystem::path& file);

}  // namespace et::tasks
