#pragma once

#include "app/wire/codec.h"

#include <cstdint>
#include <vector>

namespace et::wire {

/// What a device does beside the model, at one moment. What its system does not tell stays at the value
/// that stands here.
struct DeviceState {
    std::int32_t core = -1;                 ///< that the run is on
    std::vector<std::uint32_t> kilohertz;   ///< the clock of each core now; 0: not known
    std::int32_t milliCelsius = INT32_MIN;  ///< of its hottest zone
    std::uint64_t throttled = 0;       ///< how often cores were slowed down for their heat, since the start
    std::uint64_t availableBytes = 0;  ///< memory that programs can get
    double memoryPressure = -1;        ///< share of the last 10 s in which some waited for memory, in percent
};

void encodeState(Encoder& out, const DeviceState& state);
/// Errors: Format.
[[nodiscard]] core::Result<DeviceState> decodeState(Decoder& in);

}  // namespace et::wire
