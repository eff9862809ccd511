#include "app/output/lab/undelegated_info.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace et::output {
namespace {

constexpr double nanosecondsPerMicrosecond = 1e3;

Cell microseconds(std::optional<double> nanoseconds) {
    return nanoseconds ? Cell(*nanoseconds / nanosecondsPerMicrosecond) : Cell();
}

std::optional<double> gainOf(const tasks::UndelegatedWork& each) {
    return each.gain ? std::optional(each.gain->nanoseconds) : std::nullopt;
}

std::string why(const tasks::UndelegatedWork& each) {
    if (each.wanted.empty()) {
        return each.rule.empty() ? "delegated together with the neighboring operator" : each.rule;
    }
    const std::string some =
        each.wanted.size() == each.nodes.size() || each.rule.empty()
            ? ""
            : fmt::format(" except {}: {}", each.nodes.size() - each.wanted.size(), each.rule);
    const std::string_view outcome = !each.gain ? "not measured: supported by XNNPACK"
                                     : !each.gain->isCertain
                                         ? "supported by XNNPACK; no difference beyond noise"
                                     : each.gain->nanoseconds > 0 ? "supported by XNNPACK"
                                                                  : "supported by XNNPACK, but slower";
    return fmt::format("{}{}", outcome, some);
}

double shareOf(const tasks::UndelegatedReport& report, double nanoseconds) {
    return report.total > 0 ? nanoseconds / report.total : 0;
}

std::string gainText(const tasks::MeasuredGain& gain) {
    if (!gain.isCertain) {
        return fmt::format("no difference beyond noise [{} to {} less]", readableTime(gain.interval.low),
                           readableTime(gain.interval.high));
    }
    const bool isLess = gain.nanoseconds > 0;
    const double sign = isLess ? 1 : -1;
    return fmt::format("{} {} [{}, {}]", readableTime(sign * gain.nanoseconds), isLess ? "less" : "more",
                       readableTime(isLess ? gain.interval.low : -gain.interval.high),
                       readableTime(isLess ? gain.interval.high : -gain.interval.low));
}

Dict gainInfo(const tasks::MeasuredGain& gain) {
    return {{"saved_us", gain.nanoseconds / nanosecondsPerMicrosecond},
            {"interval_us", List{gain.interval.low / nanosecondsPerMicrosecond,
                                 gain.interval.high / nanosecondsPerMicrosecond}},
            {"certain", gain.isCertain}};
}

}  // namespace

Table undelegatedTable(const tasks::UndelegatedReport& report) {
    Table table{.columns = {textColumn("operator"), textColumn("module"), textColumn("line"),
                            numberColumn("now", "now (us)", Measure::Microseconds),
                            numberColumn("share", "share (%)", Measure::Percent),
                            numberColumn("alone", "alone (us)", Measure::Microseconds),
                            numberColumn("saved", "to win (us)", Measure::Microseconds),
                            textColumn("why", "why it is outside")},
                .indexed = false};
    for (const tasks::UndelegatedWork& each : report.works) {
        constexpr double percent = 100;
        table.rows.push_back({each.op, each.module, each.line, microseconds(each.nanoseconds),
                              percent * shareOf(report, each.nanoseconds), microseconds(each.alone),
                              microseconds(gainOf(each)), why(each)});
        table.heat.push_back(shareOf(report, each.nanoseconds));
    }
    return table;
}

std::string undelegatedSummary(const tasks::UndelegatedReport& report) {
    std::string text =
        fmt::format("{}: {} per run, {} delegate{}; {} operator{} outside them take{} {} ({})\n",
                    core::printable(report.method), readableTime(report.total), report.delegates,
                    report.delegates == 1 ? "" : "s", report.operators, report.operators == 1 ? "" : "s",
                    report.operators == 1 ? "s" : "", readableTime(report.outside()),
                    readablePercent(shareOf(report, report.outside())));
    if (report.all) {
        text += fmt::format("with all supported operators in delegates: {}\n", gainText(*report.all));
    } else {
        text += "XNNPACK supports none of them\n";
    }
    return text;
}

std::string undelegatedNotes(const tasks::UndelegatedReport& report) {
    return report.unmeasured == 0
               ? std::string()
               : fmt::format("{} more supported by XNNPACK {} not measured: increase --time\n",
                             report.unmeasured, report.unmeasured == 1 ? "was" : "were");
}

Dict undelegatedInfo(const tasks::UndelegatedReport& report) {
    List works;
    for (const tasks::UndelegatedWork& each : report.works) {
        works.emplace_back(Dict{{"nodes", listOf(each.nodes)},
                                {"op", each.op},
                                {"module", each.module},
                                {"line", each.line},
                                {"now_us", microseconds(each.nanoseconds)},
                                {"alone_us", microseconds(each.alone)},
                                {"gain", each.gain ? Cell(gainInfo(*each.gain)) : Cell()},
                                {"wanted", listOf(each.wanted)},
                                {"rule", each.rule}});
    }
    return {{"method", report.method},
            {"delegates", std::uint64_t{report.delegates}},
            {"total_us", microseconds(report.total)},
            {"outside_us", microseconds(report.outside())},
            {"all", report.all ? Cell(gainInfo(*report.all)) : Cell()},
            {"unmeasured", std::uint64_t{report.unmeasured}},
            {"operators", std::uint64_t{report.operators}},
            {"works", std::move(works)}};
}

}  // namespace et::output
