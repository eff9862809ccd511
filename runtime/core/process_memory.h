#pragma once

#include <cstdint>

namespace et::core {

/// Resets the peak; false if unsupported (peakResidentBytes() is then the peak since the start of the
/// process).
bool resetPeakResident();

/// Largest resident set since the last reset, in bytes (VmHWM); 0 if unavailable.
[[nodiscard]] std::uint64_t peakResidentBytes();

}  // namespace et::core
