#include "app/tasks/compare/model_process.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/model_process_protocol.h"

#include <alloca.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Pipe;
using core::Result;

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

std::size_t drawBelow(std::mt19937_64& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

void runOn(const std::vector<int>& processors) {
    if (processors.empty()) {
        return;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int each : processors) {
        CPU_SET(static_cast<std::size_t>(each), &set);
    }
    ::sched_setaffinity(0, sizeof set, &set);
}

/// Interval for checking interruption requests.
constexpr std::chrono::milliseconds laneInterval{100};
/// Maximum time that an execution may continue after such a request, and that a process may take to end after
/// closing its pipes.
constexpr std::chrono::seconds laneGrace{2};

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

std::vector<int> drawProcessors(std::mt19937_64& random, std::size_t threads) {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> processors;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int each = 0; each < CPU_SETSIZE; ++each) {
            if (CPU_ISSET(static_cast<std::size_t>(each), &set)) {
                processors.push_back(each);
            }
        }
    }
    if (threads == 0 || threads >= processors.size()) {
        return {};
    }
    for (std::size_t i = 0; i < threads; ++i) {
        std::swap(processors[i], processors[i + drawBelow(random, processors.size() - i)]);
    }
    processors.resize(threads);
    return processors;
}

Placement drawPlacement(std::mt19937_64& random, std::vector<int> processors) {
    constexpr std::size_t stack = std::size_t{64} << 10U;
    constexpr std::size_t heap = std::size_t{64} << 10U;
    constexpr std::size_t pages = 1024;
    constexpr std::size_t grain = 16;  // alignment of both stack and heap
    return {.stackBytes = drawBelow(random, stack / grain) * grain,
            .heapBytes = drawBelow(random, heap / grain) * grain,
            .mappedPages = drawBelow(random, pages),
            .processors = std::move(processors)};
}

void doPlaced(const Placement& placement, const std::function<void()>& body) {
    runOn(placement.processors);
    if (placement.mappedPages > 0) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        // Never unmapped: it shifts all later mappings.
        static_cast<void>(::mmap(nullptr, placement.mappedPages * page, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    }
    void* const heap = std::malloc(placement.heapBytes);
    auto* const stack = static_cast<volatile char*>(::alloca(placement.stackBytes + 1));
    stack[0] = 0;
    body();
    std::free(heap);
}

Result<ModelProcess> ModelProcess::start(ModelProcessJob job) {
    ET_ASSIGN(Pipe commands, Pipe::make());
    ET_ASSIGN(Pipe replies, Pipe::make());
    ET_ASSIGN(core::ChildProcess process, core::ChildProcess::fork([&] {
                  commands.write.close();
                  replies.read.close();
                  doPlaced(job.placement,
                           [&] { model_process::serve(job, commands.read.get(), replies.write.get()); });
              }));
    return ModelProcess(std::move(job), std::move(commands.write), std::move(replies.read),
                        std::move(process));
}

std::unexpected<core::Error> ModelProcess::died() {
    return fail(ErrorCode::Unsupported, core::endText(process.end(laneGrace)),
                {.file = job.model.string(), .field = {}, .offset = {}});
}

/// Waits until a reply, or the end of the stream, can be read.
Result<> ModelProcess::waitForReply() {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> end;
    while (!core::readable(replies, laneInterval)) {
        if (!end && InterruptionGuard::requested()) {
            end = Clock::now() + laneGrace;
        }
        if (end && Clock::now() >= *end) {
            return fail(ErrorCode::Cancelled, "stopped during an execution",
                        {.file = job.model.string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

Result<> ModelProcess::readAll(std::span<std::byte> into) {
    while (!into.empty()) {
        ET_TRY(waitForReply());
        const ssize_t got = ::read(replies.get(), into.data(), into.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return died();
        }
        into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

Result<std::vector<std::byte>> ModelProcess::ask(char command) {
    if (core::writeAll(commands.get(), std::as_bytes(std::span(&command, 1))) != 0) {
        return died();
    }
    std::array<std::byte, 1> kind{};
    std::array<std::byte, sizeof(std::uint64_t)> size{};
    ET_TRY(readAll(kind));
    ET_TRY(readAll(size));
    ET_ASSIGN(const std::uint64_t length, model_process::decodeNumber(size));
    std::vector<std::byte> body(length);
    ET_TRY(readAll(body));
    if (kind[0] != std::byte{0}) {
        return std::unexpected(model_process::decodeError(body));
    }
    return body;
}

Result<> ModelProcess::load() {
    ET_TRY(ask(model_process::load));
    return {};
}

Result<std::uint64_t> ModelProcess::execute(Recording recording) {
    ET_ASSIGN(const std::vector<std::byte> reply,
              ask(recording == Recording::On ? model_process::record : model_process::execute));
    return model_process::decodeNumber(reply);
}

Result<ModelProcessResult> ModelProcess::finish() {
    ET_ASSIGN(const std::vector<std::byte> reply, ask(model_process::finish));
    return model_process::decodeResult(reply);
}

}  // namespace et::tasks
