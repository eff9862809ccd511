#include "app/wire/device_gauge.h"

#include "runtime/core/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <thread>

namespace et::wire {
namespace {

namespace fs = std::filesystem;

/// Start of a small kernel file; empty if it cannot be read.
std::string contentOf(const std::string& path) {
    std::array<char, 4096> buffer{};
    const core::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t got = file ? ::read(file.get(), buffer.data(), buffer.size()) : -1;
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

template <class T>
std::optional<T> firstNumber(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The number that follows `word`.
template <class T>
std::optional<T> numberBehind(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    return at == std::string_view::npos ? std::nullopt : firstNumber<T>(text.substr(at + word.size()));
}

/// Files "PREFIX0/NAME", "PREFIX1/NAME", … for consecutive existing folders.
std::vector<std::string> numbered(const fs::path& prefix, std::string_view name) {
    std::vector<std::string> files;
    std::error_code unknown;
    for (std::size_t i = 0;; ++i) {
        const fs::path folder = fmt::format("{}{}", prefix.string(), i);
        if (!fs::is_directory(folder, unknown)) {
            return files;
        }
        files.push_back((folder / name).string());
    }
}

}  // namespace

DeviceGauge::DeviceGauge(const fs::path& root)
    : clocks(numbered(root / "sys/devices/system/cpu/cpu", "cpufreq/scaling_cur_freq")),
      zones(numbered(root / "sys/class/thermal/thermal_zone", "temp")),
      throttles(numbered(root / "sys/devices/system/cpu/cpu", "thermal_throttle/core_throttle_count")),
      memory((root / "proc/meminfo").string()),
      pressure((root / "proc/pressure/memory").string()) {
}

DeviceState DeviceGauge::read() const {
    DeviceState state;
    state.core = ::sched_getcpu();
    for (const std::string& each : clocks) {
        state.kilohertz.push_back(firstNumber<std::uint32_t>(contentOf(each)).value_or(0));
    }
    if (std::ranges::all_of(state.kilohertz, [](std::uint32_t clock) { return clock == 0; })) {
        state.kilohertz.clear();
    }
    for (const std::string& each : zones) {
        state.milliCelsius = std::max(
            state.milliCelsius, firstNumber<std::int32_t>(contentOf(each)).value_or(state.milliCelsius));
    }
    for (const std::string& each : throttles) {
        state.throttled += firstNumber<std::uint64_t>(contentOf(each)).value_or(0);
    }
    state.availableBytes = numberBehind<std::uint64_t>(contentOf(memory), "MemAvailable:").value_or(0) * 1024;
    state.memoryPressure = numberBehind<double>(contentOf(pressure), "some avg10=").value_or(-1);
    return state;
}

DeviceDescription DeviceGauge::describe() const {
    utsname name{};
    ::uname(&name);
    return {.system = fmt::format("{} {}", name.sysname, name.release),
            .machine = name.machine,
            .cores = std::thread::hardware_concurrency(),
            .memoryBytes = numberBehind<std::uint64_t>(contentOf(memory), "MemTotal:").value_or(0) * 1024,
            .state = read()};
}

}  // namespace et::wire
