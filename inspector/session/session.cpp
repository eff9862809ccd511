#include "inspector/session/session.h"

#include "inspector/session/artifact.h"
#include "inspector/session/belonging.h"
#include "inspector/session/record_check.h"
#include "inspector/session/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace et::inspector {

namespace {

using core::ErrorCode;
using Path = std::filesystem::path;

/// Adds the file name to an error that lacks it.
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
    SessionScope scope;  ///< the smallest scope that includes it
};
constexpr std::array places{
    Place{ArtifactKind::Trace, &SessionFiles::trace, SessionScope::Trace},
    Place{ArtifactKind::Record, &SessionFiles::record, SessionScope::Trace},
    Place{ArtifactKind::Unknown, &SessionFiles::debugBuffer, SessionScope::Trace},
    Place{ArtifactKind::Program, &SessionFiles::program, SessionScope::All},
    Place{ArtifactKind::BundledProgram, &SessionFiles::bundle, SessionScope::All},
    Place{ArtifactKind::TensorData, &SessionFiles::tensorData, SessionScope::All},
};

struct ScopeTraits {
    SessionScope scope;
    std::string_view expected;
    std::string_view missing;
};
constexpr std::array scopes{
    ScopeTraits{SessionScope::Trace, "a trace, an ETRecord or a debug buffer",
                "neither a trace nor an ETRecord"},
    ScopeTraits{SessionScope::Traces, "traces, an ETRecord or a debug buffer",
                "neither a trace nor an ETRecord"},
    ScopeTraits{SessionScope::All,
                "a trace, an ETRecord, a debug buffer, a program, a bundled program or tensor data",
                "no trace, ETRecord, program or bundled program"},
};
const ScopeTraits& traits(SessionScope scope) {
    return *std::ranges::find(scopes, scope, &ScopeTraits::scope);
}

/// The kind that selects a file's place. A zip that is not a record counts as one; its reader then reports
/// what is missing.
ArtifactKind kindOf(core::Bytes bytes) {
    const ArtifactKind kind = detectArtifact(bytes);
    const bool zip = bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
    return kind == ArtifactKind::Unknown && zip ? ArtifactKind::Record : kind;
}

/// Selects the place for a path by the file's kind.
core::Result<const Place*> placeFor(const Path& path, SessionScope scope) {
    ET_ASSIGN(const auto file, named(core::MappedFile::open(path), path));
    const ArtifactKind kind = kindOf(file->bytes());
    const auto* const place = std::ranges::find(places, kind, &Place::kind);
    if (place == places.end() || place->scope > scope) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {}, got a {}", traits(scope).expected, artifactName(kind)),
                          {.file = path.string(), .field = {}, .offset = {}});
    }
    return place;
}

/// Number of contradictions among `files` with `path` in a place; the maximum if they cannot be opened.
std::size_t contradictionsWith(SessionFiles files, const Place& place, const Path& path) {
    files.*place.path = path;
    const auto session = Session::open(std::move(files));
    return session ? contradictions(**session).size() : ~std::size_t{0};
}

/// Among several files of a kind, selects the one with the fewest contradictions to the rest; the first wins
/// ties.
std::vector<Path>::iterator bestFor(const SessionFiles& files, const Place& place,
                                    std::vector<Path>& candidates) {
    std::size_t min = contradictionsWith(files, place, candidates.front());
    auto best = candidates.begin();
    for (auto other = best + 1; other != candidates.end() && min > 0; ++other) {
        const std::size_t count = contradictionsWith(files, place, *other);
        if (count < min) {
            min = count;
            best = other;
        }
    }
    return best;
}

core::Error secondOfAKind(const Path& path, const Path& first) {
    return {.code = ErrorCode::InvalidArgument,
            .message = fmt::format("a second file of the same kind as {}", first.string()),
            .where = {.file = path.string(), .field = {}, .offset = {}}};
}

core::Result<> takeFurther(SessionFiles& files, const Place& place, const std::vector<Path>& further) {
    if (place.kind != ArtifactKind::Trace || further.size() > Session::maxOthers) {
        return std::unexpected(secondOfAKind(further.back(), files.*place.path));
    }
    for (const Path& path : further) {
        files.others.push_back({.trace = path});
    }
    return {};
}

core::Result<> checkComplete(const SessionFiles& files, SessionScope scope) {
    if (!files.debugBuffer.empty() && files.trace.empty()) {
        ET_ASSIGN(const auto file, named(core::MappedFile::open(files.debugBuffer), files.debugBuffer));
        if (file->bytes().empty()) {
            return core::fail(ErrorCode::Format, "the file is empty",
                              {.file = files.debugBuffer.string(), .field = {}, .offset = {}});
        }
        return core::fail(ErrorCode::InvalidArgument,
                          "unknown file type (a debug buffer must be opened with its trace)",
                          {.file = files.debugBuffer.string(), .field = {}, .offset = {}});
    }
    if (files.trace.empty() && files.record.empty() && files.program.empty() && files.bundle.empty()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("nothing to show: {}", traits(scope).missing));
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
        // The bundle's cases can be shown without the program.
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

/// Omits the record if it does not belong to the program that ran.
core::Result<std::shared_ptr<const EventBlocks>> joinTrace(const Session& session,
                                                           const JoinOptions& options) {
    if (session.recordContradiction && !options.referenceQuirks) {
        JoinOptions plain = options;
        plain.method.clear();
        ET_ASSIGN(auto alone, EventBlocks::build(session.trace, nullptr, session.debugBuffer, plain));
        if (!contradiction(*alone, *session.program)) {
            return alone;
        }
    }
    return EventBlocks::build(session.trace, session.record, session.debugBuffer, options,
                              session.recordContradiction ? nullptr : session.program.get());
}

/// Adds the counters recorded with a trace to the options, if their file exists.
JoinOptions withCounts(Session& session, JoinOptions options, const Path& trace) {
    const Path file = InstructionCounts::fileOf(trace);
    std::error_code ignored;
    options.counts = nullptr;
    if (!options.referenceQuirks && std::filesystem::is_regular_file(file, ignored)) {
        if (auto counts = InstructionCounts::open(file)) {
            options.counts = *std::move(counts);
        } else {
            session.problems.push_back(counts.error().toString());
        }
    }
    return options;
}

/// Uses the record only if it explains the trace; its data would be wrong otherwise.
core::Result<> openOther(Session& session, const TraceFiles& files) {
    if (session.blocks == nullptr || session.others.size() >= Session::maxOthers) {
        return core::fail(ErrorCode::InvalidArgument,
                          session.blocks == nullptr
                              ? std::string("no trace is open to compare it with")
                              : fmt::format("{} traces are already open for comparison", Session::maxOthers),
                          {.file = files.trace.string(), .field = {}, .offset = {}});
    }
    OtherTrace other{.files = files, .trace = nullptr, .blocks = nullptr};
    ET_ASSIGN(other.trace, named(etdump::Trace::open(files.trace), files.trace));
    if (!files.debugBuffer.empty()) {
        ET_ASSIGN(other.values, named(core::MappedFile::open(files.debugBuffer), files.debugBuffer));
    }
    const JoinOptions options = withCounts(session, session.blocks->options(), files.trace);
    if (session.record != nullptr) {
        const auto joined =
            EventBlocks::build(other.trace, session.record, other.values, options, session.program.get());
        other.blocks = joined && !(*joined)->recordContradiction() ? *joined : nullptr;
    }
    if (other.blocks == nullptr) {
        JoinOptions plain = options;
        plain.method.clear();
        ET_ASSIGN(other.blocks,
                  named(EventBlocks::build(other.trace, nullptr, other.values, plain), files.trace));
    }
    session.others.push_back(std::move(other));
    return {};
}

}  // namespace

core::Result<std::shared_ptr<const Session>> Session::open(SessionFiles files, const JoinOptions& options) {
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
    ET_TRY(openProgram(*session, files));
    if (session->program != nullptr && session->record != nullptr) {
        session->recordContradiction = contradiction(*session->record, *session->program);
    }
    if (session->trace != nullptr) {
        ET_ASSIGN(session->blocks, joinTrace(*session, withCounts(*session, options, files.trace)));
    }
    for (const TraceFiles& other : files.others) {
        ET_TRY(openOther(*session, other));
    }
    session->files = std::move(files);
    return std::shared_ptr<const Session>(std::move(session));
}

core::Result<std::shared_ptr<const Session>> Session::withTraces(
    const std::vector<TraceFiles>& further) const {
    auto session = std::make_shared<Session>(*this);
    for (const TraceFiles& other : further) {
        ET_TRY(openOther(*session, other));
        session->files.others.push_back(other);
    }
    return std::shared_ptr<const Session>(std::move(session));
}

core::Result<SessionFiles> Session::sort(const std::vector<std::filesystem::path>& paths,
                                         SessionScope scope) {
    SessionFiles files;
    std::array<std::vector<Path>, places.size()> found;
    for (const Path& path : paths) {
        ET_ASSIGN(const Place* const place, placeFor(path, scope));
        auto& known = found[static_cast<std::size_t>(place - places.data())];
        const bool several = scope == SessionScope::All ||
                             (scope == SessionScope::Traces && place->kind == ArtifactKind::Trace);
        if (!known.empty() && !several) {
            files.*place->path = known.front();
            return std::unexpected(secondOfAKind(path, known.front()));
        }
        if (!std::ranges::contains(known, path)) {
            known.push_back(path);
        }
        files.*place->path = known.front();
    }
    ET_TRY(checkComplete(files, scope));
    const bool oneKind = std::ranges::count_if(found, [](const auto& each) { return !each.empty(); }) == 1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (found[i].size() > 1) {
            const auto best = oneKind ? found[i].begin() : bestFor(files, places[i], found[i]);
            files.*places[i].path = *best;
            found[i].erase(best);
            ET_TRY(takeFurther(files, places[i], found[i]));
        }
    }
    return files;
}

}  // namespace et::inspector
