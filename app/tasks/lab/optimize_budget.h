#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace et::app {

/// What a program that the search chooses must respect.
struct OptimizeBudget {
    enum class Kind : std::uint8_t {
        None,
        Time,   ///< nanoseconds of a run, at most
        Bytes,  ///< of the file, at most
        Sqnr    ///< decibels of its outputs against those of the float graph, at least
    };
    Kind kind = Kind::None;
    double limit = 0;
    std::string text{};  ///< as it was given: "bytes=1M"
};

/// "time=3ms", "bytes=1M", "sqnr=35dB". K, M, G, KiB and so on are powers of 1024; kB, MB and GB of 1000.
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<OptimizeBudget> parseOptimizeBudget(std::string_view text);

}  // namespace et::app
