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

/// The sites of a float model as the record has them, without a figure that is measured, of the method that a
/// study is of. Slow: folds batch norms. Errors: the record has no such method, or no graph of it that can be
/// quantized.
[[nodiscard]] core::Result<visualizers::LabStudy> knownSites(const etrecord::Record& record);

/// Debug handles of each site's nodes, sorted, in the order of the study; empty where the record has none.
[[nodiscard]] std::vector<std::vector<core::DebugHandle>> labHandles(const etrecord::Record& record,
                                                                     const visualizers::LabStudy& study);

/// For the Graph room. Sites that cannot be quantized are left out.
[[nodiscard]] std::shared_ptr<const inspector::SiteErrors> siteErrors(
    const visualizers::LabStudy& study, const std::vector<std::vector<core::DebugHandle>>& handles);

/// The time that a trace of the session has for each site; empty without a program and a trace of it. Slow:
/// looks into delegates.
[[nodiscard]] std::vector<double> siteTimes(const inspector::Session& session,
                                            const visualizers::LabStudy& study,
                                            const std::vector<std::vector<core::DebugHandle>>& handles);

/// The site that has most of these handles (sorted), of several the one with the fewest others; nothing: none
/// has any.
[[nodiscard]] std::optional<std::size_t> siteOf(std::span<const core::DebugHandle> wanted,
                                                const std::vector<std::vector<core::DebugHandle>>& handles);

}  // namespace et::studio
