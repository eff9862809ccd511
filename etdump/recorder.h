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
    /// Trace file (`.etdp`). Empty: kept in memory, see Recorder::trace().
    std::filesystem::path traceFile{};
    /// Interval between file updates while events are recorded.
    std::chrono::milliseconds saveInterval{250};

    core::DebugLevel debugLevel = core::DebugLevel::None;
    /// File for the bytes of logged tensors. Empty: kept in memory, see Recorder::debugBuffer().
    std::filesystem::path debugBufferFile{};
    /// Intermediate values to log; outputs of the method are always logged.
    DebugFilter debugFilter{};

    /// Values inside delegates to log, at any debug level. Empty: none.
    std::function<bool(const core::TapSite&)> taps{};

    /// Log memory allocations. ExecuTorch's own Inspector rejects a trace with such events.
    bool allocations = false;

    /// Maximum number of events and runs together; each takes about 50 bytes of memory until the end and 60
    /// of the file.
    std::size_t maxEvents = 4'000'000;
    std::uint64_t maxDebugBytes = std::uint64_t{16} << 30;
};

/// Size of a recording, and what was dropped because of its limits.
struct RecordingInfo {
    std::uint64_t runs = 0;
    std::uint64_t events = 0;
    std::uint64_t runsLeftOut = 0;
    std::uint64_t eventsLeftOut = 0;
    std::uint64_t debugBytes = 0;
    std::uint64_t tensorsLeftOut = 0;
    std::uint64_t saves = 0;              ///< of the file, before finish()
    std::uint64_t savingNanoseconds = 0;  ///< CPU time of saving, on the saving thread
};

/// Effect of taps on one delegate call over all runs.
struct TapInfo {
    core::TapReport last;  ///< of the last run whose outputs were changed by taps, else of the last run
    std::uint64_t runs = 0;
    std::uint64_t changedRuns = 0;  ///< runs whose outputs were changed by taps
};

/// Records the events of a running method as a trace, and its values in a debug buffer.
///
/// Events are kept in memory. A separate thread saves them a few times a second to a file that is a valid
/// trace at every moment (detail/live_trace.h), after the debug buffer, so that a killed process loses less
/// than a second; an existing file is kept until the first save. finish() replaces that file with one without
/// gaps. The executing thread is slowed only by sharing memory and disk bandwidth. Devices and pipes are
/// written by finish() only.
///
/// Blocks contain whole runs. An aborted run is written only if no run of that name was completed. Only the
/// file of a killed process may end with a partial run, which could have been the slowest: it lacks the
/// events that come last, such as `Method::execute`.
class Recorder final : public core::EventTracer, public core::TakesFusedEvents {
  public:
    /// Errors: Io (the debug buffer cannot be created).
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
    /// Logs tensors, lists of tensors, numbers and booleans. The format cannot represent other values.
    void debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
               bool methodOutput) override;
    [[nodiscard]] bool wantsTaps() const override;
    [[nodiscard]] bool wantsTap(const core::TapSite& site) override;
    void tap(const core::TraceIds& ids, core::Value& value) override;
    void tapped(const core::TapReport& report) override;

    /// Saves the recording. Call once, as the last call. Errors: Io, Limit, and errors deferred from the run.
    [[nodiscard]] core::Result<> finish();

    /// The trace so far as an in-memory file. Errors: Limit.
    [[nodiscard]] core::Result<std::vector<std::byte>> trace() const;
    /// The debug buffer so far, if it has no file. Valid until the next event.
    [[nodiscard]] core::Bytes debugBuffer() const;
    [[nodiscard]] RecordingInfo info() const;
    /// Reports of taps, one for each delegate call in the program.
    [[nodiscard]] std::span<const TapInfo> taps() const;

  private:
    struct Impl;
    explicit Recorder(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etdump
