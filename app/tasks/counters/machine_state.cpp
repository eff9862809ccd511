#include "app/tasks/counters/machine_state.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// The number in `file` of each folder in `parent` whose name begins with `prefix`.
std::vector<double> numbersIn(const fs::path& parent, std::string_view prefix, const fs::path& file) {
    std::vector<double> out;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(parent, ignored)) {
        double number = 0;
        if (entry.path().filename().string().starts_with(prefix) &&
            std::ifstream(entry.path() / file) >> number) {
            out.push_back(number);
        }
    }
    return out;
}

}  // namespace

MachineState machineState(const fs::path& system) {
    constexpr double thousandth = 1e-3;  // converts kHz, and thousandths of a degree
    MachineState out;
    const auto clocks = numbersIn(system / "devices/system/cpu", "cpu", "cpufreq/scaling_cur_freq");
    if (!clocks.empty()) {
        const auto [slowest, fastest] = std::ranges::minmax(clocks);
        out.slowestClock = slowest * thousandth;
        out.fastestClock = fastest * thousandth;
    }
    const auto degrees = numbersIn(system / "class/thermal", "thermal_zone", "temp");
    if (!degrees.empty()) {
        out.temperature = std::ranges::max(degrees) * thousandth;
    }
    return out;
}

}  // namespace et::tasks
