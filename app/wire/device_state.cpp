#include "app/wire/device_state.h"

namespace et::wire {

void encodeState(Encoder& out, const DeviceState& state) {
    out.add(state.core);
    out.list(state.kilohertz, [](Encoder& each, std::uint32_t clock) { each.add(clock); });
    out.add(state.milliCelsius).add(state.throttled).add(state.availableBytes).add(state.memoryPressure);
}

core::Result<DeviceState> decodeState(Decoder& in) {
    DeviceState state;
    ET_ASSIGN(state.core, in.number<std::int32_t>("core"));
    ET_ASSIGN(const std::uint32_t cores, in.count("clocks", sizeof(std::uint32_t)));
    for (std::uint32_t i = 0; i < cores; ++i) {
        ET_ASSIGN(const auto clock, in.number<std::uint32_t>("clock"));
        state.kilohertz.push_back(clock);
    }
    ET_ASSIGN(state.milliCelsius, in.number<std::int32_t>("temperature"));
    ET_ASSIGN(state.throttled, in.number<std::uint64_t>("throttling"));
    ET_ASSIGN(state.availableBytes, in.number<std::uint64_t>("memory"));
    ET_ASSIGN(state.memoryPressure, in.real("memory pressure"));
    return state;
}

}  // namespace et::wire
