#pragma once

#include "app/tasks/compare/lane.h"
#include "app/tasks/compare/measured_program.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>

namespace et::app {

/// A launch of a program that is over.
struct FinishedLaunch {
    LaneResult result;
    std::size_t warmup = 0;    ///< executions before those that are recorded
    std::size_t settling = 0;  ///< recorded ones that do not count
    bool steady = false;       ///< the warm-up ended because its times were
};

/// Reads what launches of one program left behind: its trace each time, all else the first time.
class LaunchReader {
  public:
    /// Errors: those of the files.
    [[nodiscard]] static core::Result<LaunchReader> open(const ProgramToMeasure& source, std::uint64_t seed);

    /// Errors: those of the trace.
    [[nodiscard]] core::Result<> add(FinishedLaunch launch);
    /// All launches together. Not without any.
    [[nodiscard]] MeasuredProgram take();

  private:
    LaunchReader() = default;
    [[nodiscard]] core::Result<inspector::Measurement> read(const FinishedLaunch& launch) const;
    void describe(const FinishedLaunch& launch, inspector::Measurement& measurement);

    std::string name;
    std::uint64_t seed = 0;
    std::shared_ptr<const etrecord::Record> record;
    MeasuredProgram measured;
    std::vector<inspector::Measurement> launches;
};

}  // namespace et::app
