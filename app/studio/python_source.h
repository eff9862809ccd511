#pragma once

#include "inspector/session/session.h"
#include "inspector/source/source_files.h"
#include "visualizers/source/source_view.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::studio {

/// Where what is open lies: Python may lie beside it.
[[nodiscard]] std::vector<std::filesystem::path> sourceFolders(const inspector::SessionFiles& files);

/// A Python file by the path that it had where the model was exported, from where it is here. Without a file
/// where there is none.
[[nodiscard]] visualizers::SourceText readPython(const std::string& recorded,
                                                 const std::vector<inspector::PathMapping>& mappings,
                                                 const std::vector<std::filesystem::path>& folders);

}  // namespace et::studio
