#include "app/devices/state_json.h"

#include <string_view>

namespace et::devices {
namespace {

void addKnown(core::JsonWriter& json, std::string_view name, std::uint64_t number) {
    if (number != 0) {
        json.member(name, [&] { json.integer(number); });
    }
}

}  // namespace

void writeState(core::JsonWriter& json, const wire::DeviceState& state) {
    json.beginObject();
    if (state.core >= 0) {
        json.member("core", [&] { json.integer(std::int64_t{state.core}); });
    }
    if (!state.kilohertz.empty()) {
        json.key("kilohertz");
        json.beginArray();
        for (const std::uint32_t clock : state.kilohertz) {
            json.integer(std::uint64_t{clock});
        }
        json.endArray();
    }
    if (state.milliCelsius != INT32_MIN) {
        json.member("millicelsius", [&] { json.integer(std::int64_t{state.milliCelsius}); });
    }
    addKnown(json, "throttled", state.throttled);
    addKnown(json, "available_bytes", state.availableBytes);
    if (state.memoryPressure >= 0) {
        json.member("memory_pressure_percent", [&] { json.number(state.memoryPressure); });
    }
    json.endObject();
}

}  // namespace et::devices
