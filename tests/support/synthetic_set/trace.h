#pragma once

#include "runtime/core/result.h"
#include "tests/support/synthetic_set/values.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace et::test::synthetic {

/// Name of the trace's first event: warns the user that its times are not measurements.
inline constexpr std::string_view syntheticNote = "SYNTHETIC (times are made up, not measured)";

struct TraceFiles {
    std::vector<std::byte> trace;
    std::vector<std::byte> debugBuffer;
};

/// Simulates the log of ten executions in the layout of the real runtime: events in the order in which they
/// end, the result of each kernel, all arguments of the delegate call and the results inside it, and the
/// output. Times are nanoseconds of a seeded cost model. Errors: those of etdump::TraceWriter.
[[nodiscard]] core::Result<TraceFiles> makeTrace(const Values& values);

}  // namespace et::test::synthetic
