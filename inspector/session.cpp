#include "inspector/session.h"

#include "inspector/artifact.h"

#include <fmt/format.h>

namespace et::inspector {

namespace {

using core::ErrorCode;
using Path = std::filesystem::path;

/// Adds the file's name to an error that does not have it.
template <class T>
core::Result<T> named(core::Result<T> result, const Path& path) {
    if (!result) {
        return std::unexpected(std::move(result).error().in(path.string()));
    }
    return result;
}

/// Where a path of some kind goes. A zip that is no record goes there too: the reader says what it lacks.
core::Result<Path*> placeFor(SessionFiles& files, const Path& path) {
    ET_ASSIGN(const auto file, named(core::MappedFile::open(path), path));
    const core::Bytes bytes = file->bytes();
    const ArtifactKind kind = detectArtifact(bytes);
    const bool zip = bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
    if (kind == ArtifactKind::Trace) {
        return &files.trace;
    }
    if (kind == ArtifactKind::Record || (kind == ArtifactKind::Unknown && zip)) {
        return &files.record;
    }
    if (kind == ArtifactKind::Unknown) {
        return &files.debugBuffer;
    }
    return core::fail(
        ErrorCode::InvalidArgument,
        fmt::format("expected a trace, an ETRecord or a debug buffer, got a {}", artifactName(kind)),
        {.file = path.string(), .field = {}, .offset = {}});
}

core::Result<> checkComplete(const SessionFiles& files) {
    if (!files.debugBuffer.empty() && files.trace.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          "unknown kind of file (a debug buffer needs its trace beside it)",
                          {.file = files.debugBuffer.string(), .field = {}, .offset = {}});
    }
    if (files.trace.empty() && files.record.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "nothing to show: neither a trace nor an ETRecord");
    }
    return {};
}

}  // namespace

core::Result<std::shared_ptr<const Session>> Session::open(SessionFiles files, JoinOptions options) {
    auto session = std::make_shared<Session>();
    if (!files.trace.empty()) {
        ET_ASSIGN(session->trace, named(etdump::Trace::open(files.trace), files.trace));
    }
    if (!files.record.empty()) {
        ET_ASSIGN(session->record, named(etrecord::Record::open(files.record), files.record));
    }
    if (!files.debugBuffer.empty()) {
        ET_ASSIGN(session->debugBuffer, named(core::MappedFile::open(files.debugBuffer), files.debugBuffer));
    }
    if (session->trace != nullptr) {
        ET_ASSIGN(session->blocks, EventBlocks::build(session->trace, session->record, session->debugBuffer,
                                                      std::move(options)));
    }
    session->files = std::move(files);
    return std::shared_ptr<const Session>(std::move(session));
}

core::Result<SessionFiles> Session::sort(const std::vector<std::filesystem::path>& paths) {
    SessionFiles files;
    for (const Path& path : paths) {
        ET_ASSIGN(Path* const place, placeFor(files, path));
        if (!place->empty()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("a second file of the same kind as {}", place->string()),
                              {.file = path.string(), .field = {}, .offset = {}});
        }
        *place = path;
    }
    ET_TRY(checkComplete(files));
    return files;
}

}  // namespace et::inspector
