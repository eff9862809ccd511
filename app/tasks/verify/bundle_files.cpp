#include "app/tasks/verify/bundle_files.h"

#include <algorithm>
#include <system_error>

namespace et::tasks {

namespace fs = std::filesystem;

namespace {

/// All bundled programs in a folder and its subfolders, and the folders that cannot be read.
std::vector<fs::path> filesBelow(const fs::path& top) {
    std::vector<fs::path> files;
    std::vector<fs::path> folders{top};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        std::error_code failed;
        for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
             entry.increment(failed)) {
            std::error_code unknown;
            if (fs::is_directory(entry->symlink_status(unknown))) {
                folders.push_back(entry->path());
            } else if (entry->path().extension() == ".bpte" && !entry->is_directory(unknown)) {
                files.push_back(entry->path());
            }
        }
        if (failed) {
            files.push_back(folder);
        }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::vector<fs::path> bundleFiles(std::span<const fs::path> paths) {
    std::vector<fs::path> files;
    for (const fs::path& path : paths) {
        std::error_code unknown;
        const std::vector<fs::path> below =
            fs::is_directory(path, unknown) ? filesBelow(path) : std::vector<fs::path>();
        files.insert(files.end(), below.begin(), below.end());
        if (below.empty()) {
            files.push_back(path);
        }
    }
    return files;
}

}  // namespace et::tasks
