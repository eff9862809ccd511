#pragma once

#include "app/tasks/probe/probe_set.h"
#include "app/tasks/probe/size_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::tasks {

/// A probe to write.
struct PlannedProbe {
    std::size_t subject = 0;
    std::optional<std::size_t> axis{};
    std::int64_t size = 0;
    ProbeFill fill = ProbeFill::Model;
    bool operator==(const PlannedProbe&) const = default;
};

/// The next probes in the order of their use, at most as many as the set's limit allows. The first round has
/// the sizes of the model, NaN inputs and a scan of each axis; later ones narrow what is wrong, with
/// `perEdge` sizes for each end of a band. Empty: nothing is left to find.
[[nodiscard]] std::vector<PlannedProbe> planRound(const ProbeSet& set, std::size_t perEdge);

/// The judged sizes of an axis, including that of the model.
[[nodiscard]] SizeTrials trialsOf(const ProbeSet& set, std::size_t subject, std::size_t axis);

/// The probe; null if it was not written.
[[nodiscard]] const Probe* findProbe(const ProbeSet& set, const PlannedProbe& planned);

}  // namespace et::tasks
