#pragma once

#include "app/pages/report/page_texts.h"
#include "inspector/session/session.h"
#include "runtime/core/json_writer.h"

#include <cstddef>
#include <string>

namespace et::app {

/// The graph that says most of the session: the Edge graph of the method that the trace ran (or the first),
/// else the program's. Writes one value: null where there is none with at most `maxNodes`.
void writePageGraph(core::JsonWriter& out, PageTexts& texts, const inspector::Session& session,
                    std::size_t maxNodes);

}  // namespace et::app
