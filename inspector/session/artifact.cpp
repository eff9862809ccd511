#include "inspector/session/artifact.h"

#include "inspector/profiles/vendor_profile.h"
#include "runtime/core/wrapped_file.h"

#include <utility>

namespace et::inspector {

core::Result<RecognizedFile> RecognizedFile::open(const std::filesystem::path& path) {
    auto file = core::openUnwrapped(path, core::ZipFiles::Accepted);
    if (!file) {
        return std::unexpected(std::move(file).error().in(path.string()));
    }
    return of(*std::move(file));
}

RecognizedFile RecognizedFile::of(std::shared_ptr<const core::MappedFile> file) {
    core::FileKind kind = core::detectFileKind(file->bytes());
    if (kind == core::FileKind::Unknown && isVendorProfile(file->bytes())) {
        kind = core::FileKind::Profile;
    }
    std::filesystem::path path = file->name();
    return {.path = std::move(path), .file = std::move(file), .kind = kind};
}

core::Result<std::vector<RecognizedFile>> recognizeFiles(std::span<const std::filesystem::path> paths) {
    std::vector<RecognizedFile> files;
    files.reserve(paths.size());
    for (const std::filesystem::path& path : paths) {
        ET_ASSIGN(files.emplace_back(), RecognizedFile::open(path));
    }
    return files;
}

}  // namespace et::inspector
