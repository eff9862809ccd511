#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector::detail {

/// What makes two events of one run (or of two runs) the same row: the reference's event signature. Names
/// and string ids are normalized: empty is noName.
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

/// One row of a run and where its events are in it; ranges index RunShape::profile and RunShape::debug. Rows
/// of one instruction call (a kernel and its OPERATOR_CALL) share one debug range.
struct Slot {
    Signature signature;
    std::int64_t chain = -1;
    std::uint32_t profileBegin = 0, profileEnd = 0;  ///< every occurrence, in file order
    std::uint32_t debugBegin = 0, debugEnd = 0;      ///< of the instruction call that comes last
};

/// The layout of a run, apart from its times: rows in order of first appearance and the position of their
/// events, counted from the run's first event. Runs of one model nearly always share one shape, so that all
/// but the first are recognized by comparing columns, without any lookup.
struct RunShape {
    etdump::EventIndex firstEvent = 0;  ///< of the run that the shape was made from
    std::uint32_t eventCount = 0;
    std::vector<Slot> slots;
    std::vector<std::uint32_t> profile;
    std::vector<std::uint32_t> debug;
    std::vector<std::uint32_t> outputs;  ///< debug events that are program outputs
    std::vector<std::uint32_t> allocations;

    /// True when the rows are the same, whatever the positions.
    [[nodiscard]] bool sameRows(const RunShape& other) const;
    [[nodiscard]] std::uint64_t rowsHash() const;
};

/// Collates the events of one run into rows. A debug event that is a program output makes no row.
[[nodiscard]] RunShape shapeOf(const etdump::Trace& trace, const etdump::Run& run);

/// True when `run` has the very events of `shape`'s run, apart from times and values.
[[nodiscard]] bool fits(const etdump::Trace& trace, const etdump::Run& run, const RunShape& shape);

/// A hash that is equal for runs of one shape.
[[nodiscard]] std::uint64_t shapeHash(const etdump::Trace& trace, const etdump::Run& run);

}  // namespace et::inspector::detail
