#include "app/tasks/probe/probe_plan.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

/// Share of the limit for the sizes of the model, and for these and the scan: the rest narrows bands.
constexpr double modelShare = 0.4;
constexpr double scanShare = 0.75;
/// Sizes of channels that are scanned before those of other dimensions: a neighbour and the grid.
constexpr std::size_t channelSizes = 11;
/// Sizes that an exact band needs after the scan.
constexpr std::size_t bandSizes = 10;
/// Sizes of an axis that is scanned because an operator like it is wrong.
constexpr std::size_t laterScanSizes = 12;
/// Largest size that is tested of small dimensions.
constexpr std::int64_t usualMost = 256;

/// A list of sizes for each axis.
struct AxisSizes {
    std::size_t subject = 0;
    std::size_t axis = 0;
    std::vector<std::int64_t> sizes;
};

class RoundPlan {
  public:
    RoundPlan(const ProbeSet& planned, std::size_t edgeSizes) : set(planned), perEdge(edgeSizes) {}

    std::vector<PlannedProbe> first() {
        const auto representatives = firstOfKinds();
        const std::size_t most = share(modelShare);
        for (const std::size_t subject : representatives) {
            add({.subject = subject}, most);
        }
        for (std::size_t subject = 0; subject < set.subjects.size(); ++subject) {
            add({.subject = subject}, most);
        }
        for (const std::size_t subject : representatives) {
            if (!set.subjects[subject].isWhole) {
                add({.subject = subject, .fill = ProbeFill::Nan}, most);
            }
        }
        std::vector<AxisSizes> scans;
        std::vector<AxisSizes> channels;
        for (const std::size_t subject : representatives) {
            for (std::size_t axis = 0; axis < set.subjects[subject].axes.size(); ++axis) {
                scans.push_back(
                    {.subject = subject, .axis = axis, .sizes = scanSizes(trialsOf(set, subject, axis))});
                if (set.subjects[subject].axes[axis].isChannel) {
                    channels.push_back(scans.back());
                    channels.back().sizes.resize(std::min(scans.back().sizes.size(), channelSizes));
                }
            }
        }
        addInTurn(channels, share(scanShare));
        addInTurn(scans, share(scanShare));
        return std::move(plan);
    }

    std::vector<PlannedProbe> next() {
        std::vector<AxisSizes> lists;
        for (std::size_t subject = 0; subject < set.subjects.size(); ++subject) {
            const bool isUnscanned = isSuddenlyWrong(subject);
            for (std::size_t axis = 0; axis < set.subjects[subject].axes.size(); ++axis) {
                const SizeTrials trials = trialsOf(set, subject, axis);
                AxisSizes list{.subject = subject, .axis = axis, .sizes = {}};
                if (trials.wrong.size() > 1) {
                    list.sizes = searchSizes(trials, perEdge).next;
                } else if (isUnscanned && !isTried(subject, axis)) {
                    list.sizes = scanSizes(trials);
                    list.sizes.resize(std::min(list.sizes.size(), laterScanSizes));
                }
                if (!list.sizes.empty()) {
                    lists.push_back(std::move(list));
                }
            }
        }
        // A few exact bands are worth more than many that are not.
        const std::size_t left = set.limit - std::min(set.limit, set.probes.size());
        lists.resize(std::min(lists.size(), std::max<std::size_t>(1, left / bandSizes)));
        addInTurn(lists, set.limit);
        return std::move(plan);
    }

  private:
    [[nodiscard]] std::size_t share(double part) const {
        return static_cast<std::size_t>(part * static_cast<double>(set.limit));
    }

    [[nodiscard]] std::vector<std::size_t> firstOfKinds() const {
        std::vector<std::size_t> firsts;
        std::set<std::string_view> kinds;
        for (std::size_t i = 0; i < set.subjects.size(); ++i) {
            if (kinds.insert(set.subjects[i].kind).second) {
                firsts.push_back(i);
            }
        }
        return firsts;
    }

    void add(const PlannedProbe& probe, std::size_t most) {
        if (set.probes.size() + plan.size() < std::min(most, set.limit) && findProbe(set, probe) == nullptr &&
            !std::ranges::contains(plan, probe)) {
            plan.push_back(probe);
        }
    }

    /// Adds the first size of each list, then the second of each, …
    void addInTurn(const std::vector<AxisSizes>& lists, std::size_t most) {
        std::size_t longest = 0;
        for (const AxisSizes& list : lists) {
            longest = std::max(longest, list.sizes.size());
        }
        for (std::size_t i = 0; i < longest; ++i) {
            for (const AxisSizes& list : lists) {
                if (i < list.sizes.size()) {
                    add({.subject = list.subject, .axis = list.axis, .size = list.sizes[i]}, most);
                }
            }
        }
    }

    /// Whether the model's sizes are wrong, although the operator of its kind that was scanned is right.
    [[nodiscard]] bool isSuddenlyWrong(std::size_t subject) const {
        const auto verdictOf = [&](std::size_t each) {
            const Probe* const probe = findProbe(set, {.subject = each});
            return probe == nullptr ? ProbeVerdict::Pending : probe->verdict;
        };
        const auto first = std::ranges::find(set.subjects, set.subjects[subject].kind, &ProbedSubject::kind);
        return verdictOf(subject) == ProbeVerdict::Wrong &&
               verdictOf(static_cast<std::size_t>(first - set.subjects.begin())) == ProbeVerdict::Right;
    }

    [[nodiscard]] bool isTried(std::size_t subject, std::size_t axis) const {
        return std::ranges::any_of(
            set.probes, [&](const Probe& probe) { return probe.subject == subject && probe.axis == axis; });
    }

    const ProbeSet& set;
    std::size_t perEdge;
    std::vector<PlannedProbe> plan;
};

}  // namespace

std::vector<PlannedProbe> planRound(const ProbeSet& set, std::size_t perEdge) {
    RoundPlan plan(set, perEdge);
    return set.probes.empty() ? plan.first() : plan.next();
}

SizeTrials trialsOf(const ProbeSet& set, std::size_t subject, std::size_t axis) {
    const ProbedAxis& tried = set.subjects[subject].axes[axis];
    SizeTrials trials{.typical = tried.size,
                      .least = 1,
                      .most = std::max(usualMost, 2 * tried.size),
                      .unavailable = tried.unavailable};
    for (const Probe& probe : set.probes) {
        const bool isSize = probe.axis ? *probe.axis == axis : probe.fill == ProbeFill::Model;
        if (probe.subject == subject && isSize && probe.verdict != ProbeVerdict::Pending) {
            trials.wrong.insert_or_assign(probe.axis ? probe.size : tried.size,
                                          probe.verdict == ProbeVerdict::Wrong);
        }
    }
    return trials;
}

const Probe* findProbe(const ProbeSet& set, const PlannedProbe& planned) {
    const auto found = std::ranges::find_if(set.probes, [&](const Probe& probe) {
        return probe.subject == planned.subject && probe.axis == planned.axis && probe.fill == planned.fill &&
               (!planned.axis || probe.size == planned.size);
    });
    return found == set.probes.end() ? nullptr : &*found;
}

}  // namespace et::tasks
