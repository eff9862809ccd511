#pragma once

#include "etdump/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::etdump {

/// Ids of one event to write. Unset: instruction -1, chain -1, no delegate id.
struct EventIds {
    std::int32_t instruction = -1;
    std::int32_t chain = -1;
    std::int32_t delegateInt = -1;
    std::string_view delegateString = {};
};

/// A text written by a TraceWriter; valid until it finishes.
using TextId = core::StrongId<struct TextIdTag, std::uint32_t>;

/// Like EventIds, for events whose texts are already written.
struct WrittenIds {
    std::int32_t instruction = -1;
    std::int32_t chain = -1;
    std::int32_t delegateInt = -1;
    TextId delegateString = {};
};

/// Whether equal strings are written once. The runtime writes each separately; No gives files as large as the
/// runtime's.
enum class SharedStrings : bool { No, Yes };

/// Builds a size-prefixed `ED00` flatbuffer in memory, accepted by our reader and the reference's tools
/// (every string field is present, empty if unset). Events go to the current run; those before any run go to
/// one named "Default".
class TraceWriter {
  public:
    /// `expectedBytes` is an estimate of the file size; it avoids copying during growth.
    explicit TraceWriter(SharedStrings shared = SharedStrings::Yes, std::size_t expectedBytes = 1024);
    ~TraceWriter();
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    void beginRun(std::string_view name, std::int32_t bundledInputIndex = -1);
    /// Returns the allocator's id in this run, counted from 1.
    std::uint32_t addAllocator(std::string_view name);

    void profile(std::string_view name, EventIds ids, std::uint64_t startTicks, std::uint64_t endTicks,
                 core::Bytes delegateMetadata = {});
    void allocation(std::uint32_t allocator, std::uint64_t bytes);
    void debug(std::string_view name, EventIds ids, const DebugValue& value);

    /// For writers of many events with known texts; avoids lookups.
    [[nodiscard]] TextId text(std::string_view value);
    void profile(TextId name, const WrittenIds& ids, std::uint64_t startTicks, std::uint64_t endTicks,
                 core::Bytes delegateMetadata = {});
    void debug(TextId name, const WrittenIds& ids, const DebugValue& value);

    /// Returns the finished file and empties the writer. Errors: Limit (the flatbuffer reached nearly 2 GiB;
    /// later events are dropped, so memory stays bounded).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish();
    /// Passes the finished file to `consume` without copying it. Errors: Limit, those of `consume`.
    [[nodiscard]] core::Result<> finish(const std::function<core::Result<>(core::Bytes)>& consume);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etdump
