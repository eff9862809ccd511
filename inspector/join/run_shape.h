#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector::join::detail {

/// The reference's event signature: events of the same or different runs with equal signatures are one row.
/// Names and string ids are normalized: empty is noName.
struct Signature {
    std::int32_t instruction = -1;
    std::int32_t delegateInt = -1;
    etdump::NameId delegateString = etdump::noName;
    etdump::NameId profileName = etdump::noName;
    etdump::NameId debugName = etdump::noName;
    bool hasProfile = false;
    bool hasDebug = false;

    bool operator==(const Signature&) const = default;
    [[nodiscard]] std::uint64_t hash() const;
};

/// One row of a run and the location of its events; ranges index RunShape::profile and RunShape::debug. Rows
/// of one instruction call (a kernel and its OPERATOR_CALL) share one debug range.
struct Slot {
    Signature signature;
    std::int64_t chain = -1;
    std::uint32_t profileBegin = 0, profileEnd = 0;  ///< every occurrence, in file order
    std::uint32_t debugBegin = 0, debugEnd = 0;      ///< of the last instruction call
};

/// The layout of a run without its times: rows in order of first appearance and the positions of their events
/// relative to the run's first event. Runs of one model nearly always share one shape, so all but the first
/// are recognized by comparing columns, without lookups.
struct RunShape {
    etdump::EventIndex firstEvent = 0;  ///< of the run that the shape was built from
    std::uint32_t eventCount = 0;
    std::vector<Slot> slots;
    std::vector<std::uint32_t> profile;
    std::vector<std::uint32_t> debug;
    std::vector<std::uint32_t> outputs;  ///< debug events that are program outputs
    std::vector<std::uint32_t> allocations;

    /// True if the rows are equal, regardless of positions.
    [[nodiscard]] bool sameRows(const RunShape& other) const;
    [[nodiscard]] std::uint64_t rowsHash() const;
};

/// Groups the events of one run into rows. A debug event that is a program output has no row.
[[nodiscard]] RunShape shapeOf(const etdump::Trace& trace, const etdump::Run& run);

/// True if `run` has the same events as the run of `shape`, apart from times and values.
[[nodiscard]] bool fits(const etdump::Trace& trace, const etdump::Run& run, const RunShape& shape);

/// Hash that is equal for runs of the same shape.
[[nodiscard]] std::uint64_t shapeHash(const etdump::Trace& trace, const etdump::Run& run);

}  // namespace et::inspector::join::detail
