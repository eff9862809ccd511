#pragma once

#include "app/tasks/debug/arena_range.h"
#include "app/tasks/debug/timeline.h"
#include "app/tasks/debug/timeline_point.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/program/value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// Who reads and writes a value, or bytes of planned memory.
namespace et::tasks {

/// A value that an instruction reads or writes, with its memory at that time.
struct ValueAccess {
    program::ValueId value;
    bool isWrite = false;
    std::optional<ArenaRange> memory{};  ///< nothing for scalars and unplanned memory
};

/// An access of an execution.
struct AccessAt {
    TimelinePoint point;  ///< before the instruction
    ValueAccess access;
    executor::Position position{};  ///< of the instruction
    bool isInput = false;           ///< written by the caller before instruction 0
};

/// A read of bytes that another value has overwritten since the value was last written.
struct OverwrittenRead {
    AccessAt read;
    AccessAt written;    ///< the last write of the value that is read
    AccessAt overwrite;  ///< the last write of another value to the bytes, between both
};

/// Accesses of the current branch of a timeline. Runs executions again, at most once each while it keeps
/// their accesses, and returns to the point.
class ValueHistory {
  public:
    explicit ValueHistory(Timeline& timeline);
    ~ValueHistory();
    ValueHistory(const ValueHistory&) = delete;
    ValueHistory& operator=(const ValueHistory&) = delete;

    /// Values that the next instruction reads and writes; empty at the end.
    [[nodiscard]] std::vector<ValueAccess> next();
    /// Values that the instruction before the point read and wrote; empty at the start of an execution.
    [[nodiscard]] std::vector<ValueAccess> previous();

    /// The last write of a value before the point, in this or an earlier execution of the method; nothing:
    /// never written. Errors of this and all others: those of movements.
    [[nodiscard]] core::Result<std::optional<AccessAt>> lastWrite(program::ValueId value);
    /// The next read at or after the point, in this execution.
    [[nodiscard]] core::Result<std::optional<AccessAt>> nextRead(program::ValueId value);
    /// All accesses of this execution that overlap the bytes, in execution order.
    [[nodiscard]] core::Result<std::vector<AccessAt>> accessesOf(const ArenaRange& range);
    /// All reads of overwritten bytes in this execution. Values that no instruction writes (views, state) and
    /// values updated in place do not count.
    [[nodiscard]] core::Result<std::vector<OverwrittenRead>> overwrittenReads();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::tasks
