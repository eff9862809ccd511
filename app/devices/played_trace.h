#pragma once

#include "etdump/trace.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace et::devices {

/// Replays the trace and debug buffer of a run made elsewhere to a tracer.
class PlayedTrace {
  public:
    /// Represents a run without a trace: nothing to replay, and outputs are in files.
    PlayedTrace() = default;
    /// `debugBuffer` may be null. Errors: those of etdump::Trace::parse().
    [[nodiscard]] static core::Result<PlayedTrace> open(std::shared_ptr<const core::MappedFile> trace,
                                                        std::shared_ptr<const core::MappedFile> debugBuffer);

    /// Replays all blocks. Errors: Format (a tensor outside the debug buffer).
    [[nodiscard]] core::Result<> play(core::EventTracer& tracer) const;

    /// Returns the bytes of output `index` as written by a command, or null if it was not written.
    using OutputFile =
        std::function<core::Result<std::shared_ptr<const core::MappedFile>>(std::size_t index)>;
    /// Writes the outputs, from files if available, else from the values that the trace marks as outputs.
    /// Errors: Unsupported (no source for an output); Format (size mismatch).
    [[nodiscard]] core::Result<> takeOutputs(std::span<core::Value* const> outputs,
                                             const OutputFile& file) const;

    /// Duration of the longest Method::execute; 0 if there is none.
    [[nodiscard]] std::uint64_t nanoseconds() const;
    /// Number of operator and delegate calls.
    [[nodiscard]] std::uint64_t instructions() const;

  private:
    PlayedTrace(std::shared_ptr<const etdump::Trace> opened, std::shared_ptr<const core::MappedFile> values)
        : trace(std::move(opened)), buffer(std::move(values)) {}
    /// Returns the events with the values that the trace marks as outputs.
    [[nodiscard]] std::vector<etdump::EventIndex> markedOutputs() const;
    [[nodiscard]] core::Result<core::Value> valueOf(const etdump::DebugValue& logged) const;
    [[nodiscard]] core::Result<> playEvent(etdump::EventIndex event, const etdump::Run& run,
                                           core::EventTracer& tracer) const;

    std::shared_ptr<const etdump::Trace> trace;  ///< null if there is no trace
    std::shared_ptr<const core::MappedFile> buffer;
};

}  // namespace et::devices
