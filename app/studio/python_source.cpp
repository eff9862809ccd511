#include "app/studio/python_source.h"

#include <algorithm>
#include <utility>

namespace et::studio {

namespace fs = std::filesystem;

std::vector<fs::path> sourceFolders(const inspector::SessionFiles& files) {
    std::vector<fs::path> folders;
    for (const fs::path* const file : {&files.record, &files.program, &files.bundle, &files.trace}) {
        if (!file->empty()) {
            fs::path folder = fs::absolute(*file).parent_path();
            if (!std::ranges::contains(folders, folder)) {
                folders.push_back(std::move(folder));
            }
        }
    }
    return folders;
}

visualizers::SourceText readPython(const std::string& recorded,
                                   const std::vector<inspector::PathMapping>& mappings,
                                   const std::vector<fs::path>& folders) {
    visualizers::SourceText out{.recorded = recorded};
    const auto file = inspector::findSource(recorded, mappings, folders);
    if (!file) {
        return out;
    }
    auto text = inspector::readSource(*file);
    if (text) {
        out.file = file->string();
        out.text = std::move(*text);
    } else {
        out.problem = text.error().toString();
    }
    return out;
}

}  // namespace et::studio
