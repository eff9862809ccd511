#pragma once

#include "inspector/session/session.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Limits on the session data in a page: larger pages are slow to open and to send.
struct PageLimits {
    std::size_t slices = 100'000;  ///< of all traces; runs beyond the limit are omitted, the median run last
    std::size_t nodes = 5'000;     ///< larger graphs are omitted
};

/// Data drawn by the page's script, as JSON that is safe between `<script>` tags: it has no '<', '>' or '&',
/// whatever the names in the files. The format is described in page/model.js, its only reader. Empty if the
/// session has neither a trace nor a graph.
[[nodiscard]] std::string pageData(const inspector::Session& session, const PageLimits& limits = {});

}  // namespace et::output
