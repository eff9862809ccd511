#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "etdump/trace.h"

namespace et::etdump {

/// Ids of one event to write. Unset: instruction -1, chain -1, no delegate id.
struct EventIds {
    std::int32_t instruction = -1;
    std::int32_t chain = -1;
    std::int32_t delegateInt = -1;
    std::string_view delegateString = {};
};

/// Builds a size-prefixed `ED00` flatbuffer in memory that our reader and the reference's tools both accept
/// (every string field is present, empty where unset). Events go to the run begun last.
class TraceWriter {
  public:
    TraceWriter();
    ~TraceWriter();
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    void beginRun(std::string_view name, std::int32_t bundledInputIndex = -1);
    /// Returns the allocator's id in this run.
    std::uint32_t addAllocator(std::string_view name);

    void profile(std::string_view name, EventIds ids, std::uint64_t startTicks, std::uint64_t endTicks,
                 core::Bytes delegateMetadata = {});
    void allocation(std::uint32_t allocator, std::uint64_t bytes);
    void debug(std::string_view name, EventIds ids, const DebugValue& value);

    /// The finished file. The writer is empty afterwards.
    [[nodiscard]] std::vector<std::byte> finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etdump
