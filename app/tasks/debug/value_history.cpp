#include "app/tasks/debug/value_history.h"

#include "app/tasks/debug/detail/timeline_impl.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <variant>

namespace et::tasks {

struct BranchExecution {
    std::size_t branch = 0;
    std::size_t execution = 0;

    friend auto operator<=>(const BranchExecution&, const BranchExecution&) = default;
};

/// An access that may define the value without writing its memory: a view, a moved tensor, an input.
struct LoggedAccess {
    AccessAt at;
    bool isDefinition = false;
};
using AccessLog = std::vector<LoggedAccess>;

namespace {

using core::Result;

/// Limit of kept accesses; an execution with more keeps the first ones.
constexpr std::size_t maxAccesses = 4'000'000;

bool isBefore(const LoggedAccess& access, const TimelinePoint& point) {
    return access.at.isInput || access.at.point.step < point.step;
}

/// The writers of the bytes of an arena, by the beginning of each range.
class ArenaWriters {
  public:
    void write(const ArenaRange& range, const AccessAt& by) {
        split(range.begin);
        split(range.end);
        writers.erase(writers.lower_bound(range.begin), writers.lower_bound(range.end));
        writers.insert_or_assign(range.begin, Writer{.end = range.end, .by = by});
    }

    /// The last writer of bytes of the range that is another value and wrote after `written`.
    [[nodiscard]] const AccessAt* findLater(const ArenaRange& range, const AccessAt& written) const {
        const AccessAt* found = nullptr;
        auto at = writers.upper_bound(range.begin);
        at = at == writers.begin() ? at : std::prev(at);
        for (; at != writers.end() && at->first < range.end; ++at) {
            const AccessAt& by = at->second.by;
            const bool isLater = by.access.value != written.access.value && !by.isInput &&
                                 (written.isInput || by.point.step > written.point.step);
            if (at->second.end > range.begin && isLater &&
                (found == nullptr || by.point.step > found->point.step)) {
                found = &by;
            }
        }
        return found;
    }

  private:
    struct Writer {
        std::uint64_t end = 0;
        AccessAt by;
    };

    /// Makes `at` a boundary of ranges.
    void split(std::uint64_t at) {
        auto next = writers.upper_bound(at);
        if (next == writers.begin()) {
            return;
        }
        const auto range = std::prev(next);
        if (range->first < at && range->second.end > at) {
            writers.emplace(at, range->second);
            range->second.end = at;
        }
    }

    std::map<std::uint64_t, Writer> writers;
};

std::vector<OverwrittenRead> findOverwritten(const AccessLog& log) {
    std::map<std::uint32_t, AccessAt> lastWrites;
    std::map<std::size_t, ArenaWriters> arenas;
    std::vector<OverwrittenRead> found;
    for (const auto& [at, isDefinition] : log) {
        const ValueAccess& access = at.access;
        if (access.isWrite) {
            lastWrites.insert_or_assign(access.value.value, at);
            if (access.memory && !isDefinition) {
                arenas[access.memory->arena].write(*access.memory, at);
            }
            continue;
        }
        const auto written = lastWrites.find(access.value.value);
        if (!access.memory || written == lastWrites.end()) {
            continue;
        }
        if (const AccessAt* by = arenas[access.memory->arena].findLater(*access.memory, written->second)) {
            found.push_back({.read = at, .written = written->second, .overwrite = *by});
        }
    }
    return found;
}

}  // namespace

struct ValueHistory::Impl {
    explicit Impl(Timeline& of) : timeline(of), state(*of.impl) {}

    [[nodiscard]] ValueAccess accessOf(program::ValueId id, bool isWrite) {
        return {.value = id,
                .isWrite = isWrite,
                .memory = arenaRange(*state.method(), state.method()->value(id))};
    }
    [[nodiscard]] const InstructionAccess& at(const executor::Position& position) {
        return state.access(state.method()->description()).at(position.chain, position.instruction);
    }
    /// Reads, then writes, with the current memory.
    [[nodiscard]] std::vector<ValueAccess> accessesOf(const std::optional<executor::Position>& position);

    Result<const AccessLog*> logOf(std::size_t execution);
    Result<AccessLog> makeLog(std::size_t execution);
    Result<AccessLog> runLogged(std::size_t execution);
    void addReads(AccessLog& log);
    void addWrites(AccessLog& log, const TimelinePoint& point);

    Timeline& timeline;
    Timeline::Impl& state;
    std::map<BranchExecution, AccessLog> logs;
    std::size_t kept = 0;      ///< accesses in all logs
    std::uint64_t resets = 0;  ///< of the timeline, when they were made
};

std::vector<ValueAccess> ValueHistory::Impl::accessesOf(const std::optional<executor::Position>& position) {
    std::vector<ValueAccess> accesses;
    if (position) {
        const InstructionAccess& found = at(*position);
        for (const program::ValueId id : found.reads) {
            accesses.push_back(accessOf(id, false));
        }
        for (const program::ValueId id : found.writes) {
            accesses.push_back(accessOf(id, true));
        }
    }
    return accesses;
}

void ValueHistory::Impl::addReads(AccessLog& log) {
    const auto position = state.next();
    for (const program::ValueId id : at(*position).reads) {
        log.push_back({.at = {.point = state.at, .access = accessOf(id, false)}});
    }
}

void ValueHistory::Impl::addWrites(AccessLog& log, const TimelinePoint& point) {
    const executor::Position& position = *state.previous;
    const InstructionAccess& access = at(position);
    const bool isMove = std::holds_alternative<program::MoveCall>(state.instructionAt(position));
    for (const program::ValueId id : access.writes) {
        const bool isAlias = access.alias && access.alias->second == id;
        log.push_back({.at = {.point = point, .access = accessOf(id, true), .position = position},
                       .isDefinition = isMove || isAlias});
    }
}

Result<AccessLog> ValueHistory::Impl::runLogged(std::size_t execution) {
    AccessLog log;
    ET_TRY(state.goTo(execution, 0));
    for (const program::ValueId id : state.method()->description().inputs) {
        log.push_back({.at = {.point = state.at, .access = accessOf(id, true), .isInput = true}});
    }
    while (state.next() && log.size() < maxAccesses) {
        const TimelinePoint point = state.at;
        addReads(log);
        if (auto done = state.advance(); !done) {
            if (done.error().code == core::ErrorCode::Cancelled) {
                return std::unexpected(std::move(done).error());
            }
            break;
        }
        addWrites(log, point);
    }
    return log;
}

Result<AccessLog> ValueHistory::Impl::makeLog(std::size_t execution) {
    const TimelinePoint before = state.at;
    auto log = runLogged(execution);
    ET_TRY(timeline.jump(before));
    return log;
}

Result<const AccessLog*> ValueHistory::Impl::logOf(std::size_t execution) {
    const BranchExecution key{.branch = state.branch, .execution = execution};
    if (std::exchange(resets, state.resets) != state.resets) {
        logs.clear();
        kept = 0;
    }
    if (const auto known = logs.find(key); known != logs.end()) {
        return &known->second;
    }
    ET_ASSIGN(AccessLog log, makeLog(execution));
    if (kept + log.size() > maxAccesses) {
        logs.clear();
        kept = 0;
    }
    kept += log.size();
    return &logs.insert_or_assign(key, std::move(log)).first->second;
}

ValueHistory::ValueHistory(Timeline& timeline) : impl(std::make_unique<Impl>(timeline)) {
}
ValueHistory::~ValueHistory() = default;

std::vector<ValueAccess> ValueHistory::next() {
    return impl->accessesOf(impl->state.next());
}

std::vector<ValueAccess> ValueHistory::previous() {
    return impl->accessesOf(impl->state.isInside ? impl->state.previous : std::nullopt);
}

Result<std::optional<AccessAt>> ValueHistory::lastWrite(program::ValueId value) {
    const TimelinePoint here = impl->state.at;
    const std::string method = here.execution < impl->state.executions().size()
                                   ? impl->state.executions()[here.execution].method
                                   : std::string();
    for (std::size_t execution = here.execution + 1; impl->state.isInside && execution-- > 0;) {
        if (impl->state.executions()[execution].method != method) {
            continue;
        }
        ET_ASSIGN(const AccessLog* log, impl->logOf(execution));
        for (const LoggedAccess& each : *log | std::views::reverse) {
            const bool isEarlier = execution < here.execution || isBefore(each, here);
            if (each.at.access.value == value && each.at.access.isWrite && isEarlier) {
                return each.at;
            }
        }
    }
    return std::nullopt;
}

Result<std::optional<AccessAt>> ValueHistory::nextRead(program::ValueId value) {
    if (!impl->state.isInside) {
        return std::nullopt;
    }
    const TimelinePoint here = impl->state.at;
    ET_ASSIGN(const AccessLog* log, impl->logOf(here.execution));
    for (const LoggedAccess& each : *log) {
        if (each.at.access.value == value && !each.at.access.isWrite && !isBefore(each, here)) {
            return each.at;
        }
    }
    return std::nullopt;
}

Result<std::vector<AccessAt>> ValueHistory::accessesOf(const ArenaRange& range) {
    std::vector<AccessAt> found;
    if (!impl->state.isInside) {
        return found;
    }
    ET_ASSIGN(const AccessLog* log, impl->logOf(impl->state.at.execution));
    for (const LoggedAccess& each : *log) {
        if (each.at.access.memory && overlap(*each.at.access.memory, range)) {
            found.push_back(each.at);
        }
    }
    return found;
}

Result<std::vector<OverwrittenRead>> ValueHistory::overwrittenReads() {
    if (!impl->state.isInside) {
        return std::vector<OverwrittenRead>();
    }
    ET_ASSIGN(const AccessLog* log, impl->logOf(impl->state.at.execution));
    return findOverwritten(*log);
}

}  // namespace et::tasks
