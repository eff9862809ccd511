#include "inspector/join/run_shape.h"

#include "inspector/join/dense_index.h"
#include "runtime/core/memory_pages.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace et::inspector::join::detail {

namespace {

using etdump::EventColumns;
using etdump::EventIndex;
using etdump::EventKind;
using etdump::NameId;
using etdump::noName;

/// A debug event outside any chain has chain 2^64-1 in the file, unlike the -1 of a profile event; the two
/// never share a group.
constexpr std::int64_t debugWithoutChain = std::numeric_limits<std::int64_t>::min();

/// Identifies an instruction call: events with equal keys belong to the same one. A missing string differs
/// from an empty one here.
struct GroupKey {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::int32_t delegateInt = -1;
    NameId delegateString = noName;

    bool operator==(const GroupKey&) const = default;
    [[nodiscard]] std::uint64_t hash() const {
        const std::uint64_t ids = (std::uint64_t{static_cast<std::uint32_t>(instruction)} << 32U) |
                                  static_cast<std::uint32_t>(delegateInt);
        return combineHash(combineHash(ids, static_cast<std::uint64_t>(chain)), delegateString.value);
    }
};

/// Lists of positions by owner, stored contiguously.
struct Buckets {
    std::vector<std::uint32_t> positions;
    std::vector<std::uint32_t> begin;  ///< owner -> first position; has one element more than there are
                                       ///< owners

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t owner) const {
        return std::span(positions).subspan(begin[owner], begin[owner + 1] - begin[owner]);
    }
};

constexpr std::uint32_t noOwner = 0xFFFF'FFFF;

/// Appends item i to the list of owners[i], preserving order; items without an owner are dropped.
Buckets distribute(std::span<const std::uint32_t> owners, std::uint32_t ownerCount) {
    Buckets out;
    out.begin.assign(ownerCount + 1, 0);
    for (const std::uint32_t owner : owners) {
        if (owner != noOwner) {
            ++out.begin[owner + 1];
        }
    }
    std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
    out.positions.resize(out.begin.back());
    std::vector<std::uint32_t> next(out.begin.begin(), out.begin.end() - 1);
    for (std::uint32_t item = 0; item < owners.size(); ++item) {
        if (owners[item] != noOwner) {
            out.positions[next[owners[item]]++] = item;
        }
    }
    return out;
}

/// Builds the shape of one run: events -> groups -> rows.
class ShapeBuilder {
  public:
    ShapeBuilder(const etdump::Trace& source, const etdump::Run& run)
        : trace(source), events(source.events()), first(run.firstEvent), count(run.eventCount) {}

    RunShape build() {
        collate();
        const auto groupCount = static_cast<std::uint32_t>(groups.size());
        const Buckets profile = distribute(profileGroup, groupCount);
        Buckets debug = distribute(debugGroup, groupCount);
        core::reserveHuge(rowOf, count);
        rowOf.assign(count, noOwner);
        rows.reserve(std::min({count, 2 * groupCount, mostReserved}));
        for (std::uint32_t group = 0; group < groupCount; ++group) {
            addRows(group, profile.of(group), debug.of(group));
        }
        settle();
        shape.firstEvent = first;
        shape.eventCount = count;
        layOut(std::move(debug));
        return std::move(shape);
    }

  private:
    /// Number of keys looked up at a time (DenseIndex::prefetch).
    static constexpr std::uint32_t ahead = 16;
    /// Maximum number of keys to reserve memory for: a longer run is probably a loop with few keys.
    static constexpr std::uint32_t mostReserved = std::uint32_t{1} << 20U;

    struct Claim {
        Signature signature;
        std::uint64_t hash;
        std::uint32_t group;
        std::uint32_t position;
    };

    /// Assigns every event to a group, in order of first appearance. Program outputs open a group as well,
    /// which has no effect because groups without rows are dropped.
    void collate() {
        groups.reserve(std::min(count / 2, mostReserved));  // a kernel and its OPERATOR_CALL share a group
        for (std::vector<std::uint32_t>* each : {&profileGroup, &debugGroup}) {
            core::reserveHuge(*each, count);
            each->assign(count, noOwner);
        }
        for (std::uint32_t position = 0; position < count; ++position) {
            const EventIndex event = first + position;
            if (position + ahead < count) {
                groups.prefetch(keyOf(event + ahead).hash());
            }
            if (events.kind[event] == EventKind::Allocation) {
                shape.allocations.push_back(position);
                continue;
            }
            const std::uint32_t group = groups.add(keyOf(event));
            if (events.kind[event] == EventKind::Profile) {
                profileGroup[position] = group;
            } else if (trace.debugValue(event).programOutput) {
                shape.outputs.push_back(position);
            } else {
                debugGroup[position] = group;
            }
        }
    }

    [[nodiscard]] GroupKey keyOf(EventIndex event) const {
        const bool outside = events.kind[event] == EventKind::Debug && events.chain[event] == -1;
        return {.chain = outside ? debugWithoutChain : events.chain[event],
                .instruction = events.instruction[event],
                .delegateInt = events.delegateInt[event],
                .delegateString = events.delegateString[event]};
    }

    [[nodiscard]] NameId normalized(NameId id) const {
        return id == noName || trace.text(id).empty() ? noName : id;
    }

    void addRows(std::uint32_t group, std::span<const std::uint32_t> profile,
                 std::span<const std::uint32_t> debug) {
        Signature signature{.instruction = groups[group].instruction,
                            .delegateInt = groups[group].delegateInt,
                            .delegateString = normalized(groups[group].delegateString),
                            .profileName = noName,
                            .debugName = noName,
                            .hasProfile = !profile.empty(),
                            .hasDebug = !debug.empty()};
        if (signature.hasDebug) {
            signature.debugName = normalized(events.name[first + debug.front()]);
        }
        if (profile.empty() && !debug.empty()) {
            claim(signature, group, noOwner);
        }
        for (const std::uint32_t position : profile) {
            signature.profileName = normalized(events.name[first + position]);
            claim(signature, group, position);
        }
    }

    /// Claims the row of `signature` for the profile event at `position` (noOwner: for none); the row's debug
    /// events become those of `group`. Applied in batches by settle().
    void claim(const Signature& signature, std::uint32_t group, std::uint32_t position) {
        const std::uint64_t hash = signature.hash();
        rows.prefetch(hash);
        claims.push_back({.signature = signature, .hash = hash, .group = group, .position = position});
        if (claims.size() == ahead) {
            settle();
        }
    }

    void settle() {
        for (const Claim& each : claims) {
            const std::uint32_t row = rows.add(each.signature, each.hash);
            lastGroup.resize(rows.size());
            lastGroup[row] = each.group;
            if (each.position != noOwner) {
                rowOf[each.position] = row;
            }
        }
        claims.clear();
    }

    void layOut(Buckets debug) {
        const auto rowCount = static_cast<std::uint32_t>(rows.size());
        Buckets profile = distribute(rowOf, rowCount);
        core::reserveHuge(shape.slots, rowCount);
        for (std::uint32_t row = 0; row < rowCount; ++row) {
            const std::uint32_t group = lastGroup[row];
            shape.slots.push_back({.signature = rows[row],
                                   .chain = shownChain(groups[group].chain),
                                   .profileBegin = profile.begin[row],
                                   .profileEnd = profile.begin[row + 1],
                                   .debugBegin = debug.begin[group],
                                   .debugEnd = debug.begin[group + 1]});
        }
        shape.profile = std::move(profile.positions);
        shape.debug = std::move(debug.positions);
    }

    static std::int64_t shownChain(std::int64_t chain) { return chain == debugWithoutChain ? -1 : chain; }

    const etdump::Trace& trace;
    const EventColumns& events;
    EventIndex first;
    std::uint32_t count;
    RunShape shape;
    DenseIndex<GroupKey> groups;
    DenseIndex<Signature> rows;
    std::vector<std::uint32_t> profileGroup, debugGroup;  ///< position -> group
    std::vector<std::uint32_t> rowOf;                     ///< position -> row, for profile events
    std::vector<std::uint32_t> lastGroup;                 ///< row -> last group that has it
    std::vector<Claim> claims;                            ///< claims of rows, not yet settled
};

template <class T>
bool sameColumn(const std::vector<T>& column, EventIndex a, EventIndex b, std::uint32_t count) {
    const auto values = std::span(column);
    return std::ranges::equal(values.subspan(a, count), values.subspan(b, count));
}

}  // namespace

std::uint64_t Signature::hash() const {
    std::uint64_t seed = combineHash(static_cast<std::uint32_t>(instruction), profileName.value);
    seed = combineHash(
        seed, (std::uint64_t{static_cast<std::uint32_t>(delegateInt)} << 32U) | delegateString.value);
    return combineHash(
        seed, (std::uint64_t{debugName.value} << 2U) | (hasProfile ? 1U : 0U) | (hasDebug ? 2U : 0U));
}

bool RunShape::sameRows(const RunShape& other) const {
    return std::ranges::equal(slots, other.slots, {}, &Slot::signature, &Slot::signature);
}

std::uint64_t RunShape::rowsHash() const {
    std::uint64_t seed = slots.size();
    for (const Slot& slot : slots) {
        seed = combineHash(seed, slot.signature.hash());
    }
    return seed;
}

RunShape shapeOf(const etdump::Trace& trace, const etdump::Run& run) {
    return ShapeBuilder(trace, run).build();
}

bool fits(const etdump::Trace& trace, const etdump::Run& run, const RunShape& shape) {
    const EventColumns& events = trace.events();
    const EventIndex a = run.firstEvent;
    const EventIndex b = shape.firstEvent;
    const std::uint32_t count = run.eventCount;
    if (count != shape.eventCount || !sameColumn(events.kind, a, b, count) ||
        !sameColumn(events.name, a, b, count) || !sameColumn(events.instruction, a, b, count) ||
        !sameColumn(events.chain, a, b, count) || !sameColumn(events.delegateInt, a, b, count) ||
        !sameColumn(events.delegateString, a, b, count)) {
        return false;
    }
    const auto sameMark = [&](bool output) {
        return [&trace, a, output](std::uint32_t position) {
            return trace.debugValue(a + position).programOutput == output;
        };
    };
    return std::ranges::all_of(shape.outputs, sameMark(true)) &&
           std::ranges::all_of(shape.debug, sameMark(false));
}

std::uint64_t shapeHash(const etdump::Trace& trace, const etdump::Run& run) {
    const EventColumns& events = trace.events();
    std::uint64_t seed = run.eventCount;
    for (EventIndex event = run.firstEvent; event < run.firstEvent + run.eventCount; ++event) {
        const bool output = events.kind[event] == EventKind::Debug && trace.debugValue(event).programOutput;
        const auto what = static_cast<std::uint64_t>(events.kind[event]) * 2 + (output ? 1 : 0);
        const std::uint64_t ids =
            (std::uint64_t{static_cast<std::uint32_t>(events.instruction[event])} << 32U) |
            static_cast<std::uint32_t>(events.delegateInt[event]);
        const std::uint64_t names =
            (std::uint64_t{events.name[event].value} << 32U) | events.delegateString[event].value;
        seed = combineHash(seed, ids ^ mixBits(names));
        seed = combineHash(seed, static_cast<std::uint64_t>(events.chain[event]) * 8 + what);
    }
    return seed;
}

}  // namespace et::inspector::join::detail
