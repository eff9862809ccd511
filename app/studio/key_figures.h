#pragma once

#include "inspector/session/session.h"

#include <QString>

namespace et::studio {

/// One-line summary of the session: "20 runs, 71 events, Method::execute 0.322 ms (p50)". Runs are those of
/// all blocks with a Method::execute; without any, of all blocks. A bundled program adds its cases.
[[nodiscard]] QString keyFigures(const inspector::Session& session);

/// "trace.etdp + model.etrecord": names of the open files, for the window title.
[[nodiscard]] QString fileNames(const inspector::SessionFiles& files);

/// The file name of an open trace, with its folder if another open trace has the same name
/// ("monday/trace.etdp").
[[nodiscard]] QString traceName(const inspector::SessionFiles& files, const std::filesystem::path& trace);

}  // namespace et::studio
