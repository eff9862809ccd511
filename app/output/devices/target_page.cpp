#include "app/output/devices/target_page.h"

#include "app/output/info/info_text.h"

#include <cstdint>
#include <utility>

namespace et::output {
namespace {

using devices::Target;

constexpr std::int64_t targetSchema = 1;
constexpr double perMilli = 1e-3;
constexpr double perMicro = 1e-6;

void addText(Dict& info, std::string key, std::string text) {
    if (!text.empty()) {
        info.emplace_back(std::move(key), std::move(text));
    }
}

Dict targetInfo(const Target& target) {
    Dict info{{"name", target.name}, {"address", target.address}};
    addText(info, "folder", target.folder);
    addText(info, "ssh_config", target.sshConfig.string());
    addText(info, "agent", target.agent.string());
    addText(info, "push", target.commands.push);
    addText(info, "run", target.commands.run);
    addText(info, "pull", target.commands.pull);
    return info;
}

Cell milliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) * perMicro;
}

Dict testInfo(const Target& target, const devices::TargetTest& test) {
    const wire::DeviceState& state = test.device.state;
    Dict info{{"target", devices::titleOf(target)},
              {"address", target.address},
              {"system", core::printable(test.device.system)},
              {"machine", core::printable(test.device.machine)},
              {"cores", std::uint64_t{test.device.cores}},
              {"memory_bytes", test.device.memoryBytes},
              {"available_bytes", state.availableBytes}};
    if (!state.kilohertz.empty()) {
        info.emplace_back("clock_khz",
                          std::vector<std::uint64_t>(state.kilohertz.begin(), state.kilohertz.end()));
    }
    if (state.milliCelsius != INT32_MIN) {
        info.emplace_back("celsius", state.milliCelsius * perMilli);
    }
    info.emplace_back("connect_ms", milliseconds(test.connectNanoseconds));
    info.emplace_back("round_trip_ms", milliseconds(test.roundTripNanoseconds));
    info.emplace_back("sent_bytes", test.sentBytes);
    return info;
}

}  // namespace

std::string targetsText(std::span<const Target> targets) {
    std::string text;
    for (const Target& each : targets) {
        text += infoText(targetInfo(each), 0);
    }
    return text.empty() ? "no targets; 'et-inspect target add NAME ADDRESS' adds one\n" : text;
}

std::string targetsJson(std::span<const Target> targets) {
    return jsonDocument(targetSchema, {{"targets", listOf(targets, targetInfo)}});
}

std::string targetTestText(const Target& target, const devices::TargetTest& test) {
    return infoText(testInfo(target, test), 0);
}

std::string targetTestJson(const Target& target, const devices::TargetTest& test) {
    return jsonDocument(targetSchema, testInfo(target, test));
}

Dict deviceInfo(const Target& target, const devices::DeviceSummary& summary) {
    Dict info{
        {"target", devices::titleOf(target)}, {"executions", summary.executions}, {"kept", summary.kept}};
    if (!summary.cores.empty()) {
        info.emplace_back("cores", std::vector<std::int64_t>(summary.cores.begin(), summary.cores.end()));
    }
    if (summary.highestKilohertz != 0) {
        info.emplace_back("lowest_clock_khz", std::uint64_t{summary.lowestKilohertz});
        info.emplace_back("highest_clock_khz", std::uint64_t{summary.highestKilohertz});
    }
    if (summary.highestMilliCelsius != INT32_MIN) {
        info.emplace_back("first_celsius", summary.firstMilliCelsius * perMilli);
        info.emplace_back("highest_celsius", summary.highestMilliCelsius * perMilli);
    }
    info.emplace_back("throttled", summary.throttled);
    if (summary.leastAvailableBytes != 0) {
        info.emplace_back("least_available_bytes", summary.leastAvailableBytes);
    }
    if (summary.highestMemoryPressure >= 0) {
        info.emplace_back("highest_memory_pressure_percent", summary.highestMemoryPressure);
    }
    return info;
}

}  // namespace et::output
