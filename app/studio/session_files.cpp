#include "app/studio/session_files.h"

#include "app/studio/session_archive.h"
#include "app/tasks/session/package_session.h"
#include "inspector/session/artifact.h"
#include "inspector/session/belonging.h"
#include "inspector/session/placement.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace et::studio {

namespace {

using core::FileKind;
using inspector::RecognizedFile;
using inspector::Session;
using inspector::SessionFiles;
using inspector::SessionScope;
using inspector::TraceFiles;
using Paths = std::vector<std::filesystem::path>;
using Recognized = std::vector<RecognizedFile>;

/// Opens each file once. Files that cannot be opened are listed in `problems`.
Recognized recognize(const Paths& paths, std::vector<std::string>& problems) {
    Recognized files;
    Paths seen;
    for (const std::filesystem::path& path : paths) {
        if (std::ranges::contains(seen, path)) {
            continue;
        }
        seen.push_back(path);
        auto file = RecognizedFile::open(path);
        if (file) {
            files.push_back(*std::move(file));
        } else {
            problems.push_back(file.error().toString());
        }
    }
    return files;
}

bool isProgram(const RecognizedFile& file) {
    return file.kind == FileKind::Program || file.kind == FileKind::BundledProgram ||
           file.kind == FileKind::Package;
}

/// Assigns the files to the members of a session, and drops those without one. The first such program is kept
/// for a comparison.
std::optional<SessionFiles> placeWhatFits(Recognized files, LoadOutcome& outcome) {
    while (!files.empty()) {
        auto placed = inspector::placeFiles(files, SessionScope::All);
        if (placed) {
            return *std::move(placed);
        }
        const auto left = std::ranges::find(files, placed.error().where.file,
                                            [](const RecognizedFile& file) { return file.path.string(); });
        if (left != files.end() && outcome.otherProgram.empty() && isProgram(*left)) {
            outcome.otherProgram = left->path;
        } else {
            outcome.problems.push_back(placed.error().toString());
        }
        if (left == files.end()) {
            break;
        }
        files.erase(left);
    }
    return std::nullopt;
}

std::shared_ptr<const Session> openValidFiles(SessionFiles files, const inspector::JoinOptions& options,
                                              const Recognized& opened, const std::stop_token& stop,
                                              std::vector<std::string>& problems) {
    while (!stop.stop_requested()) {
        auto session = Session::open(files, options, opened);
        if (session) {
            return tasks::withPackageProgram(*std::move(session));
        }
        problems.push_back(session.error().toString());
        if (!inspector::leaveOut(files, session.error().where.file)) {
            break;
        }
    }
    return nullptr;
}

bool isOpen(const SessionFiles& files, const std::filesystem::path& trace) {
    return files.trace == trace || std::ranges::contains(files.others, trace, &TraceFiles::trace);
}

/// Returns `open` with additional traces; null if one does not match. An error names the damaged trace.
core::Result<std::shared_ptr<const Session>> besideOpen(const Session& open, std::vector<TraceFiles> traces,
                                                        const Recognized& opened, OpenEffect arrival) {
    const std::size_t all = open.others.size() + traces.size();
    const std::size_t leaving = all > Session::maxOthers ? all - Session::maxOthers : 0;
    Session kept = open;
    const auto oldest = static_cast<std::ptrdiff_t>(std::min(leaving, kept.others.size()));
    kept.others.erase(kept.others.begin(), kept.others.begin() + oldest);
    kept.files.others.erase(kept.files.others.begin(), kept.files.others.begin() + oldest);
    ET_ASSIGN(std::shared_ptr<const Session> joined, kept.withTraces(traces, opened));
    const auto added = std::span(joined->others).last(traces.size());
    const bool fit =
        arrival == OpenEffect::Beside || std::ranges::all_of(added, [&](const inspector::OtherTrace& other) {
            return inspector::canAdd(open, other);
        });
    return fit ? joined : nullptr;
}

LoadOutcome openPlaced(SessionFiles placed, const inspector::JoinOptions& options, const Recognized& opened,
                       const std::stop_token& stop) {
    LoadOutcome outcome;
    outcome.session = openValidFiles(std::move(placed), options, opened, stop, outcome.problems);
    return outcome;
}

/// Opens `files` as a new session; `outcome` already lists the files that could not be opened.
LoadOutcome openFresh(const Recognized& files, const inspector::JoinOptions& options,
                      const std::stop_token& stop, LoadOutcome outcome) {
    if (auto placed = placeWhatFits(files, outcome)) {
        outcome.session = openValidFiles(*std::move(placed), options, files, stop, outcome.problems);
    }
    return outcome;
}

}  // namespace

LoadOutcome add(const Paths& paths, const Session& open, OpenEffect arrival,
                const inspector::JoinOptions& options, const std::stop_token& stop) {
    LoadOutcome outcome;
    const Recognized files = recognize(paths, outcome.problems);
    if (auto archived = loadArchive(paths, files, options, stop)) {
        return *std::move(archived);
    }
    if (!outcome.problems.empty()) {
        return openFresh(files, options, stop, std::move(outcome));
    }
    if (arrival == OpenEffect::Beside && open.program && paths.size() == 1 && isProgram(files.front())) {
        outcome.session = std::make_shared<const Session>(open);
        outcome.otherProgram = paths.front();
        return outcome;
    }
    auto traces = arrival != OpenEffect::Fresh && open.blocks ? inspector::placeTraces(files) : std::nullopt;
    if (!traces) {
        auto joined = inspector::placeAdditionalFiles(files, open);
        return joined ? openPlaced(*std::move(joined), options, files, stop)
                      : openFresh(files, options, stop, std::move(outcome));
    }
    if (std::ranges::all_of(*traces,
                            [&](const TraceFiles& each) { return isOpen(open.files, each.trace); })) {
        return openPlaced(open.files, options, files, stop);
    }
    std::erase_if(*traces, [&](const TraceFiles& each) { return isOpen(open.files, each.trace); });
    auto joined = besideOpen(open, std::move(*traces), files, arrival);
    if (!joined) {
        return {nullptr, {joined.error().toString()}};
    }
    return *joined ? LoadOutcome{*std::move(joined), {}}
                   : openFresh(files, options, stop, std::move(outcome));
}

LoadOutcome load(const Paths& paths, const inspector::JoinOptions& options, const std::stop_token& stop) {
    LoadOutcome outcome;
    const Recognized files = recognize(paths, outcome.problems);
    if (auto archived = loadArchive(paths, files, options, stop)) {
        return *std::move(archived);
    }
    return openFresh(files, options, stop, std::move(outcome));
}

LoadOutcome loadFiles(SessionFiles files, const inspector::JoinOptions& options,
                      const std::stop_token& stop) {
    return openPlaced(std::move(files), options, {}, stop);
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
    const std::vector<std::filesystem::path> known = inspector::pathsOf(before->files);
    return std::ranges::any_of(inspector::pathsOf(now.files),
                               [&](const auto& path) { return std::ranges::contains(known, path); });
}

}  // namespace et::studio
