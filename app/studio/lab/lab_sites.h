#pragma once

#include "inspector/graph/graph_numbers.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "visualizers/lab/lab_study.h"
#include "visualizers/open_session.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::studio {

/// The sites of a float model from the record, without measured figures, for the method that a study would
/// use. Slow: folds batch norms. Errors: the record has no such method, or no graph of it that can be
/// quantized.
[[nodiscard]] core::Result<visualizers::LabStudy> knownSites(const etrecord::Record& record);

/// Debug handles of each site's nodes, sorted, in the order of the study; empty if the record has none.
[[nodiscard]] std::vector<std::vector<core::DebugHandle>> labHandles(const etrecord::Record& record,
                                                                     const visualizers::LabStudy& study);

/// Site errors for the Graph panel, except for sites that cannot be quantized.
[[nodiscard]] std::shared_ptr<const inspector::SiteErrors> siteErrors(
    const visualizers::LabStudy& study, const std::vector<std::vector<core::DebugHandle>>& handles);

/// Time of each site in the session's trace; empty without a program and its trace. Slow: parses delegates.
[[nodiscard]] std::vector<double> siteTimes(const inspector::Session& session,
                                            const visualizers::LabStudy& study,
                                            const std::vector<std::vector<core::DebugHandle>>& handles);

/// Returns the site with the most of these handles (sorted), of several the one with the fewest others;
/// nothing if no site has any.
[[nodiscard]] std::optional<std::size_t> siteOf(std::span<const core::DebugHandle> wanted,
                                                const std::vector<std::vector<core::DebugHandle>>& handles);

}  // namespace et::studio
