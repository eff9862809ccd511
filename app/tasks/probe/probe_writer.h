#pragma once

#include "app/tasks/probe/probe_plan.h"
#include "app/tasks/probe/probe_set.h"
#include "app/tasks/probe/probe_subjects.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Writes the programs of a probe set. Its graphs are made from the model when they are needed.
class ProbeWriter {
  public:
    ProbeWriter(ProbeSet& written, std::filesystem::path into) : set(written), folder(std::move(into)) {}

    /// Fills the set's subjects. Errors: those of probeSubjects().
    [[nodiscard]] core::Result<> describe(const ModelOptions& options);
    /// Writes the next round and returns the number of its probes. Sizes that an operator does not support
    /// are replaced. Errors: those of describe(), Io, Cancelled.
    [[nodiscard]] core::Result<std::size_t> writeRound(std::size_t perEdge, const ModelOptions& options);

    /// Backend that the model's delegates can be lowered to.
    [[nodiscard]] LowerBackend backend() const { return made.backend; }
    /// Operators that cannot be probed, with the reason.
    [[nodiscard]] const std::vector<std::string>& omitted() const { return made.omitted; }

  private:
    [[nodiscard]] core::Result<> make(const ModelOptions& options);
    /// Returns whether the operator supports the size.
    [[nodiscard]] core::Result<bool> write(const PlannedProbe& planned, std::size_t round);
    [[nodiscard]] core::Result<ProbeGraph> graphOf(const PlannedProbe& planned) const;

    ProbeSet& set;
    std::filesystem::path folder;
    ProbeSubjects made;
    std::vector<std::vector<ProbeAxis>> axes;  ///< by subject
    bool isMade = false;
};

}  // namespace et::tasks
