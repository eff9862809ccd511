#include "app/tasks/base/output_file.h"

#include "runtime/core/file_replacement.h"

#include <fmt/format.h>

#include <system_error>

namespace et::tasks {

core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer) {
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    // The reader of a closed pipe has read all it wanted.
    ET_TRY(writeTo(file.descriptor(), path.string(), producer));
    return file.finish();
}

core::Result<> refuseToReplace(const std::filesystem::path& path,
                               const std::vector<std::filesystem::path>& inputs) {
    for (const std::filesystem::path& input : inputs) {
        std::error_code unknown;
        if (std::filesystem::is_regular_file(path, unknown) &&
            std::filesystem::equivalent(path, input, unknown)) {
            return core::fail(core::ErrorCode::InvalidArgument, "refusing to overwrite an input file",
                              {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

core::Result<> makeFolder(const std::filesystem::path& folder) {
    std::error_code refused;
    std::filesystem::create_directories(folder, refused);
    if (refused) {
        return core::fail(core::ErrorCode::Io, fmt::format("cannot create the folder: {}", refused.message()),
                          {.file = folder.string(), .field = {}, .offset = {}});
    }
    return {};
}

}  // namespace et::tasks
