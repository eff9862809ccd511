#pragma once

#include "inspector/format/table.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>

namespace et::app {

/// The first further trace of a session against its main trace.
struct PageChanges {
    std::string text;  ///< what is compared and what became of the whole; empty: nothing to compare
    inspector::report::Table rows;  ///< operators, the largest change first, and links to their events
};

/// At most `maxRows` operators. A session without a further trace, or traces that ran no method in common or
/// measured in different units, have nothing to compare: the text says why where there are two.
[[nodiscard]] PageChanges pageChanges(const inspector::Session& session, std::size_t maxRows);

}  // namespace et::app
