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

/// The trace of a run that somebody else has made, with its debug buffer, played to a tracer.
class PlayedTrace {
  public:
    /// A run that left no trace: it plays nothing, and its outputs are in files.
    PlayedTrace() = default;
    /// `debugBuffer` may be null. Errors: those of etdump::Trace::parse().
    [[nodiscard]] static core::Result<PlayedTrace> open(std::shared_ptr<const core::MappedFile> trace,
                                                        std::shared_ptr<const core::MappedFile> debugBuffer);

    /// All of its blocks. Errors: Format (a tensor that lies outside of the debug buffer).
    [[nodiscard]] core::Result<> play(core::EventTracer& tracer) const;

    /// The bytes of output `index`, as a command wrote them; null: it did not.
    using OutputFile =
        std::function<core::Result<std::shared_ptr<const core::MappedFile>>(std::size_t index)>;
    /// Writes the outputs: of files where there are some, else of the values that the trace marks as outputs.
    /// Errors: Unsupported (an output is nowhere); Format (of another size).
    [[nodiscard]] core::Result<> takeOutputs(std::span<core::Value* const> outputs,
                                             const OutputFile& file) const;

    /// Of the longest Method::execute; 0: it has none.
    [[nodiscard]] std::uint64_t nanoseconds() const;
    /// How many calls of operators and delegates it has.
    [[nodiscard]] std::uint64_t instructions() const;

  private:
    PlayedTrace(std::shared_ptr<const etdump::Trace> opened, std::shared_ptr<const core::MappedFile> values)
        : trace(std::move(opened)), buffer(std::move(values)) {}
    /// Where values are that the trace marks as outputs.
    [[nodiscard]] std::vector<etdump::EventIndex> markedOutputs() const;
    [[nodiscard]] core::Result<core::Value> valueOf(const etdump::DebugValue& logged) const;
    [[nodiscard]] core::Result<> playEvent(etdump::EventIndex event, const etdump::Run& run,
                                           core::EventTracer& tracer) const;

    std::shared_ptr<const etdump::Trace> trace;  ///< null: there is none
    std::shared_ptr<const core::MappedFile> buffer;
};

}  // namespace et::devices
