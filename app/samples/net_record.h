#pragma once

#include "app/samples/net.h"
#include "app/samples/net_run.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::samples {

/// Returns the ETRecord of a net: its Edge graph with parameters, buffers and example inputs, the map from
/// the instructions of makeProgram() to debug handles, and the cases: the inputs of the first case are the
/// representative inputs, the outputs of all cases the reference. Without cases there are no inputs and
/// outputs. Deterministic. Errors: those of etrecord::RecordWriter and etrecord::writeTorchArchive().
[[nodiscard]] core::Result<std::vector<std::byte>> makeRecord(const Net& net,
                                                              const std::vector<NetCase>& cases = {});

}  // namespace et::samples
