#include "app/tasks/counters/counter_set.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace et::tasks {
namespace {

struct PerfEvent {
    std::uint32_t type;
    std::uint64_t config;
};

constexpr std::array<PerfEvent, counterKinds> perfEvents{{
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
}};

/// Each counter has its own descriptor: counters in a group cannot follow threads created later.
class LinuxCounters final : public CounterSystem {
  public:
    int open(Counter counter) override {
        const PerfEvent& event = perfEvents[static_cast<std::size_t>(counter)];
        perf_event_attr asked{};
        asked.size = sizeof asked;
        asked.type = event.type;
        asked.config = event.config;
        asked.inherit = 1;
        asked.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        // Reading counters is kernel work, which must not be counted, and counting it may not be permitted.
        // Events that only occur in the kernel are counted including it.
        const bool ofProcessor = infoOf(counter).ofProcessor;
        asked.exclude_kernel = ofProcessor || counter == Counter::PageFaults ? 1 : 0;
        asked.exclude_hv = 1;
        const long descriptor = ::syscall(SYS_perf_event_open, &asked, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        return descriptor < 0 ? -errno : static_cast<int>(descriptor);
    }

    std::optional<CounterReading> read(int descriptor) override {
        CounterReading reading;
        static_assert(sizeof reading == 3 * sizeof(std::uint64_t), "as the kernel writes it");
        return ::read(descriptor, &reading, sizeof reading) == sizeof reading ? std::optional(reading)
                                                                              : std::nullopt;
    }

    std::optional<int> strictness() override {
        std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
        int level = 0;
        return file >> level ? std::optional(level) : std::nullopt;
    }
};

/// Reason why a counter is not available.
enum class Refusal : std::uint8_t { NotThere, NotAllowed, NoSystemCall, Other };

Refusal refusalOf(int error) {
    switch (error) {
        case ENOENT:
        case ENODEV:
        case EOPNOTSUPP:
            return Refusal::NotThere;
        case EACCES:
        case EPERM:
            return Refusal::NotAllowed;
        case ENOSYS:
            return Refusal::NoSystemCall;
        default:
            return Refusal::Other;
    }
}

std::string reasonFor(Refusal refusal, int error, std::optional<int> strictness) {
    switch (refusal) {
        case Refusal::NotThere:
            return "this machine has none (a virtual machine has them only if its host passes the PMU "
                   "through)";
        case Refusal::NotAllowed:
            return fmt::format(
                "the kernel does not allow them{}: set 'sysctl kernel.perf_event_paranoid=1' or grant "
                "CAP_PERFMON; a container must also allow perf_event_open",
                strictness ? fmt::format(" (kernel.perf_event_paranoid is {})", *strictness) : "");
        case Refusal::NoSystemCall:
            return "this kernel has no perf_event_open";
        case Refusal::Other:
            break;
    }
    return std::generic_category().message(error);
}

}  // namespace

CounterReading& CounterReading::operator+=(const CounterReading& more) {
    value += more.value;
    enabled += more.enabled;
    running += more.running;
    return *this;
}

CounterReading CounterReading::since(const CounterReading& before) const {
    return {.value = value - before.value,
            .enabled = enabled - before.enabled,
            .running = running - before.running};
}

std::optional<double> CounterReading::scaled() const {
    if (running == 0) {
        return std::nullopt;
    }
    return static_cast<double>(value) * static_cast<double>(enabled) / static_cast<double>(running);
}

CounterSystem& linuxCounters() {
    static LinuxCounters system;
    return system;
}

CounterSet::CounterSet(CounterSystem& from) : system(&from) {
    std::array<int, counterKinds> errors{};
    for (std::size_t i = 0; i < counterKinds; ++i) {
        const int descriptor = system->open(static_cast<Counter>(i));
        if (descriptor >= 0) {
            open[i] = core::Descriptor(descriptor);
        } else {
            errors[i] = -descriptor;
        }
    }
    explain(errors);
}

void CounterSet::explain(const std::array<int, counterKinds>& errors) {
    for (const Refusal refusal :
         {Refusal::NotThere, Refusal::NotAllowed, Refusal::NoSystemCall, Refusal::Other}) {
        std::string names;
        int error = 0;
        for (std::size_t i = 0; i < counterKinds; ++i) {
            if (errors[i] != 0 && refusalOf(errors[i]) == refusal) {
                names += (names.empty() ? "" : ", ") + std::string(counterInfos[i].name);
                error = errors[i];
            }
        }
        if (!names.empty()) {
            reasons.push_back(
                fmt::format("not counted: {}: {}", names, reasonFor(refusal, error, system->strictness())));
        }
    }
}

CounterSet::Readings CounterSet::read() const {
    Readings out{};
    for (std::size_t i = 0; i < counterKinds; ++i) {
        if (open[i]) {
            out[i] = system->read(open[i].get()).value_or(CounterReading{});
        }
    }
    return out;
}

}  // namespace et::tasks
