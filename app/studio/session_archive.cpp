#include "app/studio/session_archive.h"

#include "app/studio/archive_cache.h"
#include "inspector/format/checksum.h"
#include "inspector/store/session_store.h"

#include <QStandardPaths>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::studio {

namespace fs = std::filesystem;
using inspector::store::SessionStore;

fs::path archiveFolder(const fs::path& archive) {
    constexpr std::size_t letters = 24;
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(archive, unknown);
    const std::string name = (unknown ? archive : whole).string();
    const std::string key = inspector::format::Sha256().add(std::string_view(name)).hex().substr(0, letters);
    const fs::path cache =
        QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation).toStdString();
    return cache / "et-inspect" / "sessions" / key;
}

std::optional<LoadOutcome> loadArchive(const std::vector<fs::path>& paths,
                                       std::span<const inspector::RecognizedFile> files,
                                       const inspector::JoinOptions& options, const std::stop_token& stop) {
    const auto isArchive = [](const auto& file) { return inspector::store::isDatabase(file); };
    const auto found = std::ranges::find_if(files, isArchive);
    if (found == files.end()) {
        return std::nullopt;
    }
    const fs::path& archive = found->path;
    const auto problem = [](core::Error error) { return LoadOutcome{nullptr, {error.toString()}}; };
    if (paths.size() > 1) {
        return problem({.code = core::ErrorCode::InvalidArgument,
                        .message = "open a session by itself, without other files",
                        .where = {.file = archive.string(), .field = {}, .offset = {}}});
    }
    const auto store = SessionStore::open(archive);
    if (!store) {
        return problem(store.error());
    }
    const fs::path folder = archiveFolder(archive);
    auto use = ArchiveUse::of(folder);
    if (!use) {
        return problem(std::move(use).error());
    }
    auto extracted = store->extract(folder, inspector::store::Existing::Replace);
    if (!extracted) {
        return problem(std::move(extracted).error());
    }
    pruneArchives(folder.parent_path(), {});
    LoadOutcome outcome = loadFiles(*std::move(extracted), options, stop);
    outcome.archive = archive;
    outcome.inUse = *std::move(use);
    return outcome;
}

}  // namespace et::studio
