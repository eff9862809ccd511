#pragma once

#include "inspector/session/session.h"

#include <QString>

namespace et::studio {

/// One line on what is open: "20 runs, 71 events, Method::execute 0.322 ms (p50)". Runs are those of all
/// blocks that have a Method::execute; where there is none, of all blocks. A bundled program adds its cases.
[[nodiscard]] QString keyFigures(const inspector::Session& session);

/// "trace.etdp + model.etrecord": the names of the open files, for the window title.
[[nodiscard]] QString fileNames(const inspector::SessionFiles& files);

/// The file name of one of the open traces, with its folder where another of them is called the same
/// ("monday/trace.etdp").
[[nodiscard]] QString traceName(const inspector::SessionFiles& files, const std::filesystem::path& trace);

}  // namespace et::studio
