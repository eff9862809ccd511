#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::etdump {

/// An interned string of the trace: equal ids are equal texts. `noName` means that the file omits the field,
/// which differs from an empty string.
using NameId = core::StrongId<struct NameIdTag, std::uint32_t>;
inline constexpr NameId noName{0xFFFF'FFFF};

/// Position of an event in the trace's columns, counted over all runs in file order.
using EventIndex = std::uint32_t;

enum class EventKind : std::uint8_t { Profile, Debug, Allocation };

/// A tensor logged by the runtime, with the offset of its bytes in the debug buffer.
struct DebugTensor {
    std::int8_t scalarType = 0;  ///< core::scalarType() code; unchecked, may be unknown
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements; empty if the file has none
    std::int64_t offset = 0;            ///< bytes into the debug buffer; not yet checked against it
};

/// The value of a debug event. monostate: the file contains Null, or the value's table is missing.
struct DebugValue {
    std::variant<std::monostate, std::int64_t, bool, float, double, std::string_view, DebugTensor,
                 std::vector<DebugTensor>>
        value;
    bool programOutput = false;  ///< marked by the runtime as an output of the method
};

/// One execution (or load phase) recorded by the runtime.
struct Run {
    NameId name = noName;                 ///< "Default", "Execute", …
    std::int32_t bundledInputIndex = -1;  ///< -1: not from a bundled program
    std::vector<NameId> allocators;       ///< in file order; allocator id 1 is the first
    bool hasEvents = false;               ///< false: the file has no event list, not even an empty one
    EventIndex firstEvent = 0;
    EventIndex eventCount = 0;

    /// Name of an allocation's allocator; noName for an id not listed in the run.
    [[nodiscard]] NameId allocatorName(std::uint64_t allocatorId) const;
};

/// Columns of all events; each has Trace::eventCount() elements, in file order. Events are appended when they
/// end, so inner events precede the outer ones that contain them. An event without content has no row; one
/// with several contents has a row for each, in the order profile, debug, allocation.
struct EventColumns {
    std::vector<EventKind> kind;
    std::vector<NameId> name;               ///< noName for allocations
    std::vector<std::int32_t> instruction;  ///< -1: not set
    std::vector<std::int64_t> chain;        ///< profile: int32; debug: uint64, with 2^64-1 read as -1
    std::vector<std::int32_t> delegateInt;  ///< -1: not set
    std::vector<NameId> delegateString;     ///< noName or "": not set
    /// Profile: start time, in ticks of the source clock. Allocation: allocator id. Debug: index into
    /// debugValue().
    std::vector<std::uint64_t> start;
    /// Profile: end time. Allocation: size in bytes. Debug: 0.
    std::vector<std::uint64_t> end;
};

/// A verified ETDump in columns; the strings stay in the mapped file. Immutable. Format: flatbuffer `ED00`,
/// plain or size-prefixed; see docs/reference/formats.md.
class Trace {
  public:
    /// Errors: Io; Format (empty, not an ETDump, cut short, damaged); Limit (2 GiB or more, which no
    /// flatbuffer can address; overlapping data whose reading would cost many times the file's size).
    [[nodiscard]] static core::Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Trace>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// The same trace with other times, which have one element per event.
    [[nodiscard]] std::shared_ptr<const Trace> withTimes(std::vector<std::uint64_t> start,
                                                         std::vector<std::uint64_t> end) const;

    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    [[nodiscard]] std::uint32_t version() const;
    [[nodiscard]] const core::MappedFile& file() const;
    [[nodiscard]] std::span<const Run> runs() const;
    /// The run that logged an event of this trace.
    [[nodiscard]] const Run& runOf(EventIndex event) const;
    [[nodiscard]] std::size_t eventCount() const;
    [[nodiscard]] const EventColumns& events() const;

    /// Text of a name; "" for noName. Valid as long as the trace.
    [[nodiscard]] std::string_view text(NameId id) const;
    [[nodiscard]] std::size_t nameCount() const;

    /// Delegate metadata of a profile event, as written by the backend; empty if there is none.
    [[nodiscard]] core::Bytes metadata(EventIndex event) const;

    /// The value of a Debug event (`event` must be one). Tensors are unchecked: validate their offsets and
    /// sizes against the debug buffer before use.
    [[nodiscard]] const DebugValue& debugValue(EventIndex event) const;

  private:
    struct Impl;
    explicit Trace(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

/// Ticks between two clock readings. A 32-bit clock wraps once: an end before the start is computed modulo
/// 2^32 if both fit 32 bits (the reference is one tick short there). Empty if the end is before the start and
/// either does not fit 32 bits.
[[nodiscard]] std::optional<std::uint64_t> elapsedTicks(std::uint64_t start, std::uint64_t end);

}  // namespace et::etdump
