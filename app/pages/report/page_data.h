#pragma once

#include "inspector/session/session.h"

#include <cstddef>
#include <string>

namespace et::app {

/// How much of a session goes into a page: a page with more is slow to open and to send.
struct PageLimits {
    std::size_t slices =
        100'000;                ///< of all traces together; runs beyond it are left out, the median run last
    std::size_t nodes = 5'000;  ///< a graph with more is left out
};

/// What the page's script draws, as JSON that may stand between `<script>` tags: it has no '<', '>' or '&',
/// whatever the names in the files are. Its form is described in page/model.js, the only reader. Empty: the
/// session has neither a trace nor a graph.
[[nodiscard]] std::string pageData(const inspector::Session& session, const PageLimits& limits = {});

}  // namespace et::app
