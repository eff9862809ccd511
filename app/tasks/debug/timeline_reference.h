#pragma once

#include "app/tasks/debug/timeline.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/program/value.h"

#include <memory>

namespace et::tasks {

/// The Edge graph of the record at points of a timeline: what the values should be.
class TimelineReference {
  public:
    /// `tolerance`: as --tolerance of `gap --bisect`.
    TimelineReference(Timeline& timeline, std::shared_ptr<const etrecord::Record> record,
                      double tolerance = 1);
    ~TimelineReference();
    TimelineReference(const TimelineReference&) = delete;
    TimelineReference& operator=(const TimelineReference&) = delete;

    /// The gap of the current execution, with own errors as by `gap --bisect`, on its inputs and the state at
    /// its start. Computed at the first call per execution and branch, which runs the execution again.
    /// Errors: those of Timeline::trace() and of inspector::calculateGap().
    [[nodiscard]] core::Result<std::shared_ptr<const inspector::NumericGap>> gap();
    /// The row of the instruction before the point (inside a delegate: of the node before); null: it has no
    /// counterpart in the graph. Errors: as gap().
    [[nodiscard]] core::Result<const inspector::GapRow*> row();
    /// The graph's value for what this execution last wrote to a value before the point, in real numbers;
    /// null: there is none. Errors: as gap().
    [[nodiscard]] core::Result<const inspector::GapTensor*> valueOf(program::ValueId value);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::tasks
