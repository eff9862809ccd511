#pragma once

#include "etdump/debug_filter.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/fused_events.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace et::etdump {

struct RecorderOptions {
    /// The trace (`.etdp`). Empty: it stays in memory, see Recorder::trace().
    std::filesystem::path traceFile{};
    /// How often the file is brought up to date while there is something to record.
    std::chrono::milliseconds saveInterval{250};

    core::DebugLevel debugLevel = core::DebugLevel::None;
    /// Where the bytes of logged tensors go. Empty: they stay in memory, see Recorder::debugBuffer().
    std::filesystem::path debugBufferFile{};
    /// Which intermediate values are logged; outputs of the method always are.
    DebugFilter debugFilter{};

    /// Which values inside of delegates are logged, at any debug level. Empty: none.
    std::function<bool(const core::TapSite&)> taps{};

    /// Log what allocators give out. ExecuTorch's own Inspector refuses a trace that has such events.
    bool allocations = false;

    /// Most events and runs together; each takes about 50 bytes of memory until the end and 60 of the file.
    std::size_t maxEvents = 4'000'000;
    std::uint64_t maxDebugBytes = std::uint64_t{16} << 30;
};

/// How much a recorder has and what it left out for its limits.
struct RecordingInfo {
    std::uint64_t runs = 0;
    std::uint64_t events = 0;
    std::uint64_t runsLeftOut = 0;
    std::uint64_t eventsLeftOut = 0;
    std::uint64_t debugBytes = 0;
    std::uint64_t tensorsLeftOut = 0;
    std::uint64_t saves = 0;              ///< of the file, before finish()
    std::uint64_t savingNanoseconds = 0;  ///< of a processor, that they took beside the thread that runs
};

/// What taps did to one call of a delegate in all runs.
struct TapInfo {
    core::TapReport last;  ///< of the last run whose outputs taps changed, else of the last run
    std::uint64_t runs = 0;
    std::uint64_t changedRuns = 0;  ///< whose outputs taps changed
};

/// Makes a trace of what a running method tells, and of its values a debug buffer.
///
/// Events are kept in memory. A thread of its own saves them a few times a second to a file that is a valid
/// trace at every moment (detail/live_trace.h), and the debug buffer before it, so that a process that is
/// killed loses less than a second; before the first save, what was there stays. finish() replaces that file
/// by one without gaps. The thread that runs pays nothing for it but its share of memory and disk. Devices
/// and pipes are written by finish() alone.
///
/// Blocks hold whole runs. What is left of a run that was broken off is written only where no run of that
/// name was completed. Only what a killed process leaves may end with a part of a run, of which nobody can
/// say that it was not the slowest: it lacks the events that come last, such as `Method::execute`.
class Recorder final : public core::EventTracer, public core::TakesFusedEvents {
  public:
    /// Errors: Io (the debug buffer cannot be made).
    [[nodiscard]] static core::Result<std::unique_ptr<Recorder>> create(RecorderOptions options);
    ~Recorder() override;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override;
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata = {}) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override;
    void allocation(std::uint32_t allocatorId, std::uint64_t bytes) override;
    [[nodiscard]] core::DebugLevel debugLevel() const override;
    [[nodiscard]] bool wantsDebug(core::TraceName event, const core::TraceIds& ids) override;
    /// Logs tensors, lists of tensors, numbers and truths. The format has no place for other values.
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override;
    [[nodiscard]] bool wantsTap(const core::TapSite& site) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override;

    /// Saves what there is. Call it once, last. Errors: Io, Limit; those that were kept during the run.
    [[nodiscard]] core::Result<> finish();

    /// The trace so far as a file in memory. Errors: Limit.
    [[nodiscard]] core::Result<std::vector<std::byte>> trace() const;
    /// Without a file for it: the debug buffer so far. Valid until the next event.
    [[nodiscard]] core::Bytes debugBuffer() const;
    [[nodiscard]] RecordingInfo info() const;
    /// What taps did, a report for each call of a delegate in the program.
    [[nodiscard]] std::span<const TapInfo> taps() const;

  private:
    struct Impl;
    explicit Recorder(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etdump
