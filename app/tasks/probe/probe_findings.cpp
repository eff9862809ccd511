#include "app/tasks/probe/probe_findings.h"

#include "app/tasks/probe/probe_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace et::tasks {
namespace {

ProbeFinding findingOf(const ProbeSet& set, const PlannedProbe& planned, std::string tested) {
    ProbeFinding finding{.subject = planned.subject, .tested = std::move(tested)};
    if (const Probe* const probe = findProbe(set, planned)) {
        finding.verdict = probe->verdict;
        finding.note = probe->note;
    }
    return finding;
}

ProbeFinding axisFinding(const ProbeSet& set, std::size_t subject, std::size_t axis) {
    const SizeTrials trials = trialsOf(set, subject, axis);
    ProbeFinding finding{.subject = subject, .tested = set.subjects[subject].axes[axis].name};
    for (const auto& [size, isWrong] : trials.wrong) {
        finding.sizes.push_back(size);
        finding.verdict =
            isWrong || finding.verdict == ProbeVerdict::Wrong ? ProbeVerdict::Wrong : ProbeVerdict::Right;
    }
    finding.rule = searchSizes(trials, 1).rule;
    const auto first = std::ranges::find_if(set.probes, [&](const Probe& probe) {
        return probe.subject == subject && probe.axis == axis && probe.verdict == ProbeVerdict::Wrong;
    });
    finding.note = first == set.probes.end() ? std::string() : first->note;
    return finding;
}

bool isAxisTried(const ProbeSet& set, std::size_t subject, std::size_t axis) {
    return std::ranges::any_of(set.probes, [&](const Probe& probe) {
        return probe.subject == subject && probe.axis == axis && probe.verdict != ProbeVerdict::Pending;
    });
}

std::string bandText(const SizeBand& band, std::int64_t step) {
    std::string text = band.rightAfter == 0      ? fmt::format("{} and larger", band.first)
                       : band.rightBefore == 0   ? fmt::format("{} and smaller", band.last)
                       : band.first == band.last ? fmt::format("{}", band.first)
                                                 : fmt::format("{} to {}", band.first, band.last);
    const std::int64_t first = band.rightBefore == 0 ? band.first : band.rightBefore + step;
    const std::int64_t last = band.rightAfter == 0 ? band.last : band.rightAfter - step;
    if (first < band.first || last > band.last) {
        text += fmt::format(" (possibly {} to {})", first, last);
    }
    return text;
}

}  // namespace

std::vector<ProbeFinding> probeFindings(const ProbeSet& set) {
    std::vector<ProbeFinding> findings;
    for (std::size_t subject = 0; subject < set.subjects.size(); ++subject) {
        if (findProbe(set, {.subject = subject}) != nullptr) {
            findings.push_back(findingOf(set, {.subject = subject}, "sizes of the model"));
        }
        const PlannedProbe nan{.subject = subject, .fill = ProbeFill::Nan};
        if (findProbe(set, nan) != nullptr) {
            findings.push_back(findingOf(set, nan, "NaN"));
        }
        for (std::size_t axis = 0; axis < set.subjects[subject].axes.size(); ++axis) {
            if (isAxisTried(set, subject, axis)) {
                findings.push_back(axisFinding(set, subject, axis));
            }
        }
    }
    return findings;
}

std::vector<std::string> wrongTogether(const ProbeSet& set) {
    std::vector<std::string> names;
    const auto isWrong = [&](std::size_t subject) {
        const Probe* const probe = findProbe(set, {.subject = subject});
        return probe != nullptr && probe->verdict == ProbeVerdict::Wrong;
    };
    for (std::size_t whole = 0; whole < set.subjects.size(); ++whole) {
        const ProbedSubject& delegate = set.subjects[whole];
        const auto isCulprit = [&](std::size_t subject) {
            return !set.subjects[subject].isWhole && isWrong(subject) &&
                   std::ranges::any_of(set.subjects[subject].nodes, [&](const std::string& node) {
                       return std::ranges::contains(delegate.nodes, node);
                   });
        };
        if (delegate.isWhole && isWrong(whole) &&
            !std::ranges::any_of(std::views::iota(std::size_t{0}, set.subjects.size()), isCulprit)) {
            names.push_back(delegate.name);
        }
    }
    return names;
}

std::string ruleText(const SizeRule& rule) {
    if (rule.kind == SizeRule::Kind::Right) {
        return {};
    }
    if (rule.kind == SizeRule::Kind::Wrong) {
        return "all tested sizes";
    }
    const std::string indivisible = fmt::format("not divisible by {}", rule.divisor);
    if (rule.kind == SizeRule::Kind::Indivisible) {
        return rule.isExact ? indivisible : indivisible + " (not confirmed)";
    }
    std::vector<std::string> texts;
    if (rule.divisor > 1) {
        texts.push_back(indivisible);
    }
    for (const SizeBand& band : rule.bands) {
        texts.push_back(bandText(band, rule.divisor));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace et::tasks
