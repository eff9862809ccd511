#include "app/tasks/base/new_folder.h"

#include "app/tasks/base/output_file.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/file_content.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Inside a private folder, so that the mode of the content follows the umask.
constexpr const char* contentFolder = "content";

void removeTree(const fs::path& folder) {
    std::error_code ignored;
    if (!folder.empty()) {
        fs::remove_all(folder, ignored);
    }
}

}  // namespace

Result<NewFolder> NewFolder::create(const fs::path& path) {
    std::error_code unknown;
    if (fs::exists(fs::symlink_status(path, unknown)) &&
        !(fs::is_directory(path, unknown) && fs::is_empty(path, unknown))) {
        return core::fail(core::ErrorCode::InvalidArgument, "refusing to replace it: remove it first",
                          {.file = path.string(), .field = {}, .offset = {}});
    }
    std::string name = (path.parent_path() / fmt::format(".{}.XXXXXX", path.filename().string())).string();
    if (::mkdtemp(name.data()) == nullptr) {
        return std::unexpected(core::systemError("cannot create the folder", errno, path.string()));
    }
    NewFolder folder(path, name);
    ET_TRY(makeFolder(folder.temporary / contentFolder));
    return folder;
}

NewFolder::NewFolder(fs::path named, fs::path made) : target(std::move(named)), temporary(std::move(made)) {
}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : target(std::move(other.target)), temporary(std::exchange(other.temporary, {})) {
}

NewFolder::~NewFolder() {
    removeTree(temporary);
}

Result<> NewFolder::write(const fs::path& file, core::Bytes bytes) const {
    const fs::path path = temporary / contentFolder / file;
    ET_TRY(makeFolder(path.parent_path()));
    core::FileContent content;
    content.appendBorrowed(bytes);
    return writeFile(path, content);
}

Result<> NewFolder::publish() {
    std::error_code failed;
    fs::rename(temporary / contentFolder, target, failed);
    if (failed) {
        return std::unexpected(
            core::systemError("cannot create the folder", failed.value(), target.string()));
    }
    removeTree(std::exchange(temporary, {}));
    return {};
}

void NewFolder::withdraw() const {
    removeTree(target);
}

}  // namespace et::tasks
