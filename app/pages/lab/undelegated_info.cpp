#include "app/pages/lab/undelegated_info.h"

#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::Dict;
using inspector::report::List;
using inspector::report::Measure;
using inspector::report::readablePercent;
using inspector::report::readableTime;

constexpr double nanosecondsPerMicrosecond = 1e3;

Cell microseconds(std::optional<double> nanoseconds) {
    return nanoseconds ? Cell(*nanoseconds / nanosecondsPerMicrosecond) : Cell();
}

std::optional<double> gainOf(const UndelegatedWork& each) {
    return each.gain ? std::optional(each.gain->nanoseconds) : std::nullopt;
}

std::string why(const UndelegatedWork& each) {
    if (each.wanted.empty()) {
        return each.rule.empty() ? "it goes with the operator beside it" : each.rule;
    }
    const std::string some =
        each.wanted.size() == each.nodes.size() || each.rule.empty()
            ? ""
            : fmt::format(" but for {}: {}", each.nodes.size() - each.wanted.size(), each.rule);
    const std::string_view outcome = !each.gain              ? "not measured: XNNPACK takes it"
                                     : !each.gain->isCertain ? "XNNPACK takes it; no difference beyond noise"
                                     : each.gain->nanoseconds > 0 ? "XNNPACK takes it"
                                                                  : "XNNPACK takes it, and is slower";
    return fmt::format("{}{}", outcome, some);
}

double shareOf(const UndelegatedReport& report, double nanoseconds) {
    return report.total > 0 ? nanoseconds / report.total : 0;
}

std::string gainText(const MeasuredGain& gain) {
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

Dict gainInfo(const MeasuredGain& gain) {
    return {{"saved_us", gain.nanoseconds / nanosecondsPerMicrosecond},
            {"interval_us", List{gain.interval.low / nanosecondsPerMicrosecond,
                                 gain.interval.high / nanosecondsPerMicrosecond}},
            {"certain", gain.isCertain}};
}

}  // namespace

inspector::report::Table undelegatedTable(const UndelegatedReport& report) {
    inspector::report::Table table{
        .columns =
            {{.id = "operator", .header = "operator"},
             {.id = "module", .header = "module"},
             {.id = "line", .header = "line"},
             {.id = "now", .header = "now (us)", .numeric = true, .measure = Measure::Microseconds},
             {.id = "share", .header = "share (%)", .numeric = true, .measure = Measure::Percent},
             {.id = "alone", .header = "alone (us)", .numeric = true, .measure = Measure::Microseconds},
             {.id = "saved", .header = "to win (us)", .numeric = true, .measure = Measure::Microseconds},
             {.id = "why", .header = "why it is outside"}},
        .rows = {},
        .indexed = false,
        .heat = {}};
    for (const UndelegatedWork& each : report.works) {
        constexpr double percent = 100;
        table.rows.push_back({each.op, each.module, each.line, microseconds(each.nanoseconds),
                              percent * shareOf(report, each.nanoseconds), microseconds(each.alone),
                              microseconds(gainOf(each)), why(each)});
        table.heat.push_back(shareOf(report, each.nanoseconds));
    }
    return table;
}

std::string undelegatedSummary(const UndelegatedReport& report) {
    std::string text =
        fmt::format("{}: {} a run, {} delegate{}; {} operator{} outside of them take{} {} ({})\n",
                    core::printable(report.method), readableTime(report.total), report.delegates,
                    report.delegates == 1 ? "" : "s", report.operators, report.operators == 1 ? "" : "s",
                    report.operators == 1 ? "s" : "", readableTime(report.outside()),
                    readablePercent(shareOf(report, report.outside())));
    if (report.all) {
        text += fmt::format("with all that XNNPACK takes in delegates: {}\n", gainText(*report.all));
    } else {
        text += "XNNPACK takes none of them\n";
    }
    return text;
}

std::string undelegatedNotes(const UndelegatedReport& report) {
    return report.unmeasured == 0
               ? std::string()
               : fmt::format("{} more that XNNPACK takes {} not measured: give them --time\n",
                             report.unmeasured, report.unmeasured == 1 ? "was" : "were");
}

Dict undelegatedInfo(const UndelegatedReport& report) {
    List works;
    for (const UndelegatedWork& each : report.works) {
        works.emplace_back(Dict{{"nodes", List(each.nodes.begin(), each.nodes.end())},
                                {"op", each.op},
                                {"module", each.module},
                                {"line", each.line},
                                {"now_us", microseconds(each.nanoseconds)},
                                {"alone_us", microseconds(each.alone)},
                                {"gain", each.gain ? Cell(gainInfo(*each.gain)) : Cell()},
                                {"wanted", List(each.wanted.begin(), each.wanted.end())},
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

}  // namespace et::app
