#include "inspector/session/session.h"

#include "inspector/profiles/profiled_trace.h"
#include "inspector/session/belonging.h"
#include "inspector/session/record_check.h"
#include "inspector/session/trace_check.h"
#include "runtime/native/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace et::inspector {

namespace {

using core::ErrorCode;
using Path = std::filesystem::path;
using OpenedFiles = std::span<const RecognizedFile>;

/// Adds the file name to an error that lacks it.
template <class T>
core::Result<T> named(core::Result<T> result, const Path& path) {
    if (!result) {
        return std::unexpected(std::move(result).error().in(path.string()));
    }
    return result;
}

/// Returns the file at `path`, which is opened unless it is one of `opened`. FileKind::Unknown: any kind.
core::Result<std::shared_ptr<const core::MappedFile>> fileAt(const Path& path, core::FileKind kind,
                                                             OpenedFiles opened) {
    const auto known = std::ranges::find(opened, path, &RecognizedFile::path);
    if (known != opened.end()) {
        return known->file;
    }
    return named(
        kind == core::FileKind::Unknown ? core::MappedFile::open(path) : core::openOfKind(path, kind), path);
}

/// Opens a trace, which may be a profile, and adds the operators of the profiles to it.
core::Result<ProfiledTrace> openTrace(Session& session, const Path& trace, const std::vector<Path>& more,
                                      const JoinOptions& options, OpenedFiles opened) {
    ProfiledModel model{.program = session.program.get(),
                        .record = session.recordOfProgram(),
                        .clock = options.clock,
                        .method = options.method};
    ET_ASSIGN(auto file, fileAt(trace, core::FileKind::Trace, opened));
    std::vector<std::shared_ptr<const core::MappedFile>> profiles;
    for (const Path& path : more) {
        ET_ASSIGN(profiles.emplace_back(), fileAt(path, core::FileKind::Unknown, opened));
    }
    ET_ASSIGN(ProfiledTrace read,
              named(readProfiledTrace(std::move(model), std::move(file), profiles), trace));
    std::ranges::move(read.warnings, std::back_inserter(session.problems));
    return read;
}

core::Result<> openProgram(Session& session, const SessionFiles& files, OpenedFiles opened) {
    if (!files.bundle.empty()) {
        ET_ASSIGN(auto file, fileAt(files.bundle, core::FileKind::BundledProgram, opened));
        ET_ASSIGN(session.bundle, named(bundled_program::Bundle::parse(std::move(file)), files.bundle));
    }
    if (!files.program.empty()) {
        ET_ASSIGN(auto file, fileAt(files.program, core::FileKind::Program, opened));
        ET_ASSIGN(session.program, named(program::Program::parse(std::move(file)), files.program));
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
core::Result<> openOther(Session& session, const TraceFiles& files, OpenedFiles opened) {
    if (session.blocks == nullptr || session.others.size() >= Session::maxOthers) {
        return core::fail(ErrorCode::InvalidArgument,
                          session.blocks == nullptr
                              ? std::string("no trace is open to compare it with")
                              : fmt::format("{} traces are already open for comparison", Session::maxOthers),
                          {.file = files.trace.string(), .field = {}, .offset = {}});
    }
    OtherTrace other{.files = files, .trace = nullptr, .blocks = nullptr};
    ET_ASSIGN(const ProfiledTrace read,
              openTrace(session, files.trace, {}, session.blocks->options(), opened));
    other.trace = read.trace;
    if (!files.debugBuffer.empty()) {
        ET_ASSIGN(other.values, fileAt(files.debugBuffer, core::FileKind::Unknown, opened));
    }
    JoinOptions options = withCounts(session, session.blocks->options(), files.trace);
    if (read.isProfile) {
        options.clock.delegates.clear();
    }
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

core::Result<std::shared_ptr<const Session>> Session::open(SessionFiles files, const JoinOptions& options,
                                                           OpenedFiles opened) {
    auto session = std::make_shared<Session>();
    if (!files.record.empty()) {
        ET_ASSIGN(auto file, fileAt(files.record, core::FileKind::Record, opened));
        ET_ASSIGN(session->record, named(etrecord::Record::parse(std::move(file)), files.record));
    }
    if (!files.debugBuffer.empty()) {
        ET_ASSIGN(session->debugBuffer, fileAt(files.debugBuffer, core::FileKind::Unknown, opened));
    }
    if (!files.package.empty()) {
        ET_ASSIGN(auto file, fileAt(files.package, core::FileKind::Package, opened));
        ET_ASSIGN(session->package, named(native::Package::parse(std::move(file)), files.package));
    }
    ET_TRY(openProgram(*session, files, opened));
    if (session->program != nullptr && session->record != nullptr) {
        session->recordContradiction = contradiction(*session->record, *session->program);
    }
    if (!files.trace.empty()) {
        ET_ASSIGN(const ProfiledTrace read,
                  openTrace(*session, files.trace, files.profiles, options, opened));
        session->trace = read.trace;
        JoinOptions join = withCounts(*session, options, files.trace);
        if (read.isProfile) {
            join.clock.delegates.clear();
        }
        ET_ASSIGN(session->blocks, joinTrace(*session, std::move(join)));
    }
    for (const TraceFiles& other : files.others) {
        ET_TRY(openOther(*session, other, opened));
    }
    session->files = std::move(files);
    return std::shared_ptr<const Session>(std::move(session));
}

core::Result<std::shared_ptr<const Session>> Session::withTraces(const std::vector<TraceFiles>& further,
                                                                 OpenedFiles opened) const {
    auto session = std::make_shared<Session>(*this);
    for (const TraceFiles& other : further) {
        ET_TRY(openOther(*session, other, opened));
        session->files.others.push_back(other);
    }
    return std::shared_ptr<const Session>(std::move(session));
}

}  // namespace et::inspector
