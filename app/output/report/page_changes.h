#pragma once

#include "app/output/cells.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Comparison of a session's first additional trace with its main trace.
struct PageChanges {
    std::string text;  ///< what is compared, and the change of the total; empty if there is nothing to
                       ///< compare
    Table rows;        ///< operators, largest change first, with links to their events
};

/// Returns at most `maxRows` operators. Nothing is compared without an additional trace, or if the traces
/// have no method in common or use different units: with two traces, the text gives the reason.
[[nodiscard]] PageChanges pageChanges(const inspector::Session& session, std::size_t maxRows);

}  // namespace et::output
