#include "app/tasks/lab/work_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace et::app {

core::Result<WorkFolder> WorkFolder::make() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "et-inspect-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()) == nullptr) {
        failed = std::error_code(errno, std::generic_category());
    }
    if (failed) {
        return core::fail(core::ErrorCode::Io,
                          fmt::format("cannot make a folder for temporary files: {}", failed.message()));
    }
    return WorkFolder(std::filesystem::path(name));
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept : folder(std::exchange(other.folder, {})) {
}

WorkFolder& WorkFolder::operator=(WorkFolder&& other) noexcept {
    if (this != &other) {
        remove();
        folder = std::exchange(other.folder, {});
    }
    return *this;
}

WorkFolder::~WorkFolder() {
    remove();
}

void WorkFolder::remove() {
    if (!folder.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
}

}  // namespace et::app
