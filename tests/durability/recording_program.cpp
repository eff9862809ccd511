// Records a trace until it is killed or has all events: simulates et-inspect run with a model of a given
// speed. Event i has instruction i; with a debug buffer, every run logs a tensor with the number of events
// before it.
//
//   recording_program TRACE PROGRESS EVENTS EVENTS_A_RUN NANOSECONDS_AN_EVENT SAVE_MILLISECONDS
//   [DEBUG_BUFFER]
#include "etdump/recorder.h"
#include "tests/durability/recording_progress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>

namespace {

using et::core::EventTracer;
using et::etdump::Recorder;
using et::test::RecordingProgress;

struct Asked {
    et::etdump::RecorderOptions options;
    std::string progress;
    std::uint64_t events = 0;
    std::uint64_t eventsPerRun = 0;
    std::uint64_t nanosecondsPerEvent = 0;
};

RecordingProgress* openProgress(const std::string& file) {
    const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (opened < 0 || ::ftruncate(opened, sizeof(RecordingProgress)) != 0) {
        return nullptr;
    }
    void* const shared =
        ::mmap(nullptr, sizeof(RecordingProgress), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    return shared == MAP_FAILED ? nullptr : static_cast<RecordingProgress*>(shared);
}

void waitUntil(std::uint64_t time) {
    constexpr std::uint64_t worthSleeping = 1'000'000;
    for (std::uint64_t now = EventTracer::now(); now < time; now = EventTracer::now()) {
        if (time - now > worthSleeping) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(time - now - worthSleeping / 2));
        }
    }
}

void logTensor(Recorder& recorder, std::uint64_t number) {
    std::array<std::int64_t, 4> elements{};
    elements.fill(static_cast<std::int64_t>(number));
    constexpr std::array<std::int64_t, 1> sizes{elements.size()};
    et::core::Value value(et::core::Tensor::over(elements.data(), sizes));
    recorder.debug(recorder.name(""), {}, value, true);
}

void record(Recorder& recorder, const Asked& asked, RecordingProgress& progress) {
    const et::core::TraceName name = recorder.name("native_call_add.out");
    std::uint64_t due = EventTracer::now();
    for (std::uint64_t i = 0; i < asked.events; ++i) {
        if (i % asked.eventsPerRun == 0) {
            recorder.beginRun("Execute");
        }
        const std::uint64_t start = EventTracer::now();
        due += asked.nanosecondsPerEvent;
        waitUntil(due);
        const std::uint64_t end = EventTracer::now();
        recorder.profile(name, {.chain = 0, .instruction = static_cast<std::int32_t>(i)}, start, end);
        if (i == 0) {
            progress.firstTime.store(end, std::memory_order_relaxed);
        }
        progress.events.store(i + 1, std::memory_order_relaxed);
        progress.lastTime.store(end, std::memory_order_release);
        if ((i + 1) % asked.eventsPerRun == 0) {
            logTensor(recorder, i + 1);
            recorder.endRun();
        }
    }
}

}  // namespace

int main(int count, char** words) {
    const std::span<char*> given(words, static_cast<std::size_t>(count));
    if (given.size() < 7) {
        return 2;
    }
    const auto number = [&](std::size_t at) { return std::strtoull(given[at], nullptr, 10); };
    Asked asked{.options = {.traceFile = given[1],
                            .saveInterval = std::chrono::milliseconds(number(6)),
                            .maxEvents = 40'000'000},
                .progress = given[2],
                .events = number(3),
                .eventsPerRun = number(4),
                .nanosecondsPerEvent = number(5)};
    if (given.size() > 7) {
        asked.options.debugLevel = et::core::DebugLevel::Outputs;
        asked.options.debugBufferFile = given[7];
    }
    RecordingProgress* const progress = openProgress(asked.progress);
    const auto recorder = Recorder::create(asked.options);
    if (progress == nullptr || !recorder) {
        return 3;
    }
    record(**recorder, asked, *progress);
    if (const auto done = (*recorder)->finish(); !done) {
        std::fputs((done.error().toString() + "\n").c_str(), stderr);
        return 3;
    }
    return 0;
}
