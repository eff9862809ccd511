#pragma once

#include <cstdint>

namespace et::core {

/// Starts a new measurement of the peak; false where the system cannot (then peakResidentBytes() is the
/// peak since the process began).
bool resetPeakResident();

/// Largest resident set since the last reset, in bytes (VmHWM); 0 where the system does not tell.
[[nodiscard]] std::uint64_t peakResidentBytes();

}  // namespace et::core
