#pragma once

#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/model_process.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <memory>

namespace et::tasks {

/// A finished launch of a program.
struct FinishedLaunch {
    ModelProcessResult result;
    std::size_t warmup = 0;    ///< executions before the recorded ones
    std::size_t settling = 0;  ///< recorded executions that are not counted
    bool steady = false;       ///< the warm-up ended because the times were steady
};

/// Reads the results of a program's launches: the trace of each, everything else from the first.
class LaunchReader {
  public:
    /// Errors: those of opening the files.
    [[nodiscard]] static core::Result<LaunchReader> open(const ProgramToMeasure& source, std::uint64_t seed);

    /// Errors: those of the trace.
    [[nodiscard]] core::Result<> add(FinishedLaunch launch);
    /// Returns all launches combined; requires at least one.
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

}  // namespace et::tasks
