#include "app/output/lab/remedy_info.h"

#include "app/output/lab/output_error_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using backends::xnnpack::ObserverKind;

std::string_view observerText(ObserverKind kind) {
    switch (kind) {
        case ObserverKind::MinMax:
            return "minmax";
        case ObserverKind::MovingAverage:
            return "moving-average";
        case ObserverKind::Histogram:
            return "histogram";
        case ObserverKind::Percentile:
            return "percentile";
        case ObserverKind::SquareError:
            return "mse";
    }
    return {};
}

std::string pairText(const tasks::EqualizedPair& pair) {
    return core::printable(fmt::format("{} with {}", pair.maker, fmt::join(pair.readers, ", ")));
}

/// "2 of 3 pairs: conv2d with conv2d_1; …", and one reason why others were not equalized.
std::string pairsText(const std::vector<tasks::EqualizedPair>& pairs) {
    if (pairs.empty()) {
        return "no product feeds another one through relu or pooling alone";
    }
    std::vector<std::string> applied;
    std::map<std::string, std::size_t> rules;
    for (const tasks::EqualizedPair& pair : pairs) {
        if (pair.applied) {
            applied.push_back(pairText(pair));
        } else {
            ++rules[pair.rule];
        }
    }
    std::string text = fmt::format("{} of {} pairs", applied.size(), pairs.size());
    text += applied.empty() ? "" : fmt::format(": {}", fmt::join(applied, "; "));
    for (const auto& [rule, count] : rules) {
        text += count == 1 ? fmt::format("; {}", rule) : fmt::format("; {} times: {}", count, rule);
    }
    return text;
}

std::string observersText(const tasks::RemedyReport& report) {
    std::vector<std::string> changed;
    for (const tasks::ChosenObserver& each : report.observers) {
        changed.push_back(
            fmt::format("{} for {}", observerText(each.kind), core::printable(each.values.front())));
    }
    std::string text = fmt::format("{} of {} scales", changed.size(), report.scales);
    return text + (changed.empty() ? "" : fmt::format(": {}", fmt::join(changed, ", ")));
}

std::string biasesText(const tasks::RemedyReport& report) {
    std::vector<std::string> changed;
    for (const tasks::CorrectedBias& each : report.biases) {
        changed.push_back(core::printable(each.site));
    }
    std::string text = fmt::format("{} of {} biases", changed.size(), report.corrigible);
    return text + (changed.empty() ? "" : fmt::format(": {}", fmt::join(changed, ", ")));
}

std::string adviceText(const tasks::RemedyTrial& trial) {
    if (!trial.report) {
        return trial.name == "per-channel"
                   ? "weights use a scale per channel here (before: one per tensor, is_per_channel=False)"
                   : "estimate only: XNNPACK has no wider activations, keep sites in float";
    }
    const tasks::RemedyReport& report = *trial.report;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double worthTelling = 0.1;  // dB
    const bool helps = trial.after.sqnrDecibels.value_or(infinity) >
                       trial.before.sqnrDecibels.value_or(infinity) + worthTelling;
    const std::string did = trial.name == tasks::remedyName(tasks::Remedy::Equalize) ? pairsText(report.pairs)
                            : trial.name == tasks::remedyName(tasks::Remedy::Observers)
                                ? observersText(report)
                            : trial.name == tasks::remedyName(tasks::Remedy::Bias) ? biasesText(report)
                                                                                   : std::string();
    return (helps ? fmt::format("quantize --remedy {}", trial.name) : std::string("no gain")) +
           (did.empty() ? "" : "; " + did);
}

Dict pairInfo(const tasks::EqualizedPair& pair) {
    Dict info{{"maker", pair.maker}, {"module", pair.module}, {"readers", listOf(pair.readers)}};
    if (pair.applied) {
        info.emplace_back("factors", std::vector<double>(pair.factors.begin(), pair.factors.end()));
    } else {
        info.emplace_back("clamp", pair.clamp);
        info.emplace_back("rule", pair.rule);
    }
    return info;
}

}  // namespace

std::string remedyText(const tasks::RemedyReport& report) {
    return fmt::format(
        "remedies: {} dB to {} dB on the calibration inputs\n  equalize: {}\n  observers: {}\n"
        "  bias: {}\n",
        decibelText(report.before), decibelText(report.after), pairsText(report.pairs), observersText(report),
        biasesText(report));
}

Dict remedyInfo(const tasks::RemedyReport& report) {
    List observers;
    for (const tasks::ChosenObserver& each : report.observers) {
        observers.emplace_back(
            Dict{{"values", listOf(each.values)}, {"observer", std::string(observerText(each.kind))}});
    }
    return {{"before", closenessInfo(report.before)},
            {"after", closenessInfo(report.after)},
            {"pairs", listOf(report.pairs, pairInfo)},
            {"observers", std::move(observers)},
            {"biases", listOf(report.biases,
                              [](const tasks::CorrectedBias& each) {
                                  return Dict{{"site", each.site}, {"shifts", each.shifts}};
                              })},
            {"scales", std::uint64_t{report.scales}},
            {"corrigible", std::uint64_t{report.corrigible}}};
}

std::string remedyTrialsText(const std::vector<tasks::RemedyTrial>& trials, Style style) {
    if (trials.empty()) {
        return {};
    }
    Table table{.columns = {textColumn("remedy"), numberColumn("before", "before (dB)"),
                            numberColumn("after", "after (dB)"), textColumn("what", "what to do")},
                .indexed = false};
    for (const tasks::RemedyTrial& trial : trials) {
        table.rows.push_back({Cell(trial.name), Cell(decibelText(trial.before)),
                              Cell(decibelText(trial.after)), Cell(adviceText(trial))});
    }
    return render(table, Format::Table, style);
}

List remedyTrialsInfo(const std::vector<tasks::RemedyTrial>& trials) {
    return listOf(trials, [&](const tasks::RemedyTrial& trial) {
        Dict info{{"remedy", trial.name},
                  {"before", closenessInfo(trial.before)},
                  {"after", closenessInfo(trial.after)},
                  {"what", adviceText(trial)}};
        if (trial.report) {
            info.emplace_back("report", remedyInfo(*trial.report));
        }
        return info;
    });
}

}  // namespace et::output
