#include "inspector/comparison/alignment.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

using Operators = std::span<const OperatorTimes>;
using Match = std::pair<std::size_t, std::size_t>;  ///< indices into A and B

/// "Convolution (NHWC, F32) IGEMM" of "Convolution (NHWC, F32) IGEMM #2".
std::string_view withoutCounter(std::string_view name) {
    const std::size_t at = name.rfind(" #");
    const bool counted = at != std::string_view::npos && at + 2 < name.size() &&
                         name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
    return counted ? name.substr(0, at) : name;
}

/// What two operators have to have in common. A delegate's name is known only with a record or a program.
using NameKey = std::pair<OperatorKind, std::string_view>;
NameKey nameKey(const OperatorTimes& each) {
    return {each.kind,
            each.kind == OperatorKind::DelegateCall ? std::string_view() : withoutCounter(each.name)};
}

using HandleKey = std::tuple<OperatorKind, std::string_view, std::vector<core::DebugHandle>>;
HandleKey handleKey(const OperatorTimes& each) {
    return std::tuple_cat(nameKey(each), std::tuple(each.handles));
}

/// Operators with the same handles, the first with the first where several have them.
std::vector<Match> matchHandles(Operators a, Operators b) {
    std::map<HandleKey, std::deque<std::size_t>> waiting;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i].handles.empty()) {
            waiting[handleKey(a[i])].push_back(i);
        }
    }
    std::vector<Match> matches;
    for (std::size_t i = 0; i < b.size() && !waiting.empty(); ++i) {
        const auto found = b[i].handles.empty() ? waiting.end() : waiting.find(handleKey(b[i]));
        if (found != waiting.end() && !found->second.empty()) {
            matches.emplace_back(found->second.front(), i);
            found->second.pop_front();
        }
    }
    return matches;
}

/// The longest common subsequence of two lists of numbers.
class LongestCommon {
  public:
    LongestCommon(std::span<const std::size_t> left, std::span<const std::size_t> right)
        : a(left), b(right) {}

    [[nodiscard]] std::vector<Match> find() {
        std::size_t first = 0;
        std::size_t endA = a.size();
        std::size_t endB = b.size();
        while (first < endA && first < endB && a[first] == b[first]) {
            matches.emplace_back(first, first);
            ++first;
        }
        while (endA > first && endB > first && a[endA - 1] == b[endB - 1]) {
            matches.emplace_back(--endA, --endB);
        }
        // Two lists that are very long and very different: which of equal ones pair is not worth the time.
        constexpr std::size_t mostCells = std::size_t{1} << 24;
        if ((endA - first + 1) * (endB - first + 1) <= mostCells) {
            between(first, endA, endB);
        } else {
            byOccurrence(first, endA, endB);
        }
        std::ranges::sort(matches);
        return std::move(matches);
    }

  private:
    /// Dynamic programming over the lengths of what is common behind each pair of places.
    void between(std::size_t first, std::size_t endA, std::size_t endB) {
        const std::size_t width = endB - first + 1;
        std::vector<std::uint32_t> length((endA - first + 1) * width);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return length[(i - first) * width + (j - first)];
        };
        for (std::size_t i = endA; i-- > first;) {
            for (std::size_t j = endB; j-- > first;) {
                at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
        for (std::size_t i = first, j = first; i < endA && j < endB;) {
            if (a[i] == b[j]) {
                matches.emplace_back(i++, j++);
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                ++i;
            } else {
                ++j;
            }
        }
    }

    void byOccurrence(std::size_t first, std::size_t endA, std::size_t endB) {
        std::map<std::size_t, std::deque<std::size_t>> waiting;
        for (std::size_t i = first; i < endA; ++i) {
            waiting[a[i]].push_back(i);
        }
        for (std::size_t j = first; j < endB; ++j) {
            if (auto& places = waiting[b[j]]; !places.empty()) {
                matches.emplace_back(places.front(), j);
                places.pop_front();
            }
        }
    }

    std::span<const std::size_t> a;
    std::span<const std::size_t> b;
    std::vector<Match> matches;
};

/// Some operators of a side, by their indices.
std::vector<std::size_t> indices(std::size_t count, const std::vector<std::uint8_t>& taken) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < count; ++i) {
        if (taken.empty() || taken[i] == 0) {
            left.push_back(i);
        }
    }
    return left;
}

/// The longest common sequence of names among some operators of both sides.
std::vector<Match> matchSequence(Operators a, Operators b, const std::vector<std::size_t>& ofA,
                                 const std::vector<std::size_t>& ofB) {
    std::map<NameKey, std::size_t> numbers;
    const auto numbersOf = [&](Operators side, const std::vector<std::size_t>& some) {
        std::vector<std::size_t> list;
        for (const std::size_t at : some) {
            list.push_back(numbers.try_emplace(nameKey(side[at]), numbers.size()).first->second);
        }
        return list;
    };
    const std::vector<std::size_t> left = numbersOf(a, ofA);
    const std::vector<std::size_t> right = numbersOf(b, ofB);
    std::vector<Match> matches = LongestCommon(left, right).find();
    for (auto& [inA, inB] : matches) {
        inA = ofA[inA];
        inB = ofB[inB];
    }
    return matches;
}

/// What a delegate's call does: the operators that it traced inside, and the Edge operators that it took.
std::set<std::string_view> workOf(Operators side, std::size_t call) {
    std::set<std::string_view> work(side[call].nodes.begin(), side[call].nodes.end());
    for (const OperatorTimes& each : side) {
        if (each.kind == OperatorKind::DelegatedOperator && each.chain == side[call].chain &&
            each.instruction == side[call].instruction) {
            work.insert(withoutCounter(each.name));
        }
    }
    return work;
}

/// Calls of delegates that do nothing alike are not the same; of one that says nothing of itself nobody
/// knows.
bool mayBeSame(Operators a, std::size_t inA, Operators b, std::size_t inB) {
    if (a[inA].kind != OperatorKind::DelegateCall) {
        return true;
    }
    const std::set<std::string_view> left = workOf(a, inA);
    const std::set<std::string_view> right = workOf(b, inB);
    return left.empty() || right.empty() ||
           std::ranges::any_of(left, [&](std::string_view each) { return right.contains(each); });
}

/// For each operator of B its match in A.
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

/// Pairs in B's order, and each removed operator behind the one that was before it.
void putInOrder(std::vector<AlignedPair>& pairs, std::size_t countA) {
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

std::vector<AlignedPair> alignOperators(Operators a, Operators b) {
    Matching matching{.takenA = std::vector<std::uint8_t>(a.size()),
                      .takenB = std::vector<std::uint8_t>(b.size()),
                      .pairs = {}};
    const auto inSequence = [&](const std::vector<std::size_t>& ofA, const std::vector<std::size_t>& ofB) {
        std::vector<Match> matches = matchSequence(a, b, ofA, ofB);
        std::erase_if(matches,
                      [&](const Match& match) { return !mayBeSame(a, match.first, b, match.second); });
        return matches;
    };
    const std::vector<Match> sequence = inSequence(indices(a.size(), {}), indices(b.size(), {}));
    const std::vector<Match> handles = matchHandles(a, b);
    const auto bothHandled = std::ranges::count_if(sequence, [&](const Match& match) {
        return !a[match.first].handles.empty() && !b[match.second].handles.empty();
    });
    if (!handles.empty() && std::ssize(handles) >= bothHandled) {
        matching.add(handles, Alignment::DebugHandle);
        matching.add(inSequence(indices(a.size(), matching.takenA), indices(b.size(), matching.takenB)),
                     Alignment::Sequence);
    } else {
        matching.add(sequence, Alignment::Sequence);
    }
    for (const std::size_t at : indices(a.size(), matching.takenA)) {
        matching.pairs.push_back({.a = at, .b = {}, .alignment = Alignment::Removed});
    }
    for (const std::size_t at : indices(b.size(), matching.takenB)) {
        matching.pairs.push_back({.a = {}, .b = at, .alignment = Alignment::Added});
    }
    putInOrder(matching.pairs, a.size());
    return std::move(matching.pairs);
}

}  // namespace et::inspector
