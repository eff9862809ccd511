#include "app/tasks/verify/bundle_files.h"

#include <algorithm>
#include <system_error>

namespace et::cli {

namespace fs = std::filesystem;

std::vector<fs::path> bundleFiles(std::span<const fs::path> paths) {
    std::vector<fs::path> files;
    for (const fs::path& path : paths) {
        const std::size_t before = files.size();
        std::error_code failed;
        if (fs::is_directory(path, failed)) {
            constexpr auto options = fs::directory_options::skip_permission_denied;
            for (fs::recursive_directory_iterator entry(path, options, failed), end; !failed && entry != end;
                 entry.increment(failed)) {
                std::error_code unknown;
                if (entry->path().extension() == ".bpte" && !entry->is_directory(unknown)) {
                    files.push_back(entry->path());
                }
            }
            std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
        }
        if (files.size() == before) {
            files.push_back(path);
        }
    }
    return files;
}

}  // namespace et::cli
