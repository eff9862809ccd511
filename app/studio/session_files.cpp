#include "app/studio/session_files.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace et::studio {

namespace {

using inspector::Session;
using inspector::SessionFiles;
using Paths = std::vector<std::filesystem::path>;

void append(Paths& paths, const std::filesystem::path& path) {
    if (!path.empty() && !std::ranges::contains(paths, path)) {
        paths.push_back(path);
    }
}

/// Whether a debug buffer can belong to the trace: only then is a file of no known kind taken for one.
bool logsValues(const etdump::Trace& trace) {
    return std::ranges::contains(trace.events().kind, etdump::EventKind::Debug);
}

/// The files in their places, without those that have none.
std::optional<SessionFiles> sortWhatFits(Paths paths, std::vector<std::string>& problems) {
    while (!paths.empty()) {
        auto files = Session::sort(paths);
        if (files) {
            return std::move(*files);
        }
        problems.push_back(files.error().toString());
        if (std::erase(paths, std::filesystem::path(files.error().where.file)) == 0) {
            break;
        }
    }
    return std::nullopt;
}

/// Leaves out the optional file that `error` speaks of; false when it speaks of something else.
bool leaveOut(SessionFiles& files, const core::Error& error) {
    const std::filesystem::path bad = error.where.file;
    for (std::filesystem::path* const optional : {&files.record, &files.debugBuffer}) {
        if (!optional->empty() && *optional == bad && !files.trace.empty()) {
            optional->clear();
            return true;
        }
    }
    return false;
}

std::shared_ptr<const Session> openWhatWorks(SessionFiles files, const inspector::JoinOptions& options,
                                             const std::stop_token& stop,
                                             std::vector<std::string>& problems) {
    while (!stop.stop_requested()) {
        auto session = Session::open(files, options);
        if (session) {
            return std::move(*session);
        }
        problems.push_back(session.error().toString());
        if (!leaveOut(files, session.error())) {
            break;
        }
    }
    return nullptr;
}

}  // namespace

Paths pathsOf(const SessionFiles& files) {
    Paths paths;
    append(paths, files.trace);
    append(paths, files.record);
    append(paths, files.debugBuffer);
    return paths;
}

Paths withOpenFiles(const Paths& paths, const Session& open) {
    if (!open.trace) {
        // A record waits for its trace: both are shown once the trace comes.
        Paths both = paths;
        append(both, open.files.record);
        const auto sorted = Session::sort(both);
        return sorted && !sorted->trace.empty() ? both : paths;
    }
    SessionFiles joined = open.files;
    for (const std::filesystem::path& path : paths) {
        const auto sorted = Session::sort({open.files.trace, path});
        if (!sorted || (!sorted->debugBuffer.empty() && !logsValues(*open.trace))) {
            return paths;
        }
        (sorted->record.empty() ? joined.debugBuffer : joined.record) = path;
    }
    return pathsOf(joined);
}

LoadOutcome load(Paths paths, const inspector::JoinOptions& options, const std::stop_token& stop) {
    LoadOutcome outcome;
    if (auto files = sortWhatFits(std::move(paths), outcome.problems)) {
        outcome.session = openWhatWorks(std::move(*files), options, stop, outcome.problems);
    }
    return outcome;
}

LoadOutcome rejoin(const Session& session, const inspector::JoinOptions& options) {
    auto blocks = inspector::EventBlocks::build(session.trace, session.record, session.debugBuffer, options);
    if (!blocks) {
        return {nullptr, {std::move(blocks).error().in(session.files.trace.string()).toString()}};
    }
    auto joined = std::make_shared<Session>(session);
    joined->blocks = std::move(*blocks);
    return {std::move(joined), {}};
}

}  // namespace et::studio
