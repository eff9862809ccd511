#include "inspector/session.h"

#include "inspector/artifact.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

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

struct Place {
    ArtifactKind kind;
    Path SessionFiles::* path;
    SessionScope scope;  ///< the smallest that has it
};
constexpr std::array places{
    Place{ArtifactKind::Trace, &SessionFiles::trace, SessionScope::Trace},
    Place{ArtifactKind::Record, &SessionFiles::record, SessionScope::Trace},
    Place{ArtifactKind::Unknown, &SessionFiles::debugBuffer, SessionScope::Trace},
    Place{ArtifactKind::Program, &SessionFiles::program, SessionScope::All},
    Place{ArtifactKind::BundledProgram, &SessionFiles::bundle, SessionScope::All},
    Place{ArtifactKind::TensorData, &SessionFiles::tensorData, SessionScope::All},
};

struct ScopeFacts {
    SessionScope scope;
    std::string_view expected;
    std::string_view missing;
};
constexpr std::array scopes{
    ScopeFacts{SessionScope::Trace, "a trace, an ETRecord or a debug buffer",
               "neither a trace nor an ETRecord"},
    ScopeFacts{SessionScope::All,
               "a trace, an ETRecord, a debug buffer, a program, a bundled program or tensor data",
               "no trace, ETRecord, program or bundled program"},
};
const ScopeFacts& facts(SessionScope scope) {
    return *std::ranges::find(scopes, scope, &ScopeFacts::scope);
}

/// The kind of a file for its place: a zip that is no record goes there too, and the reader says what it
/// lacks.
ArtifactKind kindOf(core::Bytes bytes) {
    const ArtifactKind kind = detectArtifact(bytes);
    const bool zip = bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
    return kind == ArtifactKind::Unknown && zip ? ArtifactKind::Record : kind;
}

/// Where a path of some kind goes.
core::Result<Path*> placeFor(SessionFiles& files, const Path& path, SessionScope scope) {
    ET_ASSIGN(const auto file, named(core::MappedFile::open(path), path));
    const ArtifactKind kind = kindOf(file->bytes());
    const auto* const place = std::ranges::find(places, kind, &Place::kind);
    if (place == places.end() || place->scope > scope) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {}, got a {}", facts(scope).expected, artifactName(kind)),
                          {.file = path.string(), .field = {}, .offset = {}});
    }
    return &(files.*place->path);
}

core::Result<> checkComplete(const SessionFiles& files, SessionScope scope) {
    if (!files.debugBuffer.empty() && files.trace.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          "unknown kind of file (a debug buffer needs its trace beside it)",
                          {.file = files.debugBuffer.string(), .field = {}, .offset = {}});
    }
    if (files.trace.empty() && files.record.empty() && files.program.empty() && files.bundle.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("nothing to show: {}", facts(scope).missing));
    }
    return {};
}

core::Result<> openProgram(Session& session, const SessionFiles& files) {
    if (!files.bundle.empty()) {
        ET_ASSIGN(session.bundle, named(bundled_program::Bundle::open(files.bundle), files.bundle));
    }
    if (!files.program.empty()) {
        ET_ASSIGN(session.program, named(program::Program::open(files.program), files.program));
    } else if (session.bundle != nullptr) {
        // Its cases can be shown without it.
        auto embedded =
            named(program::Program::parse(session.bundle->file, session.bundle->program), files.bundle);
        if (embedded) {
            session.program = *std::move(embedded);
        } else {
            session.problems.push_back(embedded.error().toString());
        }
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
    ET_TRY(openProgram(*session, files));
    session->files = std::move(files);
    return std::shared_ptr<const Session>(std::move(session));
}

core::Result<SessionFiles> Session::sort(const std::vector<std::filesystem::path>& paths,
                                         SessionScope scope) {
    SessionFiles files;
    for (const Path& path : paths) {
        ET_ASSIGN(Path* const place, placeFor(files, path, scope));
        if (!place->empty()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("a second file of the same kind as {}", place->string()),
                              {.file = path.string(), .field = {}, .offset = {}});
        }
        *place = path;
    }
    ET_TRY(checkComplete(files, scope));
    return files;
}

}  // namespace et::inspector
