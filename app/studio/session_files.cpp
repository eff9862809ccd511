#include "app/studio/session_files.h"

#include "app/studio/session_archive.h"
#include "inspector/session/artifact.h"
#include "inspector/session/belonging.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace et::studio {

namespace {

using inspector::Session;
using inspector::SessionFiles;
using inspector::SessionScope;
using inspector::TraceFiles;
using Paths = std::vector<std::filesystem::path>;

void append(Paths& paths, const std::filesystem::path& path) {
    if (!path.empty() && !std::ranges::contains(paths, path)) {
        paths.push_back(path);
    }
}

/// True if a debug buffer can belong to the trace: only then is a file of unknown kind assumed to be one.
bool logsValues(const etdump::Trace& trace) {
    return std::ranges::contains(trace.events().kind, etdump::EventKind::Debug);
}

inspector::ArtifactKind kindOf(const std::filesystem::path& path) {
    const auto file = core::MappedFile::open(path);
    return file ? inspector::detectArtifact((*file)->bytes()) : inspector::ArtifactKind::Unknown;
}

bool isProgram(const std::filesystem::path& path) {
    const auto kind = kindOf(path);
    return kind == inspector::ArtifactKind::Program || kind == inspector::ArtifactKind::BundledProgram;
}

/// Assigns the files to the members of a session, and drops those without one. The first such program is kept
/// for a comparison.
std::optional<SessionFiles> sortWhatFits(Paths paths, LoadOutcome& outcome) {
    while (!paths.empty()) {
        auto files = Session::sort(paths, SessionScope::All);
        if (files) {
            return std::move(*files);
        }
        const std::filesystem::path left = files.error().where.file;
        if (outcome.otherProgram.empty() && isProgram(left)) {
            outcome.otherProgram = left;
        } else {
            outcome.problems.push_back(files.error().toString());
        }
        if (std::erase(paths, left) == 0) {
            break;
        }
    }
    return std::nullopt;
}

/// The members of a session, in the order in which its files are listed.
constexpr std::array places{&SessionFiles::trace,   &SessionFiles::record, &SessionFiles::debugBuffer,
                            &SessionFiles::program, &SessionFiles::bundle, &SessionFiles::tensorData};

/// Without a main trace, promotes the first additional one.
void promote(SessionFiles& files) {
    files.debugBuffer.clear();
    if (!files.others.empty()) {
        files = withMainTrace(std::move(files), 0);
        files.others.erase(files.others.begin());  // the empty one that it was swapped with
    }
}

/// Drops the file that `error` refers to; returns false if nothing would be left to show, or if it does not
/// refer to a file of the session. The debug buffer is dropped with its trace.
bool leaveOut(SessionFiles& files, const core::Error& error) {
    const std::filesystem::path bad = error.where.file;
    if (std::erase_if(files.others, [&](const TraceFiles& other) {
            return !bad.empty() && (other.trace == bad || other.debugBuffer == bad);
        }) > 0) {
        return true;
    }
    const auto* const place =
        std::ranges::find_if(places, [&](auto member) { return !bad.empty() && files.*member == bad; });
    if (place == places.end()) {
        return false;
    }
    (files.**place).clear();
    if (files.trace.empty()) {
        promote(files);
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

/// Returns the member for a new file that is added to the session; null if the file starts a new session.
/// Files that explain a trace, and a program's weights, can be replaced; others can only be added.
Place placeBeside(const std::filesystem::path& path, const Session& open) {
    if (open.program && kindOf(path) == inspector::ArtifactKind::TensorData) {
        return &SessionFiles::tensorData;
    }
    // Together with a trace, a file of unknown kind is a debug buffer.
    Paths both{path};
    append(both, open.files.trace);
    const auto sorted = Session::sort(both, SessionScope::All);
    if (!sorted) {
        return nullptr;  // not readable
    }
    const auto* const found =
        std::ranges::find_if(places, [&](auto member) { return (*sorted).*member == path; });
    if (found == places.end()) {
        return nullptr;  // a second trace
    }
    const bool explains = *found == &SessionFiles::record || *found == &SessionFiles::debugBuffer;
    const bool fits = *found != &SessionFiles::debugBuffer || (open.trace && logsValues(*open.trace));
    return fits && ((explains && open.trace) || (open.files.**found).empty()) ? *found : nullptr;
}

/// The session's files together with `paths`; nothing if one of them cannot be added.
std::optional<SessionFiles> joinedFiles(const Paths& paths, const Session& open) {
    SessionFiles joined = open.files;
    for (const std::filesystem::path& path : paths) {
        const auto place = placeBeside(path, open);
        if (!place) {
            return std::nullopt;
        }
        joined.*place = path;
    }
    return joined;
}

/// The traces among `paths`, each with its debug buffer; nothing if there are other files.
std::optional<std::vector<TraceFiles>> onlyTraces(const Paths& paths) {
    const auto sorted = Session::sort(paths, SessionScope::All);
    if (!sorted || sorted->trace.empty()) {
        return std::nullopt;
    }
    std::vector<TraceFiles> traces{{.trace = sorted->trace, .debugBuffer = sorted->debugBuffer}};
    traces.insert(traces.end(), sorted->others.begin(), sorted->others.end());
    const Paths rest = pathsOf({.trace = {},
                                .record = sorted->record,
                                .debugBuffer = {},
                                .program = sorted->program,
                                .bundle = sorted->bundle,
                                .tensorData = sorted->tensorData});
    return rest.empty() ? std::optional(std::move(traces)) : std::nullopt;
}

bool isOpen(const SessionFiles& files, const std::filesystem::path& trace) {
    return files.trace == trace || std::ranges::contains(files.others, trace, &TraceFiles::trace);
}

/// Returns `open` with additional traces; null if one does not match. An error names the damaged trace.
core::Result<std::shared_ptr<const Session>> besideOpen(const Session& open, std::vector<TraceFiles> traces,
                                                        Arrival arrival) {
    const std::size_t all = open.others.size() + traces.size();
    const std::size_t leaving = all > Session::maxOthers ? all - Session::maxOthers : 0;
    Session panel = open;
    const auto oldest = static_cast<std::ptrdiff_t>(std::min(leaving, panel.others.size()));
    panel.others.erase(panel.others.begin(), panel.others.begin() + oldest);
    panel.files.others.erase(panel.files.others.begin(), panel.files.others.begin() + oldest);
    ET_ASSIGN(std::shared_ptr<const Session> joined, panel.withTraces(traces));
    const auto added = std::span(joined->others).last(traces.size());
    const bool fit =
        arrival == Arrival::Beside || std::ranges::all_of(added, [&](const inspector::OtherTrace& other) {
            return inspector::fitsBeside(open, other);
        });
    return fit ? joined : nullptr;
}

}  // namespace

Paths pathsOf(const SessionFiles& files) {
    Paths paths;
    for (const auto member : places) {
        append(paths, files.*member);
    }
    for (const TraceFiles& other : files.others) {
        append(paths, other.trace);
        append(paths, other.debugBuffer);
    }
    return paths;
}

Paths withOpenFiles(const Paths& paths, const Session& open) {
    const auto joined = joinedFiles(paths, open);
    return joined ? pathsOf(*joined) : paths;
}

SessionFiles withMainTrace(SessionFiles files, std::size_t other) {
    std::swap(files.trace, files.others[other].trace);
    std::swap(files.debugBuffer, files.others[other].debugBuffer);
    return files;
}

LoadOutcome add(const Paths& paths, const Session& open, Arrival arrival,
                const inspector::JoinOptions& options, const std::stop_token& stop) {
    if (auto archived = loadArchive(paths, options, stop)) {
        return *std::move(archived);
    }
    if (arrival == Arrival::Beside && open.program && paths.size() == 1 && isProgram(paths.front())) {
        return {
            .session = std::make_shared<const Session>(open), .problems = {}, .otherProgram = paths.front()};
    }
    auto traces = arrival != Arrival::Fresh && open.blocks ? onlyTraces(paths) : std::nullopt;
    if (!traces) {
        auto joined = joinedFiles(paths, open);
        return joined ? loadFiles(*std::move(joined), options, stop) : load(paths, options, stop);
    }
    if (std::ranges::all_of(*traces,
                            [&](const TraceFiles& each) { return isOpen(open.files, each.trace); })) {
        return loadFiles(open.files, options, stop);
    }
    std::erase_if(*traces, [&](const TraceFiles& each) { return isOpen(open.files, each.trace); });
    auto joined = besideOpen(open, std::move(*traces), arrival);
    if (!joined) {
        return {nullptr, {joined.error().toString()}};
    }
    return *joined ? LoadOutcome{*std::move(joined), {}} : load(paths, options, stop);
}

LoadOutcome load(Paths paths, const inspector::JoinOptions& options, const std::stop_token& stop) {
    if (auto archived = loadArchive(paths, options, stop)) {
        return *std::move(archived);
    }
    LoadOutcome outcome;
    if (auto files = sortWhatFits(std::move(paths), outcome)) {
        outcome.session = openWhatWorks(std::move(*files), options, stop, outcome.problems);
    }
    return outcome;
}

LoadOutcome loadFiles(SessionFiles files, const inspector::JoinOptions& options,
                      const std::stop_token& stop) {
    LoadOutcome outcome;
    outcome.session = openWhatWorks(std::move(files), options, stop, outcome.problems);
    return outcome;
}

LoadOutcome rejoin(const Session& session, const inspector::JoinOptions& options) {
    auto blocks = inspector::EventBlocks::build(session.trace, session.record, session.debugBuffer, options,
                                                session.program.get());
    if (!blocks) {
        return {nullptr, {std::move(blocks).error().in(session.files.trace.string()).toString()}};
    }
    Session joined = session;
    joined.blocks = std::move(*blocks);
    const std::vector<TraceFiles> others = std::exchange(joined.files.others, {});
    joined.others.clear();
    auto all = joined.withTraces(others);
    return all ? LoadOutcome{*std::move(all), {}} : LoadOutcome{nullptr, {all.error().toString()}};
}

bool shareFiles(const inspector::Session* before, const inspector::Session& now) {
    if (before == nullptr) {
        return false;
    }
    const std::vector<std::filesystem::path> known = pathsOf(before->files);
    return std::ranges::any_of(pathsOf(now.files),
                               [&](const auto& path) { return std::ranges::contains(known, path); });
}

}  // namespace et::studio
