#include "inspector/session/placement.h"

#include "inspector/session/belonging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace et::inspector {

namespace {

using core::ErrorCode;
using Path = std::filesystem::path;
using Recognized = std::span<const RecognizedFile>;

/// A member of a session that contains the only file of a kind.
struct Slot {
    core::FileKind kind;
    Path SessionFiles::* path;
    SessionScope scope;  ///< the smallest scope that includes it
};
/// In the order in which a session's files are listed.
constexpr std::array slots{
    Slot{core::FileKind::Trace, &SessionFiles::trace, SessionScope::Trace},
    Slot{core::FileKind::Record, &SessionFiles::record, SessionScope::Trace},
    Slot{core::FileKind::Unknown, &SessionFiles::debugBuffer, SessionScope::Trace},
    Slot{core::FileKind::Program, &SessionFiles::program, SessionScope::All},
    Slot{core::FileKind::BundledProgram, &SessionFiles::bundle, SessionScope::All},
    Slot{core::FileKind::Package, &SessionFiles::package, SessionScope::All},
    Slot{core::FileKind::TensorData, &SessionFiles::tensorData, SessionScope::All},
};

struct ScopeInfo {
    SessionScope scope;
    std::string_view expected;
    std::string_view missing;
};
constexpr std::array scopes{
    ScopeInfo{SessionScope::Trace, "a trace, an ETRecord or a debug buffer",
              "neither a trace nor an ETRecord"},
    ScopeInfo{SessionScope::Traces, "traces, an ETRecord or a debug buffer",
              "neither a trace nor an ETRecord"},
    ScopeInfo{SessionScope::All,
              "a trace, an ETRecord, a debug buffer, a program, a bundled program, a package or tensor data",
              "no trace, ETRecord, program, bundled program or package"},
    ScopeInfo{SessionScope::Tensors,
              "a trace, an ETRecord, a debug buffer, a program, a bundled program, a package or tensor data",
              "no trace, ETRecord, program, bundled program, package or tensor data"},
};
const ScopeInfo& infoOf(SessionScope scope) {
    return *std::ranges::find(scopes, scope, &ScopeInfo::scope);
}

/// Returns the slot of a file. A zip that is not a record counts as one; its reader then reports what is
/// missing. A debug buffer may contain anything.
const Slot& slotOf(const RecognizedFile& file) {
    const core::Bytes bytes = file.file->bytes();
    const bool zip = bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
    const bool unknown = file.kind == core::FileKind::Unknown || file.kind == core::FileKind::Database;
    const core::FileKind kind = !unknown ? file.kind : zip ? core::FileKind::Record : core::FileKind::Unknown;
    return *std::ranges::find(slots, kind, &Slot::kind);
}

/// Number of contradictions among `files` with `path` in a slot; the maximum if they cannot be opened.
std::size_t contradictionsWith(SessionFiles files, const Slot& slot, const Path& path, Recognized opened) {
    files.*slot.path = path;
    const auto session = Session::open(std::move(files), {}, opened);
    return session ? contradictions(**session).size() : ~std::size_t{0};
}

/// Among several files of a kind, selects the one with the fewest contradictions to the rest; the first wins
/// ties.
std::vector<Path>::iterator bestFor(const SessionFiles& files, const Slot& slot,
                                    std::vector<Path>& candidates, Recognized opened) {
    std::size_t min = contradictionsWith(files, slot, candidates.front(), opened);
    auto best = candidates.begin();
    for (auto other = best + 1; other != candidates.end() && min > 0; ++other) {
        const std::size_t count = contradictionsWith(files, slot, *other, opened);
        if (count < min) {
            min = count;
            best = other;
        }
    }
    return best;
}

/// Without a trace, the first profile takes its place.
void placeProfile(SessionFiles& files, const Path& profile) {
    if (files.trace.empty()) {
        files.trace = profile;
    } else if (files.trace != profile && !std::ranges::contains(files.profiles, profile)) {
        files.profiles.push_back(profile);
    }
}

core::Result<> placeProfiles(SessionFiles& placed, Recognized files) {
    for (const RecognizedFile& file : files) {
        if (file.kind != core::FileKind::Profile) {
            continue;
        }
        if (placed.profiles.size() == Session::maxOthers) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("more than {} profiles", Session::maxOthers),
                              {.file = file.path.string(), .field = {}, .offset = {}});
        }
        placeProfile(placed, file.path);
    }
    return {};
}

core::Error secondOfAKind(const Path& path, const Path& first) {
    return {.code = ErrorCode::InvalidArgument,
            .message = fmt::format("a second file of the same kind as {}", first.string()),
            .where = {.file = path.string(), .field = {}, .offset = {}}};
}

core::Result<> takeFurther(SessionFiles& files, const Slot& slot, const std::vector<Path>& further) {
    if (slot.kind != core::FileKind::Trace || further.size() > Session::maxOthers) {
        return std::unexpected(secondOfAKind(further.back(), files.*slot.path));
    }
    for (const Path& path : further) {
        files.others.push_back({.trace = path});
    }
    return {};
}

core::Result<> checkComplete(const SessionFiles& placed, Recognized files, SessionScope scope) {
    if (!placed.debugBuffer.empty() && placed.trace.empty()) {
        const core::Where where{.file = placed.debugBuffer.string(), .field = {}, .offset = {}};
        if (std::ranges::find(files, placed.debugBuffer, &RecognizedFile::path)->file->bytes().empty()) {
            return core::fail(ErrorCode::Format, "the file is empty", where);
        }
        return core::fail(ErrorCode::InvalidArgument,
                          "unknown file type (a debug buffer must be opened with its trace)", where);
    }
    const bool hasData = scope == SessionScope::Tensors && !placed.tensorData.empty();
    if (placed.trace.empty() && placed.record.empty() && placed.program.empty() && placed.bundle.empty() &&
        placed.package.empty() && !hasData) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("nothing to show: {}", infoOf(scope).missing));
    }
    return {};
}

bool logsValues(const etdump::Trace& trace) {
    return std::ranges::contains(trace.events().kind, etdump::EventKind::Debug);
}

/// True if a file may be added to the open session in this slot, or replace the file in it.
bool canTake(const Slot& slot, const Session& open) {
    const bool empty = (open.files.*slot.path).empty();
    switch (slot.kind) {
        case core::FileKind::Unknown:
            return open.trace != nullptr && logsValues(*open.trace);
        case core::FileKind::Record:
            return open.trace != nullptr || empty;
        case core::FileKind::TensorData:
            return open.program != nullptr || (open.trace != nullptr && empty);
        default:
            return empty;
    }
}

void append(std::vector<Path>& paths, const Path& path) {
    if (!path.empty() && !std::ranges::contains(paths, path)) {
        paths.push_back(path);
    }
}

/// Without a main trace, promotes the first additional one.
void promote(SessionFiles& files) {
    files.debugBuffer.clear();
    if (!files.others.empty()) {
        files = withMainTrace(std::move(files), 0);
        files.others.erase(files.others.begin());  // the empty one that it was swapped with
    }
}

}  // namespace

core::Result<SessionFiles> placeFiles(std::span<const RecognizedFile> files, SessionScope scope) {
    SessionFiles placed;
    std::array<std::vector<Path>, slots.size()> found;
    for (const RecognizedFile& file : files) {
        if (file.kind == core::FileKind::Profile) {
            continue;
        }
        const Slot& slot = slotOf(file);
        if (slot.scope > scope) {
            return core::fail(
                ErrorCode::InvalidArgument,
                fmt::format("expected {}, got a {}", infoOf(scope).expected, core::fileKindName(slot.kind)),
                {.file = file.path.string(), .field = {}, .offset = {}});
        }
        auto& known = found[static_cast<std::size_t>(&slot - slots.data())];
        const bool several = scope >= SessionScope::All ||
                             (scope == SessionScope::Traces && slot.kind == core::FileKind::Trace);
        if (!known.empty() && !several) {
            return std::unexpected(secondOfAKind(file.path, known.front()));
        }
        append(known, file.path);
        placed.*slot.path = known.front();
    }
    ET_TRY(placeProfiles(placed, files));
    ET_TRY(checkComplete(placed, files, scope));
    const bool oneKind = std::ranges::count_if(found, [](const auto& each) { return !each.empty(); }) == 1;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (found[i].size() > 1) {
            const auto best = oneKind ? found[i].begin() : bestFor(placed, slots[i], found[i], files);
            placed.*slots[i].path = *best;
            found[i].erase(best);
            ET_TRY(takeFurther(placed, slots[i], found[i]));
        }
    }
    return placed;
}

core::Result<SessionFiles> placeFiles(const std::vector<std::filesystem::path>& paths, SessionScope scope) {
    ET_ASSIGN(const std::vector<RecognizedFile> files, recognizeFiles(paths));
    return placeFiles(files, scope);
}

std::optional<SessionFiles> placeAdditionalFiles(std::span<const RecognizedFile> files, const Session& open) {
    SessionFiles joined = open.files;
    for (const RecognizedFile& file : files) {
        if (file.kind == core::FileKind::Profile) {
            placeProfile(joined, file.path);
            continue;
        }
        const Slot& slot = slotOf(file);
        if (!canTake(slot, open)) {
            return std::nullopt;
        }
        joined.*slot.path = file.path;
    }
    return joined;
}

std::optional<std::vector<TraceFiles>> placeTraces(std::span<const RecognizedFile> files) {
    const auto placed = placeFiles(files, SessionScope::All);
    if (!placed || placed->trace.empty()) {
        return std::nullopt;
    }
    std::vector<TraceFiles> traces{{.trace = placed->trace, .debugBuffer = placed->debugBuffer}};
    traces.insert(traces.end(), placed->others.begin(), placed->others.end());
    const bool onlyTraces = placed->profiles.empty() && std::ranges::all_of(slots, [&](const Slot& slot) {
                                return slot.path == &SessionFiles::trace ||
                                       slot.path == &SessionFiles::debugBuffer ||
                                       (*placed.*slot.path).empty();
                            });
    return onlyTraces ? std::optional(std::move(traces)) : std::nullopt;
}

SessionFiles withMainTrace(SessionFiles files, std::size_t other) {
    std::swap(files.trace, files.others[other].trace);
    std::swap(files.debugBuffer, files.others[other].debugBuffer);
    return files;
}

bool leaveOut(SessionFiles& files, const std::filesystem::path& path) {
    if (path.empty()) {
        return false;
    }
    if (std::erase_if(files.others, [&](const TraceFiles& other) {
            return other.trace == path || other.debugBuffer == path;
        }) > 0) {
        return true;
    }
    if (std::erase(files.profiles, path) > 0) {
        return true;
    }
    const auto* const slot =
        std::ranges::find_if(slots, [&](const Slot& each) { return files.*each.path == path; });
    if (slot == slots.end()) {
        return false;
    }
    (files.*slot->path).clear();
    if (files.trace.empty()) {
        promote(files);
    }
    return std::ranges::any_of(slots, [&](const Slot& each) { return !(files.*each.path).empty(); });
}

std::vector<std::filesystem::path> pathsOf(const SessionFiles& files) {
    std::vector<Path> paths;
    for (const Slot& slot : slots) {
        append(paths, files.*slot.path);
    }
    for (const TraceFiles& other : files.others) {
        append(paths, other.trace);
        append(paths, other.debugBuffer);
    }
    for (const Path& profile : files.profiles) {
        append(paths, profile);
    }
    return paths;
}

}  // namespace et::inspector
