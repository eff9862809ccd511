#include "inspector/program_diff/detail/step_alignment.h"

#include "inspector/join/dense_index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace et::inspector::program_diff::detail {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

/// Hashes that characterize a step, in order of increasing detail.
struct StepKey {
    std::uint64_t kind = 0;
    std::uint64_t form = 0;      ///< kind, literals, attributes, types of constants and results
    std::uint64_t content = 0;   ///< form, and the contents of the constants (large ones are sampled)
    std::uint64_t above = 0;     ///< the form of the steps that it reads from
    std::uint64_t farAbove = 0;  ///< plus the steps that those read from
    std::uint64_t below = 0;     ///< the kinds of the steps that read from it
    std::uint64_t all = 0;
};

using Member = std::uint64_t StepKey::*;

/// Constants up to this size are hashed completely, larger ones by this number of samples of this size.
constexpr std::size_t wholeBytes = 4096;
constexpr std::size_t samples = 64;
constexpr std::size_t sampleBytes = 64;

std::uint64_t hashOf(std::string_view text) {
    return std::hash<std::string_view>{}(text);
}

std::uint64_t hashOf(core::Bytes bytes) {
    const std::string_view text = core::textOf(bytes);
    if (text.size() <= wholeBytes) {
        return hashOf(text);
    }
    std::uint64_t hash = text.size();
    const std::size_t step = (text.size() - sampleBytes) / (samples - 1);
    for (std::size_t i = 0; i < samples; ++i) {
        hash = join::detail::combineHash(hash, hashOf(text.substr(i * step, sampleBytes)));
    }
    return hash;
}

std::uint64_t hashOf(const std::vector<core::GraphAttribute>& attributes) {
    std::uint64_t hash = attributes.size();
    for (const core::GraphAttribute& each : attributes) {
        hash =
            join::detail::combineHash(join::detail::combineHash(hash, hashOf(each.name)), hashOf(each.text));
    }
    return hash;
}

/// Hash of an operand's properties that are independent of its source.
std::uint64_t formOf(const Operand& operand) {
    const bool own = operand.kind == Operand::Kind::Literal || operand.kind == Operand::Kind::Constant ||
                     operand.kind == Operand::Kind::State;
    const std::uint64_t hash =
        join::detail::combineHash(operand.argument, own ? static_cast<std::uint64_t>(operand.kind) : 99);
    return own ? join::detail::combineHash(join::detail::combineHash(hash, hashOf(operand.text)),
                                           hashOf(operand.attributes))
               : hash;
}

std::uint64_t formOf(const Step& step, std::uint64_t kind) {
    std::uint64_t hash = join::detail::combineHash(kind, hashOf(step.attributes));
    for (const Operand& operand : step.operands) {
        hash = join::detail::combineHash(hash, formOf(operand));
    }
    for (const StepResult& result : step.results) {
        hash = join::detail::combineHash(join::detail::combineHash(hash, hashOf(result.type)),
                                         hashOf(result.attributes));
    }
    return hash;
}

std::uint64_t contentOf(const Step& step, std::uint64_t form) {
    std::uint64_t hash = form;
    for (const Operand& operand : step.operands) {
        if (operand.kind == Operand::Kind::Constant || operand.kind == Operand::Kind::State) {
            hash = join::detail::combineHash(hash, hashOf(operand.constant.bytes));
        }
    }
    return hash;
}

/// Combines `member` of the steps that a step reads from, in operand order.
std::uint64_t above(const Step& step, const std::vector<StepKey>& keys, std::uint64_t StepKey::* member) {
    std::uint64_t hash = 1;
    for (const Operand& operand : step.operands) {
        const bool fromStep = operand.kind == Operand::Kind::Step;
        hash = join::detail::combineHash(
            hash, fromStep ? keys[operand.index].*member : static_cast<std::uint64_t>(operand.kind));
        hash = join::detail::combineHash(
            hash, operand.kind == Operand::Kind::Input ? operand.index : operand.output);
    }
    return hash;
}

std::vector<StepKey> keysOf(const StepList& list) {
    std::vector<StepKey> keys(list.steps.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Step& step = list.steps[i];
        keys[i].kind = hashOf(step.kind);
        keys[i].form = formOf(step, keys[i].kind);
        keys[i].content = contentOf(step, keys[i].form);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].above = above(list.steps[i], keys, &StepKey::form);
        for (const Operand& operand : list.steps[i].operands) {
            if (operand.kind == Operand::Kind::Step) {
                // A sum, because readers are unordered.
                keys[operand.index].below += join::detail::mixBits(keys[i].kind);
            }
        }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].farAbove = above(list.steps[i], keys, &StepKey::above);
    }
    for (StepKey& key : keys) {
        key.all = join::detail::combineHash(join::detail::combineHash(key.content, key.farAbove),
                                            join::detail::combineHash(key.above, key.below));
    }
    return keys;
}

/// Maximum number of step pairs for which the similarity is computed.
constexpr std::size_t maxPairs = std::size_t{1} << 22;
/// Maximum number of divisions of a section before it is aligned in order.
constexpr int maxDivisions = 64;
/// Number of steps searched for a partner in sections too large for weigh().
constexpr std::size_t nearby = 256;
/// Maximum number of candidates examined for a moved step.
constexpr std::size_t maxCandidates = 8;

/// A section of both lists that is not yet aligned.
struct Part {
    std::size_t before = 0, beforeEnd = 0;
    std::size_t after = 0, afterEnd = 0;
    int divisions = 0;

    [[nodiscard]] std::size_t rows() const { return beforeEnd - before; }
    [[nodiscard]] std::size_t columns() const { return afterEnd - after; }
    [[nodiscard]] bool empty() const { return rows() == 0 || columns() == 0; }
};

/// The longest subsequence of pairs (sorted by first) whose seconds ascend.
std::vector<Pair> ascending(const std::vector<Pair>& pairs) {
    std::vector<std::size_t> ends;  // by length: the last pair of the ascending subsequence with the smallest
                                    // end
    std::vector<std::size_t> previous(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto place = std::ranges::lower_bound(ends, pairs[i].second, {},
                                                    [&](std::size_t end) { return pairs[end].second; });
        previous[i] = place == ends.begin() ? pairs.size() : *(place - 1);
        if (place == ends.end()) {
            ends.push_back(i);
        } else {
            *place = i;
        }
    }
    std::vector<Pair> run;
    for (std::size_t i = ends.empty() ? pairs.size() : ends.back(); i < pairs.size(); i = previous[i]) {
        run.push_back(pairs[i]);
    }
    std::ranges::reverse(run);
    return run;
}

class Aligner {
  public:
    Aligner(const StepList& beforeList, const StepList& afterList)
        : before(beforeList), after(afterList), beforeKeys(keysOf(beforeList)), afterKeys(keysOf(afterList)) {
        result.afterOf.resize(before.steps.size());
        result.beforeOf.resize(after.steps.size());
        result.moved.resize(before.steps.size());
    }

    Alignment align() {
        std::vector<Part> parts{{.beforeEnd = before.steps.size(), .afterEnd = after.steps.size()}};
        while (!parts.empty()) {
            Part part = parts.back();
            parts.pop_back();
            trim(part);
            if (part.empty()) {
                continue;
            }
            if (part.divisions < maxDivisions && divide(part, parts)) {
                continue;
            }
            part.rows() <= maxPairs / part.columns() ? weigh(part) : takeNearby(part);
        }
        findMoved();
        return std::move(result);
    }

  private:
    [[nodiscard]] bool equal(std::size_t left, std::size_t right, Member member) const {
        return beforeKeys[left].*member == afterKeys[right].*member && mayBeSame(left, right);
    }

    /// True unless both delegates are described and have no node kind in common.
    [[nodiscard]] bool mayBeSame(std::size_t left, std::size_t right) const {
        const auto& a = before.steps[left].inside;
        const auto& b = after.steps[right].inside;
        if (a.empty() || b.empty()) {
            return true;
        }
        return std::ranges::any_of(
            a, [&](const std::string& kind) { return std::ranges::binary_search(b, kind); });
    }

    /// Pairs equal steps at both ends.
    void trim(Part& part) {
        while (!part.empty() && equal(part.before, part.after, &StepKey::all)) {
            result.pair(part.before++, part.after++);
        }
        while (!part.empty() && equal(part.beforeEnd - 1, part.afterEnd - 1, &StepKey::all)) {
            result.pair(--part.beforeEnd, --part.afterEnd);
        }
    }

    /// Pairs steps that are unique on their side, using the strongest key first, and appends the sections
    /// between them to `rest`. False if there are none.
    bool divide(const Part& part, std::vector<Part>& rest) {
        const bool small = part.rows() <= maxPairs / part.columns();
        for (const Member member : {&StepKey::all, &StepKey::content, &StepKey::form}) {
            const std::vector<Pair> anchors = ascending(uniquePairs(part, member));
            if (!anchors.empty()) {
                split(part, anchors, rest);
                return true;
            }
            if (small) {
                break;
            }
        }
        return false;
    }

    void split(const Part& part, const std::vector<Pair>& anchors, std::vector<Part>& rest) {
        Part open = part;
        ++open.divisions;
        for (const auto& [left, right] : anchors) {
            result.pair(left, right);
            open.beforeEnd = left;
            open.afterEnd = right;
            rest.push_back(open);
            open.before = left + 1;
            open.after = right + 1;
        }
        open.beforeEnd = part.beforeEnd;
        open.afterEnd = part.afterEnd;
        rest.push_back(open);
    }

    [[nodiscard]] std::vector<Pair> uniquePairs(const Part& part, Member member) const {
        struct Places {
            std::size_t before = 0, beforeCount = 0, after = 0, afterCount = 0;
        };
        std::unordered_map<std::uint64_t, Places> places;
        for (std::size_t i = part.before; i < part.beforeEnd; ++i) {
            Places& found = places[beforeKeys[i].*member];
            found.before = i;
            ++found.beforeCount;
        }
        for (std::size_t i = part.after; i < part.afterEnd; ++i) {
            Places& found = places[afterKeys[i].*member];
            found.after = i;
            ++found.afterCount;
        }
        std::vector<Pair> pairs;
        for (const auto& [key, found] : places) {
            if (found.beforeCount == 1 && found.afterCount == 1 && mayBeSame(found.before, found.after)) {
                pairs.emplace_back(found.before, found.after);
            }
        }
        std::ranges::sort(pairs);
        return pairs;
    }

    /// Similarity of two steps; 0: they cannot be partners.
    [[nodiscard]] std::int32_t likeness(std::size_t left, std::size_t right) const {
        struct Weight {
            Member member;
            std::int32_t points;
        };
        constexpr std::array weights{Weight{&StepKey::form, 3}, Weight{&StepKey::content, 4},
                                     Weight{&StepKey::above, 2}, Weight{&StepKey::farAbove, 1},
                                     Weight{&StepKey::below, 2}};
        if (!equal(left, right, &StepKey::kind)) {
            return 0;
        }
        std::int32_t sum = 4;
        for (const Weight& each : weights) {
            sum += equal(left, right, each.member) ? each.points : 0;
        }
        return sum;
    }

    /// Finds an in-order pairing of the section's steps with the highest total similarity.
    void weigh(const Part& part) {
        enum Way : std::uint8_t { Together, SkipBefore, SkipAfter };
        const std::size_t columns = part.columns();
        std::vector<std::uint8_t> ways(part.rows() * columns);
        std::vector<std::int32_t> below(columns + 1);
        std::vector<std::int32_t> row(columns + 1);
        for (std::size_t i = part.rows(); i-- > 0;) {
            row[columns] = 0;
            for (std::size_t j = columns; j-- > 0;) {
                const std::int32_t alike = likeness(part.before + i, part.after + j);
                const std::int32_t together = alike > 0 ? alike + below[j + 1] : -1;
                row[j] = std::max({together, below[j], row[j + 1]});
                ways[i * columns + j] = row[j] == together   ? Together
                                        : row[j] == below[j] ? SkipBefore
                                                             : SkipAfter;
            }
            std::swap(row, below);
        }
        for (std::size_t i = 0, j = 0; i < part.rows() && j < columns;) {
            const std::uint8_t way = ways[i * columns + j];
            if (way == Together) {
                result.pair(part.before + i, part.after + j);
            }
            i += way == SkipAfter ? 0 : 1;
            j += way == SkipBefore ? 0 : 1;
        }
    }

    /// Pairs each step with the next nearby one that has the same form.
    void takeNearby(const Part& part) {
        std::size_t next = part.after;
        for (std::size_t i = part.before; i < part.beforeEnd; ++i) {
            const std::size_t end = std::min(next + nearby, part.afterEnd);
            for (std::size_t j = next; j < end; ++j) {
                if (equal(i, j, &StepKey::form)) {
                    result.pair(i, j);
                    next = j + 1;
                    break;
                }
            }
        }
    }

    /// Pairs unmatched steps with equal steps elsewhere.
    void findMoved() {
        std::unordered_map<std::uint64_t, std::vector<std::size_t>> open;
        for (std::size_t j = 0; j < after.steps.size(); ++j) {
            if (!result.beforeOf[j] && open[afterKeys[j].content].size() < maxCandidates) {
                open[afterKeys[j].content].push_back(j);
            }
        }
        for (std::size_t i = 0; i < before.steps.size(); ++i) {
            const auto found = result.afterOf[i] ? open.end() : open.find(beforeKeys[i].content);
            if (found == open.end()) {
                continue;
            }
            const auto partner = std::ranges::find_if(found->second, [&](std::size_t j) {
                return !result.beforeOf[j] && mayBeSame(i, j) && readTheSame(before.steps[i], after.steps[j]);
            });
            if (partner != found->second.end()) {
                result.pair(i, *partner);
                result.moved[i] = true;
            }
        }
    }

    [[nodiscard]] bool readTheSame(const Step& left, const Step& right) const {
        return std::ranges::equal(left.operands, right.operands, [this](const Operand& a, const Operand& b) {
            if (a.kind != b.kind || a.output != b.output) {
                return false;
            }
            return a.kind == Operand::Kind::Step ? result.afterOf[a.index] == b.index : a.index == b.index;
        });
    }

    const StepList& before;
    const StepList& after;
    std::vector<StepKey> beforeKeys, afterKeys;
    Alignment result;
};

}  // namespace

Alignment align(const StepList& before, const StepList& after) {
    return Aligner(before, after).align();
}

}  // namespace et::inspector::program_diff::detail
