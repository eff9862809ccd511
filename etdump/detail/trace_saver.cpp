#include "etdump/detail/trace_saver.h"

#include <csignal>
#include <ctime>
#include <system_error>

namespace et::etdump::detail {
namespace {

std::uint64_t threadNanoseconds() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<std::uint64_t>(used.tv_sec) * std::nano::den +
           static_cast<std::uint64_t>(used.tv_nsec);
}

/// Blocks signals in threads created during its lifetime, so that they reach the threads that wait for them.
class SignalsHeldBack {
  public:
    SignalsHeldBack() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    SignalsHeldBack(const SignalsHeldBack&) = delete;
    SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
    ~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }

  private:
    sigset_t before{};
};

}  // namespace

TraceSaver::TraceSaver(const RecordedEvents& recorded, DebugBuffer& debugBuffer,
                       const std::filesystem::path& file, std::chrono::milliseconds every)
    : events(&recorded), buffer(&debugBuffer), trace(recorded, file), interval(every) {
    const SignalsHeldBack heldBack;
    try {
        thread = std::thread([this] { loop(); });
    } catch (const std::system_error&) {
        stopping = true;  // the trace is then written only at the end
    }
}

void TraceSaver::stop() {
    {
        const std::scoped_lock lock(guard);
        stopping = true;
    }
    change.notify_one();
    if (thread.joinable()) {
        thread.join();
    }
}

bool TraceSaver::waitUntil(std::chrono::steady_clock::time_point due) {
    std::unique_lock lock(guard);
    return !change.wait_until(lock, due, [this] { return stopping.load(); });
}

void TraceSaver::loop() {
    auto due = std::chrono::steady_clock::now() + interval;
    while (waitUntil(due)) {
        due = std::chrono::steady_clock::now() + interval;
        const bool goesOn = save().has_value();
        time = threadNanoseconds();
        if (!goesOn) {
            return;
        }
    }
}

core::Result<> TraceSaver::save() {
    const RecordedPart part = events->published();
    if (trace.wants(part)) {
        ET_TRY(buffer->publish());  // first the data that values reference
        ET_TRY(trace.save(part, stopping));
        ++count;
    }
    trace.looked(part);
    return {};
}

}  // namespace et::etdump::detail
