#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace et::tasks {

/// Constraint on the program chosen by the search.
struct OptimizeBudget {
    enum class Kind : std::uint8_t {
        None,
        Time,   ///< maximum nanoseconds per run
        Bytes,  ///< maximum file size
        Sqnr    ///< minimum SQNR of its outputs relative to the float graph, in dB
    };
    Kind kind = Kind::None;
    double limit = 0;
    std::string text{};  ///< as given: "bytes=1M"
};

/// Parses "time=3ms", "bytes=1M", "sqnr=35dB", "error=1%" (40 dB). K, M, G, KiB and so on are powers of 1024;
/// kB, MB and GB of 1000. Errors: InvalidArgument.
[[nodiscard]] core::Result<OptimizeBudget> parseOptimizeBudget(std::string_view text);

}  // namespace et::tasks
