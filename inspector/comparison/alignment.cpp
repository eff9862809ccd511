#include "inspector/comparison/alignment.h"

#include "runtime/core/operator_counter.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

/// Weight of a pair; sequences that are compared fully have fewer pairs than this.
constexpr std::uint32_t pairWorth = 16384;

/// Name traits of the backend that runs an operator; null if it is not inside a delegate or the backend is
/// unknown.
const executor::TraceConventions* infoOf(const OperatorTimes& each, Likeness::Backends backends) {
    if (each.kind != OperatorKind::DelegatedOperator) {
        return nullptr;
    }
    if (const executor::Backend* backend = executor::findBackend(backends, each.backend)) {
        return &backend->traceConventions();
    }
    const auto found = std::ranges::find_if(backends, [&](const executor::Backend* one) {
        const auto isOperator = one->traceConventions().isOperator;
        return isOperator != nullptr && isOperator(each.name);
    });
    return found == backends.end() ? nullptr : &(*found)->traceConventions();
}

/// Type of the computation, independent of the kernel.
std::string_view typeOf(const OperatorTimes& each, const executor::TraceConventions* traits) {
    const std::string_view name = core::withoutCounter(each.name);
    return traits == nullptr ? name : traits->type(name);
}

/// The family of a type, or the type itself.
std::string_view familyOf(std::string_view type, const executor::TraceConventions* traits) {
    if (traits == nullptr) {
        return type;
    }
    const auto found = std::ranges::find_if(traits->families, [type](const executor::OperatorFamily& family) {
        return std::ranges::contains(family.operators, type);
    });
    return found == traits->families.end() ? type : found->what;
}

/// Known content of a delegate call.
struct Inside {
    std::set<std::int64_t> handles;
    std::set<std::string, std::less<>> operators;  ///< names in the Edge graph and in the trace

    [[nodiscard]] bool isKnown() const { return !handles.empty() || !operators.empty(); }
};

template <class Item, class Order>
bool shareAny(const std::set<Item, Order>& left, const std::set<Item, Order>& right) {
    return std::ranges::any_of(left, [&](const Item& each) { return right.contains(each); });
}

/// Two calls with unknown content may be the same.
bool mayBeSame(const Inside& a, const Inside& b) {
    if (!a.isKnown() || !b.isKnown()) {
        return true;
    }
    return shareAny(a.operators, b.operators) ||
           ((a.operators.empty() || b.operators.empty()) && shareAny(a.handles, b.handles));
}

using Operators = std::span<const OperatorTimes>;
using Match = std::pair<std::size_t, std::size_t>;  ///< indices into A and B

/// Additional criterion for operators with the same handles: equal name, equal type, or only that both run in
/// a delegate.
enum class Besides : std::uint8_t { Name, Type, Delegate };

/// Pairs operators with the same handles; if several have them, in order. Equal names are paired first, then
/// equal types. Versions of a backend may also run other types for the same node.
class HandleMatcher {
  public:
    HandleMatcher(Operators left, Operators right, const Likeness& known)
        : a(left), b(right), likeness(known), takenA(left.size()), takenB(right.size()) {}

    [[nodiscard]] std::vector<Match> find() {
        pass(Besides::Name);
        pass(Besides::Type);
        return std::exchange(matches, {});
    }
    /// Call after find(), for the same graph.
    [[nodiscard]] std::vector<Match> findOtherTypes() {
        pass(Besides::Delegate);
        return std::exchange(matches, {});
    }

  private:
    void pass(Besides besides) {
        std::map<std::vector<core::DebugHandle>, std::vector<std::size_t>> waiting;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!takenA[i] && !a[i].handles.empty()) {
                waiting[a[i].handles].push_back(i);
            }
        }
        for (std::size_t j = 0; j < b.size() && !waiting.empty(); ++j) {
            const auto found = takenB[j] || b[j].handles.empty() ? waiting.end() : waiting.find(b[j].handles);
            if (found == waiting.end()) {
                continue;
            }
            const auto partner = std::ranges::find_if(
                found->second, [&](std::size_t i) { return !takenA[i] && agree(i, j, besides); });
            if (partner != found->second.end()) {
                takenA[*partner] = takenB[j] = true;
                matches.emplace_back(*partner, j);
            }
        }
    }

    [[nodiscard]] bool agree(std::size_t inA, std::size_t inB, Besides besides) const {
        switch (besides) {
            case Besides::Name:
                return likeness.of(inA, inB) != 0 && likeness.sameName(inA, inB);
            case Besides::Type:
                return likeness.of(inA, inB) != 0;
            case Besides::Delegate:
                break;
        }
        return a[inA].kind == OperatorKind::DelegatedOperator && b[inB].kind == a[inA].kind;
    }

    Operators a;
    Operators b;
    const Likeness& likeness;
    std::vector<bool> takenA;
    std::vector<bool> takenB;
    std::vector<Match> matches;
};

/// Longest common subsequence of some operators of both sides, weighted by likeness.
class LongestCommon {
  public:
    LongestCommon(std::span<const std::size_t> left, std::span<const std::size_t> right,
                  const Likeness& known)
        : a(left), b(right), likeness(known) {}

    [[nodiscard]] std::vector<Match> find() {
        std::size_t first = 0;
        std::size_t endA = a.size();
        std::size_t endB = b.size();
        while (first < endA && first < endB && areSame(first, first)) {
            matches.emplace_back(a[first], b[first]);
            ++first;
        }
        while (endA > first && endB > first && areSame(endA - 1, endB - 1)) {
            matches.emplace_back(a[--endA], b[--endB]);
        }
        // For two very long and very different lists, an exact pairing of equal operators is not worth the
        // time.
        constexpr std::size_t maxCells = std::size_t{1} << 24;
        if ((endA - first + 1) * (endB - first + 1) <= maxCells) {
            between(first, endA, endB);
        } else {
            byOccurrence(first, endA, endB);
        }
        std::ranges::sort(matches);
        return std::move(matches);
    }

  private:
    [[nodiscard]] std::uint32_t worth(std::size_t i, std::size_t j) const { return likeness.of(a[i], b[j]); }
    [[nodiscard]] bool areSame(std::size_t i, std::size_t j) const {
        return worth(i, j) != 0 && likeness.sameName(a[i], b[j]);
    }

    /// Dynamic programming over the weight of the common subsequence after each pair of positions.
    void between(std::size_t first, std::size_t endA, std::size_t endB) {
        const std::size_t width = endB - first + 1;
        std::vector<std::uint32_t> best((endA - first + 1) * width);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return best[(i - first) * width + (j - first)];
        };
        for (std::size_t i = endA; i-- > first;) {
            for (std::size_t j = endB; j-- > first;) {
                const std::uint32_t here = worth(i, j);
                const std::uint32_t pair = here == 0 ? 0 : at(i + 1, j + 1) + here;
                at(i, j) = std::max({pair, at(i + 1, j), at(i, j + 1)});
            }
        }
        for (std::size_t i = first, j = first; i < endA && j < endB;) {
            const std::uint32_t here = worth(i, j);
            if (here != 0 && at(i, j) == at(i + 1, j + 1) + here) {
                matches.emplace_back(a[i++], b[j++]);
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                ++i;
            } else {
                ++j;
            }
        }
    }

    void byOccurrence(std::size_t first, std::size_t endA, std::size_t endB) {
        std::map<std::uint32_t, std::deque<std::size_t>> waiting;
        for (std::size_t i = first; i < endA; ++i) {
            waiting[likeness.familyOfA(a[i])].push_back(i);
        }
        for (std::size_t j = first; j < endB; ++j) {
            auto& places = waiting[likeness.familyOfB(b[j])];
            if (!places.empty() && worth(places.front(), j) != 0) {
                matches.emplace_back(a[places.front()], b[j]);
                places.pop_front();
            }
        }
    }

    std::span<const std::size_t> a;
    std::span<const std::size_t> b;
    const Likeness& likeness;
    std::vector<Match> matches;
};

/// Indices of the operators not yet taken.
std::vector<std::size_t> indices(std::size_t count, const std::vector<std::uint8_t>& taken) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < count; ++i) {
        if (taken.empty() || taken[i] == 0) {
            left.push_back(i);
        }
    }
    return left;
}

/// Match in A for each operator of B.
struct Matching {
    std::vector<std::uint8_t> takenA;
    std::vector<std::uint8_t> takenB;
    std::vector<AlignedPair> pairs;

    void add(const std::vector<Match>& matches, Alignment alignment) {
        for (const auto& [inA, inB] : matches) {
            takenA[inA] = 1;
            takenB[inB] = 1;
            pairs.push_back({.a = inA, .b = inB, .alignment = alignment});
        }
    }
};

/// Sorts pairs in B's order, with each removed operator after its predecessor.
void sortPairs(std::vector<AlignedPair>& pairs, std::size_t countA) {
    std::vector<std::size_t> placeOfA(countA, std::numeric_limits<std::size_t>::max());
    for (const AlignedPair& pair : pairs) {
        if (pair.a && pair.b) {
            placeOfA[*pair.a] = *pair.b + 1;
        }
    }
    std::size_t last = 0;
    for (std::size_t& place : placeOfA) {
        place = place == std::numeric_limits<std::size_t>::max() ? last : place;
        last = place;
    }
    std::ranges::stable_sort(pairs, {}, [&](const AlignedPair& pair) {
        return pair.b ? std::tuple(*pair.b + 1, 0, std::size_t{0})
                      : std::tuple(placeOfA[*pair.a], 1, *pair.a);
    });
}

}  // namespace

/// Assigns numbers to names and types.
class Likeness::Maker {
  public:
    explicit Maker(Backends known) : backends(known) {}

    std::vector<Key> keysOf(Operators side) {
        std::vector<Key> keys;
        std::size_t calls = 0;
        for (const OperatorTimes& each : side) {
            const bool isCall = each.kind == OperatorKind::DelegateCall;
            const executor::TraceConventions* traits = infoOf(each, backends);
            // A delegate's name is only known with a record or a program.
            const std::string_view type = isCall ? "" : typeOf(each, traits);
            keys.push_back({.name = numberOf(isCall ? "" : core::withoutCounter(each.name), each.kind),
                            .type = numberOf(type, each.kind),
                            .family = numberOf(familyOf(type, traits), each.kind),
                            .call = isCall ? calls++ : 0});
        }
        return keys;
    }

    std::uint32_t callFamily() { return numberOf("", OperatorKind::DelegateCall); }

    [[nodiscard]] std::vector<Inside> callsOf(Operators side) const {
        std::vector<Inside> calls;
        std::map<std::pair<std::int64_t, core::InstructionId>, std::size_t> places;
        for (const OperatorTimes& each : side) {
            if (each.kind == OperatorKind::DelegateCall) {
                places[{each.chain, each.instruction}] = calls.size();
                add(each, calls.emplace_back());
            }
        }
        for (const OperatorTimes& each : side) {
            const auto call = places.find({each.chain, each.instruction});
            if (each.kind == OperatorKind::DelegatedOperator && call != places.end()) {
                Inside& inside = calls[call->second];
                add(each, inside);
                const executor::TraceConventions* traits = infoOf(each, backends);
                inside.operators.emplace(familyOf(typeOf(each, traits), traits));
            }
        }
        return calls;
    }

  private:
    static void add(const OperatorTimes& each, Inside& inside) {
        for (const core::DebugHandle handle : each.handles) {
            inside.handles.insert(handle.value);
        }
        inside.operators.insert(each.nodes.begin(), each.nodes.end());
    }

    std::uint32_t numberOf(std::string_view name, OperatorKind kind) {
        const auto next = static_cast<std::uint32_t>(numbers.size());
        return numbers.try_emplace({kind, std::string(name)}, next).first->second;
    }

    Backends backends;
    std::map<std::pair<OperatorKind, std::string>, std::uint32_t> numbers;
};

Likeness::Likeness(Operators a, Operators b, Backends backends) {
    Maker maker(backends);
    keysA = maker.keysOf(a);
    keysB = maker.keysOf(b);
    callFamily = maker.callFamily();
    const std::vector<Inside> callsA = maker.callsOf(a);
    const std::vector<Inside> callsB = maker.callsOf(b);
    callsOfB = callsB.size();
    for (const Inside& inA : callsA) {
        for (const Inside& inB : callsB) {
            callsOverlap.push_back(mayBeSame(inA, inB));
        }
    }
}

std::uint32_t Likeness::of(std::size_t inA, std::size_t inB) const {
    const Key& a = keysA[inA];
    const Key& b = keysB[inB];
    if (a.family != b.family) {
        return 0;
    }
    if (a.family == callFamily) {
        return callsOverlap[a.call * callsOfB + b.call] ? pairWorth : 0;
    }
    return pairWorth + (a.type == b.type ? 1 : 0) + (a.name == b.name ? 1 : 0);
}

std::vector<AlignedPair> alignOperators(Operators a, Operators b, Likeness::Backends backends) {
    Matching matching{.takenA = std::vector<std::uint8_t>(a.size()),
                      .takenB = std::vector<std::uint8_t>(b.size()),
                      .pairs = {}};
    const Likeness likeness(a, b, backends);
    const auto sequenceOfRest = [&] {
        return LongestCommon(indices(a.size(), matching.takenA), indices(b.size(), matching.takenB), likeness)
            .find();
    };
    const std::vector<Match> sequence = sequenceOfRest();
    HandleMatcher matcher(a, b, likeness);
    const std::vector<Match> handles = matcher.find();
    const auto bothHandled = std::ranges::count_if(sequence, [&](const Match& match) {
        return !a[match.first].handles.empty() && !b[match.second].handles.empty();
    });
    if (!handles.empty() && std::ssize(handles) >= bothHandled) {
        matching.add(handles, Alignment::DebugHandle);
        matching.add(matcher.findOtherTypes(), Alignment::DebugHandle);
        matching.add(sequenceOfRest(), Alignment::Sequence);
    } else {
        matching.add(sequence, Alignment::Sequence);
    }
    for (const std::size_t at : indices(a.size(), matching.takenA)) {
        matching.pairs.push_back({.a = at, .b = {}, .alignment = Alignment::Removed});
    }
    for (const std::size_t at : indices(b.size(), matching.takenB)) {
        matching.pairs.push_back({.a = {}, .b = at, .alignment = Alignment::Added});
    }
    sortPairs(matching.pairs, a.size());
    return std::move(matching.pairs);
}

}  // namespace et::inspector
