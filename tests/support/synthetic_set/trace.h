#pragma once

#include "runtime/core/result.h"
#include "tests/support/synthetic_set/values.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace et::test::synthetic {

/// The first event of the trace: a person who opens it must not take its times for a measurement.
inline constexpr std::string_view syntheticNote = "SYNTHETIC (times are made up, not measured)";

struct TraceFiles {
    std::vector<std::byte> trace;
    std::vector<std::byte> debugBuffer;
};

/// What a runtime would have logged of ten executions, laid out as the real one does it: events in the order
/// in which they end, the result of each kernel, all arguments of the delegate call and the results inside of
/// it, and the output. Times are nanoseconds of a seeded model of cost. Errors: those of etdump::TraceWriter.
[[nodiscard]] core::Result<TraceFiles> makeTrace(const Values& values);

}  // namespace et::test::synthetic
