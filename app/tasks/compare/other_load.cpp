#include "app/tasks/compare/other_load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

/// Clamps to 0: threads that ended are no longer included in the counts.
std::uint64_t lessNotBelow0(std::uint64_t end, std::uint64_t start) {
    return end - std::min(end, start);
}

/// Returns the number after a key in a /proc/…/status.
std::uint64_t statusNumber(const fs::path& path, const std::string& key) {
    std::ifstream file(path);
    for (std::string word; file >> word;) {
        if (word == key) {
            std::uint64_t number = 0;
            file >> number;
            return number;
        }
    }
    return 0;
}

}  // namespace

SchedulerCounters& SchedulerCounters::operator+=(const SchedulerCounters& other) {
    ran += other.ran;
    waited += other.waited;
    involuntarySwitches += other.involuntarySwitches;
    return *this;
}

SchedulerCounters operator-(const SchedulerCounters& end, const SchedulerCounters& start) {
    return {.ran = lessNotBelow0(end.ran, start.ran),
            .waited = lessNotBelow0(end.waited, start.waited),
            .involuntarySwitches = lessNotBelow0(end.involuntarySwitches, start.involuntarySwitches)};
}

SchedulerCounters schedulerCounters() {
    SchedulerCounters sum;
    std::error_code failed;
    for (const auto& thread : fs::directory_iterator("/proc/self/task", failed)) {
        SchedulerCounters one;
        std::ifstream(thread.path() / "schedstat") >> one.ran >> one.waited;
        one.involuntarySwitches = statusNumber(thread.path() / "status", "nonvoluntary_ctxt_switches:");
        sum += one;
    }
    return sum;
}

LoadWatch::LoadWatch() : before(ticks()) {
    sampleFrequency();
}

// user nice system idle iowait irq softirq steal; guest time is already included in user time.
LoadWatch::Ticks LoadWatch::ticks() {
    constexpr int columns = 8;
    constexpr int stolenColumn = 7;
    Ticks found;
    std::ifstream file("/proc/stat");
    std::string name;
    file >> name;
    for (int i = 0; i < columns; ++i) {
        std::uint64_t number = 0;
        file >> number;
        found.all += number;
        found.stolen += i == stolenColumn ? number : 0;
    }
    return found;
}

void LoadWatch::sampleFrequency() {
    std::error_code failed;
    for (const auto& policy : fs::directory_iterator("/sys/devices/system/cpu/cpufreq", failed)) {
        double frequency = 0;
        if (std::ifstream(policy.path() / "scaling_cur_freq") >> frequency && frequency > 0) {
            lowest = std::min(lowest.value_or(frequency), frequency);
            highest = std::max(highest.value_or(frequency), frequency);
        }
    }
}

void LoadWatch::add(const std::vector<SchedulerCounters>& processes) {
    sampleFrequency();
    for (const SchedulerCounters& each : processes) {
        counted += each;
    }
}

inspector::OtherLoad LoadWatch::load() const {
    const Ticks now = ticks();
    const auto all = static_cast<double>(lessNotBelow0(now.all, before.all));
    const auto stolen = static_cast<double>(lessNotBelow0(now.stolen, before.stolen));
    const auto ready = static_cast<double>(counted.ran + counted.waited);
    inspector::OtherLoad load{.waiting = ready > 0 ? static_cast<double>(counted.waited) / ready : 0,
                              .stolen = all > 0 ? stolen / all : 0,
                              .involuntarySwitches = counted.involuntarySwitches};
    if (lowest && *lowest > 0) {
        load.frequencyChange = (*highest - *lowest) / *lowest;
    }
    return load;
}

}  // namespace et::tasks
