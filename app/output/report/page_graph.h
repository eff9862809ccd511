#pragma once

#include "app/output/report/page_texts.h"
#include "inspector/session/session.h"
#include "runtime/core/json_writer.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Writes the most informative graph of the session as one value: the Edge graph of the method that the trace
/// ran (or the first), else the program's. Null if there is none with at most `maxNodes`.
void writePageGraph(core::JsonWriter& out, PageTexts& texts, const inspector::Session& session,
                    std::size_t maxNodes);

}  // namespace et::output
