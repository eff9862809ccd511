#pragma once

#include "inspector/session/session.h"
#include "inspector/source/source_files.h"
#include "visualizers/source/source_view.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::studio {

/// Folders of the open files, which may also contain the Python source.
[[nodiscard]] std::vector<std::filesystem::path> sourceFolders(const inspector::SessionFiles& files);

/// Reads the local copy of a Python file, given its path at the time of export. The result has no file if it
/// was not found.
[[nodiscard]] visualizers::SourceText readPython(const std::string& recorded,
                                                 const std::vector<inspector::PathMapping>& mappings,
                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace et::studio
