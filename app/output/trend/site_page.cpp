#include "app/output/trend/site_page.h"

#include "app/output/cells.h"
#include "app/output/report/html.h"
#include "app/output/report/page_assets.h"
#include "app/output/trend/trend_page.h"
#include "inspector/format/svg.h"
#include "inspector/trend/trend_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace et::output {
namespace {

using inspector::Level;
using inspector::Trend;
using inspector::TrendChange;
using inspector::TrendGroup;
using inspector::trendTime;
using inspector::format::Cell;
using inspector::format::Measure;
using inspector::format::Table;
using inspector::format::xmlText;

constexpr std::string_view indexFile = "index.html";

std::string changeText(const std::optional<double>& change) {
    return change ? readableChange(1 + *change) : std::string();
}

/// "convolution.out (2): +310 µs, …"
std::string operatorsText(const TrendGroup& group, const TrendChange& change) {
    constexpr std::size_t maxNamed = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(maxNamed, change.operators.size()); ++i) {
        const inspector::OperatorStep& each = change.operators[i];
        text += fmt::format("{}{}: {}{}", i == 0 ? "" : ", ",
                            core::printable(inspector::text(group.operators[each.index].key)),
                            each.step.difference() < 0 ? "-" : "+",
                            trendTime(std::abs(each.step.difference()), group.cycles));
    }
    return change.operators.size() > maxNamed
               ? fmt::format("{}, {} more", text, change.operators.size() - maxNamed)
               : text;
}

Table changesTable(const Trend& trend) {
    Table table{.columns = {textColumn("since"), textColumn("date"), textColumn("group"), textColumn("total"),
                            textColumn("change"), textColumn("operators")},
                .indexed = false};
    for (const TrendChange& change : trend.changes) {
        constexpr std::size_t day = 10;
        const TrendGroup& group = trend.groupOf(change);
        table.rows.push_back(
            {pointLabel(trend.pointOf(change)),
             core::printable(trend.pointOf(change).measured.substr(0, day)), groupLabel(trend, change.group),
             change.totalMoved ? fmt::format("{} -> {}", trendTime(change.total.before, group.cycles),
                                             trendTime(change.total.after, group.cycles))
                               : std::string("within the threshold"),
             change.totalMoved ? changeText(change.total.change()) : std::string(),
             operatorsText(group, change)});
    }
    std::ranges::reverse(table.rows);  // the latest change is the most interesting one
    return table;
}

/// The operators of a group, with their current level.
Table operatorsTable(const Trend& trend, std::size_t number) {
    const TrendGroup& group = trend.groups[number];
    const Measure time = group.cycles ? Measure::Cycles : Measure::Nanoseconds;
    Table table{
        .columns = {textColumn("operator"), textColumn("kind"), numberColumn("first", "first level", time),
                    numberColumn("now", time), textColumn("change", "last change"), textColumn("since")},
        .indexed = false};
    for (std::size_t i = 0; i < group.operators.size(); ++i) {
        const std::vector<Level> levels = levelsOf(trend, number, i);
        if (levels.empty()) {
            continue;
        }
        const inspector::TrackedOperator& key = group.operators[i].key;
        std::vector<Cell> row{core::printable(inspector::text(key)),
                              std::string(inspector::name(key.kind)),
                              levels.front().time,
                              levels.back().time,
                              Cell(),
                              Cell()};
        if (levels.size() > 1 && levels[levels.size() - 2].time > 0) {
            row[4] = readableChange(levels.back().time / levels[levels.size() - 2].time);
            row[5] = pointLabel(group.points[levels.back().from]);
        }
        table.rows.push_back(std::move(row));
    }
    constexpr std::size_t maxRows = 200;
    std::ranges::stable_sort(table.rows, std::ranges::greater{},
                             [](const std::vector<Cell>& row) { return std::get<double>(row[3]); });
    table.rows.resize(std::min(table.rows.size(), maxRows));
    return table;
}

std::string trendsBody(const Trend& trend) {
    std::string body;
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        const TrendGroup& group = trend.groups[i];
        body += fmt::format("<h3>{} · {}</h3>\n<div class=\"trend\" data-group=\"{}\"></div>\n",
                            xmlText(groupLabel(trend, i)),
                            xmlText(trendTime(levelsOf(trend, i).back().time, group.cycles)), i);
        if (group.leftOut > 0) {
            body += htmlParagraph(fmt::format("{} older points are not shown", group.leftOut), "faint");
        }
    }
    // Shows a static picture without JavaScript.
    return body + "<div class=\"still\">" + trendPicture(trend) + "</div>\n";
}

}  // namespace

std::vector<std::string> siteFiles(std::span<const std::string> models) {
    std::set<std::string> taken{std::string(indexFile)};
    std::vector<std::string> files;
    for (const std::string& model : models) {
        constexpr std::size_t longest = 80;
        std::string stem;
        for (const char letter : model.substr(0, longest)) {
            const bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                                 (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                                 (letter == '.' && !stem.empty());
            stem += isPlain ? letter : '_';
        }
        stem = stem.empty() ? "_" : stem;
        std::string file = stem + ".html";
        // File servers may be case-insensitive.
        const auto lower = [](std::string name) {
            std::ranges::transform(name, name.begin(),
                                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
            return name;
        };
        for (std::size_t number = 2; !taken.insert(lower(file)).second; ++number) {
            file = fmt::format("{}-{}.html", stem, number);
        }
        files.push_back(std::move(file));
    }
    return files;
}

SiteEntry siteEntry(const Trend& trend, std::string file) {
    SiteEntry entry{.model = trend.model, .file = std::move(file), .latest = {}};
    entry.isSlower = trend.slower();
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        const TrendGroup& group = trend.groups[i];
        for (const inspector::TrendPoint& point : group.points) {
            entry.measurements += point.measurements;
            entry.latest = std::max(entry.latest, point.measured);
        }
        const std::vector<Level> levels = levelsOf(trend, i);
        if (levels.size() > 1) {
            const double before = levels[levels.size() - 2].time;
            entry.changes.push_back(fmt::format(
                "{}: {} since {}, {}", groupLabel(trend, i),
                levels.back().time > before ? "slower" : "faster",
                pointLabel(group.points[levels.back().from]),
                before > 0 ? readableChange(levels.back().time / before) : std::string("from 0")));
        }
    }
    return entry;
}

std::string siteIndex(std::span<const SiteEntry> entries) {
    std::vector<const SiteEntry*> order;
    for (const SiteEntry& each : entries) {
        order.push_back(&each);
    }
    std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return a->isSlower && !b->isSlower; });
    std::string body;
    for (const SiteEntry* const each : order) {
        constexpr std::size_t day = 10;
        body += fmt::format("<h3><a href=\"{}\">{}</a></h3>\n", xmlText(each->file),
                            xmlText(core::printable(each->model)));
        body += htmlParagraph(
            fmt::format("{} measurement{}, the last of {}", each->measurements,
                        each->measurements == 1 ? "" : "s", core::printable(each->latest.substr(0, day))),
            "faint");
        for (const std::string& change : each->changes) {
            body += htmlParagraph(change, change.contains(": slower since ") ? "warn" : "good");
        }
    }
    if (entries.empty()) {
        body = htmlParagraph("The store contains no measurements.");
    }
    return htmlPage({.title = "Trends",
                     .body = "<header><h1>Trends</h1></header>\n<main>\n" +
                             htmlSection("models", "Models", body) + "</main>\n",
                     .data = {},
                     .script = trendScript()});
}

std::string sitePage(const Trend& trend) {
    std::string body = htmlSection("trends", "Trends", trendsBody(trend));
    body +=
        htmlSection("changes", "Changes",
                    trend.changes.empty() ? htmlParagraph("None.", "faint") : htmlTable(changesTable(trend)));
    std::string operators;
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        const Table table = operatorsTable(trend, i);
        operators += table.rows.empty() ? std::string()
                                        : fmt::format("<h3>{}</h3>\n", xmlText(groupLabel(trend, i))) +
                                              htmlTable(table, "now");
    }
    body += operators.empty() ? operators : htmlSection("operators", "Operators", operators);
    const std::string title = core::printable(trend.model);
    return htmlPage(
        {.title = title,
         .body = fmt::format("<header><h1>{}</h1>\n<nav aria-label=\"Parts\"><a href=\"{}\">All models</a>"
                             "<a href=\"#trends\">Trends</a><a href=\"#changes\">Changes</a></nav></header>\n"
                             "<main>\n{}</main>\n",
                             xmlText(title), indexFile, body),
         .data = siteData(trend),
         .script = trendScript()});
}

}  // namespace et::output
