#include "app/devices/device_log.h"

#include "app/devices/state_json.h"
#include "runtime/core/json_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <span>

namespace et::devices {
namespace {

using core::Result;

std::string lineOf(const DeviceLog::Run& run) {
    core::JsonWriter json;
    json.beginObject();
    json.member("run", [&] { json.integer(run.number); });
    json.member("nanoseconds", [&] { json.integer(run.nanoseconds); });
    json.member("kept", [&] { json.boolean(run.kept); });
    json.member("before", [&] { writeState(json, run.before); });
    json.member("after", [&] { writeState(json, run.after); });
    json.endObject();
    return json.take() + "\n";
}

}  // namespace

Result<DeviceLog> DeviceLog::open(const std::filesystem::path& file) {
    DeviceLog log;
    log.path = file.string();
    if (!file.empty()) {
        constexpr mode_t mode = 0666;
        log.file = core::Descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode));
        if (!log.file) {
            return std::unexpected(core::systemError("cannot write", errno, log.path));
        }
    }
    return log;
}

void DeviceLog::see(const wire::DeviceState& state, std::int32_t core) {
    if (core >= 0 && static_cast<std::size_t>(core) < state.kilohertz.size()) {
        const std::uint32_t clock = state.kilohertz[static_cast<std::size_t>(core)];
        seen.lowestKilohertz = seen.lowestKilohertz == 0 ? clock : std::min(seen.lowestKilohertz, clock);
        seen.highestKilohertz = std::max(seen.highestKilohertz, clock);
    }
    seen.highestMilliCelsius = std::max(seen.highestMilliCelsius, state.milliCelsius);
    seen.highestMemoryPressure = std::max(seen.highestMemoryPressure, state.memoryPressure);
    if (state.availableBytes != 0) {
        seen.leastAvailableBytes = seen.leastAvailableBytes == 0
                                       ? state.availableBytes
                                       : std::min(seen.leastAvailableBytes, state.availableBytes);
    }
    seen.throttled = std::max(seen.throttled, state.throttled - std::min(state.throttled, throttledBefore));
}

Result<> DeviceLog::add(const Run& run) {
    if (seen.executions++ == 0) {
        throttledBefore = run.before.throttled;
        seen.firstMilliCelsius = run.before.milliCelsius;
    }
    seen.kept += run.kept ? 1 : 0;
    if (run.before.core >= 0) {
        seen.cores.insert(run.before.core);
    }
    see(run.before, run.before.core);
    see(run.after, run.after.core);
    if (!file) {
        return {};
    }
    const std::string line = lineOf(run);
    if (const int failed = core::writeAll(file.get(), std::as_bytes(std::span(line))); failed != 0) {
        return std::unexpected(core::systemError("cannot write", failed, path));
    }
    return {};
}

}  // namespace et::devices
