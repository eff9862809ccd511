#include "app/tasks/base/live_gauge.h"

#include "app/devices/state_json.h"

#include <algorithm>
#include <utility>

namespace et::tasks {

std::optional<wire::DeviceState> OwnState::operator()() {
    constexpr std::chrono::seconds pause{1};
    const auto now = std::chrono::steady_clock::now();
    if (looked && now - *looked < pause) {
        return std::nullopt;
    }
    looked = now;
    if (!gauge) {
        gauge.emplace();
    }
    wire::DeviceState state = gauge->read();
    state.core = -1;  // core of this thread, which runs no model
    return state;
}

void LiveGauge::watchDevice(Source device) {
    const std::scoped_lock lock(sourceMutex);
    source = std::move(device);
}

void LiveGauge::executed(std::uint64_t nanoseconds) {
    const std::scoped_lock lock(timesMutex);
    ++times.count;
    times.last = nanoseconds;
    times.least = std::min(times.least, nanoseconds);
    times.most = std::max(times.most, nanoseconds);
    times.sum += nanoseconds;
}

LiveGauge::Times LiveGauge::take() {
    const std::scoped_lock lock(timesMutex);
    return std::exchange(times, {});
}

void LiveGauge::tell(core::JsonWriter& line) {
    const Times told = take();
    if (told.count == 0) {
        return;  // the device only matters while a model runs on it
    }
    line.key("times");
    line.beginObject();
    line.member("executions", [&] { line.integer(told.count); });
    line.member("last_ns", [&] { line.integer(told.last); });
    line.member("min_ns", [&] { line.integer(told.least); });
    line.member("max_ns", [&] { line.integer(told.most); });
    line.member("avg_ns", [&] { line.integer(told.sum / told.count); });
    line.endObject();
    const std::scoped_lock lock(sourceMutex);
    if (const auto state = source ? source() : std::nullopt) {
        line.key("device");
        devices::writeState(line, *state);
    }
}

}  // namespace et::tasks
