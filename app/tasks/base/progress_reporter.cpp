#include "app/tasks/base/progress_reporter.h"

#include "app/devices/state_json.h"
#include "app/tasks/base/descriptor_stream.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/option_list.h"
#include "runtime/core/json_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

namespace et::tasks {
namespace {

constexpr std::chrono::milliseconds interval{100};
/// Grace period for a running instruction after the timeout.
constexpr std::chrono::seconds grace{5};
/// The phase whose steps depend on file sizes.
constexpr std::string_view loading = "load";
/// Shorter work needs no line.
constexpr double moment = 0.5;

/// Ignores errors: the reader may be gone.
void put(int descriptor, const std::string& text) {
    static_cast<void>(writeTo(descriptor, "progress", producerOf(text)));
}

}  // namespace

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

ProgressReporter::ProgressReporter(const ProgressOptions& given, std::optional<double> timeoutSeconds,
                                   double secondsOfAStep)
    : options(given),
      terminal(given.mode == ProgressMode::Auto && ::isatty(STDERR_FILENO) == 1),
      stepSeconds(secondsOfAStep) {
    if (timeoutSeconds) {
        end = start +
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*timeoutSeconds));
    }
    if (options.mode == ProgressMode::Json) {
        show();
    }
    if (options.mode == ProgressMode::Json || terminal || end || stepSeconds > 0) {
        thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    }
}

ProgressReporter::~ProgressReporter() {
    finish();
}

void ProgressReporter::begin(const char* name, std::size_t total) {
    done = 0;
    all = total;
    phase = name;
    if (options.mode == ProgressMode::Json) {
        show();
    }
}

void ProgressReporter::executed(std::uint64_t nanoseconds) {
    if (options.mode == ProgressMode::Json) {
        gauge.executed(nanoseconds);
    }
}

void ProgressReporter::watchDevice(LiveGauge::Source device) {
    if (options.mode == ProgressMode::Json) {
        gauge.watchDevice(std::move(device));
    }
}

void ProgressReporter::finish() {
    if (!thread.joinable()) {
        return;
    }
    thread.request_stop();
    thread.join();
    if (options.mode == ProgressMode::Json) {
        phase = "done";
        show();
        gauge.watchDevice({});
    } else if (shown > 0) {
        put(STDERR_FILENO, fmt::format("\r{:{}}\r", "", shown));
    }
}

void ProgressReporter::watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        Clock::time_point next = Clock::now() + interval;
        if (end) {
            next = std::min(next, *end);
        }
        wake.wait_until(lock, stop, next, [] { return false; });
        const Clock::time_point now = Clock::now();
        if (end && now >= *end) {
            endWork(Interruption::Timeout);
        } else if (!asked && isStepOver(now)) {
            endWork(Interruption::SlowExecution);
        }
        if (!stop.stop_requested()) {
            show();
        }
    }
}

/// Polls the progress instead of being notified, so that a step does not read the clock.
bool ProgressReporter::isStepOver(Clock::time_point now) {
    const std::size_t did = done;
    const char* const in = phase;
    if (did != steps || in != stepPhase || in == std::string_view(loading)) {
        steps = did;
        stepPhase = in;
        stepStart = now;
    }
    return stepSeconds > 0 && std::chrono::duration<double>(now - stepStart).count() >= stepSeconds;
}

/// Requests an end first. A long instruction does not check for it; then the process ends.
void ProgressReporter::endWork(Interruption cause) {
    if (std::exchange(asked, true)) {
        const InterruptionInfo& why = infoOf(InterruptionGuard::cause());
        put(STDERR_FILENO, fmt::format("et-inspect: {}, but an instruction is still running\n", why.message));
        std::_Exit(static_cast<int>(why.code));
    }
    InterruptionGuard::request(cause);
    end = Clock::now() + grace;
}

void ProgressReporter::show() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::size_t of = all;
    const std::size_t did = of == 0 ? done.load() : std::min(done.load(), of);  // 0: unknown
    if (options.mode == ProgressMode::Json) {
        showJson(phase.load(), did, of, seconds);
    } else if (terminal && seconds >= moment) {
        showLine(phase.load(), did, of, seconds);
    }
}

void ProgressReporter::showJson(std::string_view name, std::size_t did, std::size_t of, double seconds) {
    core::JsonWriter line;
    line.beginObject();
    line.member("progress", [&] { line.integer(std::int64_t{1}); });
    line.member("phase", [&] { line.string(name); });
    line.member("done", [&] { line.integer(std::uint64_t{did}); });
    line.member("total", [&] { line.integer(std::uint64_t{of}); });
    line.member("seconds", [&] { line.raw(fmt::format("{:.3f}", seconds)); });
    gauge.tell(line);
    line.endObject();
    put(options.descriptor, line.take() + "\n");
}

void ProgressReporter::showLine(std::string_view name, std::size_t did, std::size_t of, double seconds) {
    std::string line = of == 0 ? fmt::format("{} {}, {:.1f} s", name, did, seconds)
                               : fmt::format("{} {} of {}, {:.1f} s", name, did, of, seconds);
    const std::size_t size = line.size();
    line.resize(std::max(size, shown), ' ');
    shown = size;
    put(STDERR_FILENO, "\r" + line);
}

void addProgressOptions(OptionList& options, ProgressOptions& progress) {
    static constexpr std::array modes{Choice{"auto", ProgressMode::Auto}, Choice{"json", ProgressMode::Json},
                                      Choice{"none", ProgressMode::None}};
    options
        .choice("--progress", progress.mode, modes,
                "Show progress; auto: on a terminal, json: as JSON lines (default: auto)")
        .in("Output");
    options.integer("--progress-fd", progress.descriptor, "File descriptor for --progress json (default: 2)")
        .in("Output");
}

}  // namespace et::tasks
