#include "app/studio/session_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace et::studio {

namespace {

using inspector::Session;
using inspector::SessionFiles;
using inspector::SessionScope;
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
        auto files = Session::sort(paths, SessionScope::All);
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

/// The places of a session, in the order in which its files are named.
constexpr std::array places{&SessionFiles::trace,   &SessionFiles::record, &SessionFiles::debugBuffer,
                            &SessionFiles::program, &SessionFiles::bundle, &SessionFiles::tensorData};

/// Leaves out the file that `error` speaks of; false when nothing would be left to show, or when it speaks of
/// something else. A trace takes its debug buffer along.
bool leaveOut(SessionFiles& files, const core::Error& error) {
    const std::filesystem::path bad = error.where.file;
    const auto* const place =
        std::ranges::find_if(places, [&](auto member) { return !bad.empty() && files.*member == bad; });
    if (place == places.end()) {
        return false;
    }
    (files.**place).clear();
    if (files.trace.empty()) {
        files.debugBuffer.clear();
    }
    return std::ranges::any_of(places, [&](auto member) { return !(files.*member).empty(); });
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

using Place = std::filesystem::path SessionFiles::*;

/// Where a new file goes when what is open stays; null: it begins anew. What explains a trace can be
/// exchanged, all else only be added.
Place placeBeside(const std::filesystem::path& path, const Session& open) {
    // Beside a trace, a file of no known kind is a debug buffer.
    Paths both{path};
    append(both, open.files.trace);
    const auto sorted = Session::sort(both, SessionScope::All);
    if (!sorted) {
        return nullptr;  // a second trace, or not readable
    }
    const auto* const found =
        std::ranges::find_if(places, [&](auto member) { return (*sorted).*member == path; });
    const bool explains = *found == &SessionFiles::record || *found == &SessionFiles::debugBuffer;
    const bool fits = *found != &SessionFiles::debugBuffer || (open.trace && logsValues(*open.trace));
    return fits && ((explains && open.trace) || (open.files.**found).empty()) ? *found : nullptr;
}

}  // namespace

Paths pathsOf(const SessionFiles& files) {
    Paths paths;
    for (const auto member : places) {
        append(paths, files.*member);
    }
    return paths;
}

Paths withOpenFiles(const Paths& paths, const Session& open) {
    SessionFiles joined = open.files;
    for (const std::filesystem::path& path : paths) {
        const auto place = placeBeside(path, open);
        if (!place) {
            return paths;
        }
        joined.*place = path;
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
