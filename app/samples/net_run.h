#pragma once

#include "app/samples/net.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::samples {

/// The elements of a float32 tensor.
using Elements = std::vector<float>;

/// Inputs of one execution, with the outputs computed by the program.
struct NetCase {
    std::vector<Elements> inputs;
    std::vector<Elements> outputs;
};

struct RunOptions {
    int cases = 3;        ///< each with its own inputs, in [-1, 1)
    int executions = 10;  ///< traced executions, on the inputs of the first case
    core::DebugLevel debugLevel = core::DebugLevel::Intermediates;
};

struct NetRun {
    std::vector<NetCase> cases;
    std::vector<std::byte> trace;        ///< trace of loading and of the executions, an .etdp
    std::vector<std::byte> debugBuffer;  ///< empty without a debug level
};

/// Runs the program of a net with the runtime's own kernels on one thread. Inputs are deterministic, times
/// are measured. Errors: those of executor::Method and etdump::Recorder.
[[nodiscard]] core::Result<NetRun> runNet(const Net& net, core::Bytes program, const RunOptions& options);

/// Returns the bundled program (.bpte) of a net and its cases. Errors: those of
/// bundled_program::writeBundle().
[[nodiscard]] core::Result<std::vector<std::byte>> makeBundle(const Net& net, core::Bytes program,
                                                              const std::vector<NetCase>& cases);

}  // namespace et::samples
