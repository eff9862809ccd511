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

/// A string of the trace, interned: equal ids are equal texts. `noName` stands for a field that the file
/// leaves out, which is not the same as an empty string.
using NameId = core::StrongId<struct NameIdTag, std::uint32_t>;
inline constexpr NameId noName{0xFFFF'FFFF};

/// Position of an event in the trace's columns, counted over all runs in file order.
using EventIndex = std::uint32_t;

enum class EventKind : std::uint8_t { Profile, Debug, Allocation };

/// A tensor that the runtime logged: where its bytes are in the debug buffer.
struct DebugTensor {
    std::int8_t scalarType = 0;  ///< core::scalarType() code; as found, may be unknown
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements; empty where the file has none
    std::int64_t offset = 0;            ///< bytes into the debug buffer; as found, not yet checked against it
};

/// The value of a debug event. monostate: the file says Null, or the value's own table is missing.
struct DebugValue {
    std::variant<std::monostate, std::int64_t, bool, float, double, std::string_view, DebugTensor,
                 std::vector<DebugTensor>>
        value;
    bool programOutput = false;  ///< the runtime marked it as an output of the method
};

/// One execution (or one load phase) as the runtime recorded it.
struct Run {
    NameId name = noName;                 ///< "Default", "Execute", …
    std::int32_t bundledInputIndex = -1;  ///< -1: not from a bundled program
    std::vector<NameId> allocators;       ///< in file order; allocator id 1 is the first
    bool hasEvents = false;               ///< false: the file has no event list at all, not even an empty one
    EventIndex firstEvent = 0;
    EventIndex eventCount = 0;

    /// Name of an allocation's allocator; noName for an id that the run does not list.
    [[nodiscard]] NameId allocatorName(std::uint64_t allocatorId) const;
};

/// The columns of all events; each has Trace::eventCount() elements, in file order. Events are appended as
/// they end, so inner events come before the outer ones that contain them. An event that holds nothing has no
/// row; one that holds several parts has a row for each, in the order profile, debug, allocation.
struct EventColumns {
    std::vector<EventKind> kind;
    std::vector<NameId> name;               ///< noName for allocations
    std::vector<std::int32_t> instruction;  ///< -1: not set
    std::vector<std::int64_t> chain;        ///< profile: int32; debug: uint64 whose 2^64-1 reads as -1
    std::vector<std::int32_t> delegateInt;  ///< -1: not set
    std::vector<NameId> delegateString;     ///< noName or "": not set
    /// Profile: start time, in ticks of the source clock. Allocation: allocator id. Debug: index into
    /// debugValue().
    std::vector<std::uint64_t> start;
    /// Profile: end time. Allocation: size in bytes. Debug: 0.
    std::vector<std::uint64_t> end;
};

/// An ETDump, verified and turned into columns; the strings stay in the mapped file. Immutable.
/// Format: flatbuffer `ED00`, plain or size-prefixed; see docs/formats.md.
class Trace {
  public:
    /// Errors: Io; Format (empty, not an ETDump, cut short, damaged); Limit (2 GiB or more, which no
    /// flatbuffer can address; parts that overlap so much that reading them costs many times the file's
    /// size).
    [[nodiscard]] static core::Result<std::shared_ptr<const Trace>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Trace>> parse(
        std::shared_ptr<const core::MappedFile> file);

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

    /// Text of a name; "" for noName. The view lives as long as the trace.
    [[nodiscard]] std::string_view text(NameId id) const;
    [[nodiscard]] std::size_t nameCount() const;

    /// Delegate metadata bytes of a profile event, as the backend wrote them; empty where there are none.
    [[nodiscard]] core::Bytes metadata(EventIndex event) const;

    /// The value of a Debug event (`event` must be one). Tensors are as found: check their offsets and sizes
    /// against the debug buffer before use.
    [[nodiscard]] const DebugValue& debugValue(EventIndex event) const;

  private:
    struct Impl;
    explicit Trace(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

/// Ticks between two clock readings. A clock of 32 bits wraps once: an end before the start is read as
/// modulo 2^32 when both fit 32 bits (the reference is one tick short there). Nothing where the end is before
/// the start and either does not fit 32 bits.
[[nodiscard]] std::optional<std::uint64_t> elapsedTicks(std::uint64_t start, std::uint64_t end);

}  // namespace et::etdump
