#include "app/output/probe/probe_info.h"

#include "app/tasks/probe/probe_findings.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using tasks::ProbeFinding;
using tasks::ProbeSet;
using tasks::ProbeVerdict;
using tasks::SizeRule;

constexpr std::array<std::string_view, 4> ruleNames{"none", "all", "indivisible", "bands"};

Dict ruleInfo(const SizeRule& rule) {
    List bands;
    for (const tasks::SizeBand& band : rule.bands) {
        bands.emplace_back(Dict{{"first", band.first},
                                {"last", band.last},
                                {"right_before", band.rightBefore == 0 ? Cell() : Cell(band.rightBefore)},
                                {"right_after", band.rightAfter == 0 ? Cell() : Cell(band.rightAfter)}});
    }
    return {{"kind", std::string(ruleNames[static_cast<std::size_t>(rule.kind)])},
            {"divisor", rule.divisor},
            {"bands", std::move(bands)},
            {"exact", rule.isExact}};
}

Dict findingInfo(const ProbeSet& set, const ProbeFinding& finding) {
    const tasks::ProbedSubject& subject = set.subjects[finding.subject];
    return {{"operator", subject.name},
            {"shapes", subject.shapes},
            {"dtypes", subject.dtypes},
            {"nodes", listOf(subject.nodes)},
            {"tested", finding.tested},
            {"verdict", std::string(tasks::probeVerdictName(finding.verdict))},
            {"wrong_sizes", finding.rule ? Cell(ruleInfo(*finding.rule)) : Cell()},
            {"tested_sizes", finding.sizes},
            {"note", finding.note}};
}

Table findingTable(const ProbeSet& set) {
    Table table{
        .columns = {textColumn("operator"), textColumn("shapes"), textColumn("dtype"), textColumn("tested"),
                    textColumn("verdict"), textColumn("wrong_sizes", "wrong sizes"), textColumn("note")},
        .indexed = false};
    for (const ProbeFinding& finding : tasks::probeFindings(set)) {
        const tasks::ProbedSubject& subject = set.subjects[finding.subject];
        table.rows.push_back(
            {core::printable(subject.name), core::printable(subject.shapes), core::printable(subject.dtypes),
             core::printable(finding.tested), std::string(tasks::probeVerdictName(finding.verdict)),
             finding.rule ? tasks::ruleText(*finding.rule) : std::string(), core::printable(finding.note)});
    }
    return table;
}

}  // namespace

Dict probeInfo(const tasks::ProbeResult& result) {
    const ProbeSet& set = result.set;
    List findings;
    for (const ProbeFinding& each : tasks::probeFindings(set)) {
        findings.emplace_back(findingInfo(set, each));
    }
    return {{"model", set.model},
            {"delegates", set.device.empty() ? Cell() : Cell(set.device)},
            {"backend", set.backend == tasks::LowerBackend::Xnnpack ? "xnnpack" : "none"},
            {"folder", result.folder.string()},
            {"rounds", std::uint64_t{set.rounds()}},
            {"limit", std::uint64_t{set.limit}},
            {"probes", std::uint64_t{set.probes.size()}},
            {"right", std::uint64_t{set.count(ProbeVerdict::Right)}},
            {"wrong", std::uint64_t{set.count(ProbeVerdict::Wrong)}},
            {"pending", std::uint64_t{set.count(ProbeVerdict::Pending)}},
            {"findings", std::move(findings)},
            {"wrong_together", listOf(tasks::wrongTogether(set))}};
}

std::string probeText(const tasks::ProbeResult& result, const Style& style) {
    const ProbeSet& set = result.set;
    std::string text;
    if (set.count(ProbeVerdict::Pending) < set.probes.size()) {
        text += render(findingTable(set), Format::Table, style);
        text += fmt::format("{} of at most {} probes in {} round{}: {} right, {} wrong, {} pending\n",
                            set.probes.size(), set.limit, set.rounds(), plural(set.rounds()),
                            set.count(ProbeVerdict::Right), set.count(ProbeVerdict::Wrong),
                            set.count(ProbeVerdict::Pending));
    }
    for (const std::string& each : tasks::wrongTogether(set)) {
        text += fmt::format("{} is wrong, although each of its operators is right alone\n",
                            core::printable(each));
    }
    if (result.written > 0) {
        const std::string folder = core::printable(result.folder.string());
        text +=
            fmt::format("{}: {} new probe{} for {} to run\n", folder, result.written, plural(result.written),
                        set.device.empty() ? "the device" : core::printable(set.device));
    }
    return text;
}

}  // namespace et::output
