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

/// A text that a TraceWriter has written; valid until it finishes.
using TextId = core::StrongId<struct TextIdTag, std::uint32_t>;

/// As EventIds, for events whose texts are written already.
struct WrittenIds {
    std::int32_t instruction = -1;
    std::int32_t chain = -1;
    std::int32_t delegateInt = -1;
    TextId delegateString = {};
};

/// Whether equal strings are written once. The runtime writes each anew; No makes a file as large as its
/// files.
enum class SharedStrings : bool { No, Yes };

/// Builds a size-prefixed `ED00` flatbuffer in memory that our reader and the reference's tools both accept
/// (every string field is present, empty where unset). Events go to the run begun last; those before any run
/// go to one named "Default".
class TraceWriter {
  public:
    /// `expectedBytes` of the file, as far as known, save copying while it grows.
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

    /// For writers of many events that know their texts beforehand: nothing is looked up.
    [[nodiscard]] TextId text(std::string_view value);
    void profile(TextId name, const WrittenIds& ids, std::uint64_t startTicks, std::uint64_t endTicks,
                 core::Bytes delegateMetadata = {});
    void debug(TextId name, const WrittenIds& ids, const DebugValue& value);

    /// The finished file. The writer is empty afterwards. Errors: Limit (a flatbuffer of nearly 2 GiB was
    /// full; what came after that is dropped, so the memory stays bounded).
    [[nodiscard]] core::Result<std::vector<std::byte>> finish();
    /// The same without a copy: hands the file to `consume`. Errors: Limit, those of `consume`.
    [[nodiscard]] core::Result<> finish(const std::function<core::Result<>(core::Bytes)>& consume);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::etdump
