#include "app/pages/report/html.h"

#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::cellNumber;
using inspector::report::Column;
using inspector::report::Table;
using inspector::report::xmlText;

constexpr std::string_view style = R"css(
:root{color-scheme:light dark;--ink:#1f2328;--faint:#656d76;--line:#d0d7de;--soft:#f6f8fa;--bar:#b6d4fe;--warn:#9a3412;--good:#116329}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--faint:#8d96a0;--line:#3d444d;--soft:#161b22;--bar:#1f4a80;--warn:#ffb086;--good:#7ee2a8}body{background:#0d1117}}
body{font:14px/1.45 system-ui,"DejaVu Sans",sans-serif;color:var(--ink);max-width:1200px;margin:0 auto;padding:24px}
h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 8px;border-bottom:1px solid var(--line);padding-bottom:4px}
h3{font-size:14px;margin:16px 0 4px}p{margin:4px 0 8px}.faint{color:var(--faint)}.warn{color:var(--warn)}.good{color:var(--good)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}th,td{padding:3px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{cursor:pointer;white-space:nowrap;background:var(--soft);position:sticky;top:0}th[data-way="1"]::after{content:" \25B4"}th[data-way="-1"]::after{content:" \25BE"}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td{overflow-wrap:anywhere}
td.b{background-repeat:no-repeat;background-image:linear-gradient(var(--bar),var(--bar))}
svg{max-width:100%;height:auto}ol li{margin-bottom:8px}dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:8px 0}dt{color:var(--faint)}dd{margin:0}
nav a{margin-right:14px}a{color:inherit}
@media print{body{max-width:none;padding:0}th{position:static}h2{break-after:avoid}tr,svg{break-inside:avoid}nav{display:none}}
)css";

/// Sorts a table by the column whose heading is clicked: numbers by what they are exactly, texts as the
/// language does; cells without a value come last either way.
constexpr std::string_view script = R"js(
document.querySelectorAll('th').forEach(th=>{th.tabIndex=0;const sort=()=>{const table=th.closest('table'),body=table.tBodies[0],at=th.cellIndex,
way=th.dataset.way?-th.dataset.way:(th.className==='n'?-1:1);table.querySelectorAll('th').forEach(o=>delete o.dataset.way);th.dataset.way=way;
const key=r=>{const c=r.cells[at];return c.dataset.v!==undefined?+c.dataset.v:(c.textContent===''?null:c.textContent)};
[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);if(x===null||y===null)return (x===null)-(y===null);
return way*(typeof x==='number'&&typeof y==='number'?x-y:String(x).localeCompare(String(y)))}).forEach(r=>body.append(r))};
th.addEventListener('click',sort);th.addEventListener('keydown',e=>{if(e.key==='Enter')sort()})})
)js";

double largest(const Table& table, std::size_t column) {
    double max = 0;
    for (const auto& row : table.rows) {
        max = std::max(max, cellNumber(row[column]).value_or(0));
    }
    return max;
}

std::string numberCell(const Cell& cell, const Column& column, double max) {
    const double number = *cellNumber(cell);
    const bool whole = std::holds_alternative<std::int64_t>(cell);
    const std::string shown = column.measure != inspector::report::Measure::None
                                  ? inspector::report::readable(number, column.measure)
                              : whole ? fmt::format("{}", std::get<std::int64_t>(cell))
                                      : fmt::format("{:.5g}", number);
    const std::string exact = std::isfinite(number) ? fmt::format(" data-v=\"{}\"", number) : std::string();
    if (max <= 0 || !std::isfinite(number) || number <= 0) {
        return fmt::format("<td class=\"n\"{}>{}</td>", exact, shown);
    }
    return fmt::format("<td class=\"n b\"{} style=\"background-size:{:.1f}% 100%\">{}</td>", exact,
                       100 * number / max, shown);
}

std::string cellHtml(const Table& table, const std::vector<Cell>& row, std::size_t column, double max) {
    if (cellNumber(row[column])) {
        return numberCell(row[column], table.columns[column], max);
    }
    return fmt::format("<td{}>{}</td>", table.columns[column].numeric ? " class=\"n\"" : "",
                       xmlText(inspector::report::cellText(row[column], table.columns[column])));
}

}  // namespace

std::string htmlSection(std::string_view id, std::string_view title, std::string_view body) {
    return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, xmlText(title), body);
}

std::string htmlParagraph(std::string_view text, std::string_view className) {
    return fmt::format("<p{}>{}</p>\n", className.empty() ? "" : fmt::format(" class=\"{}\"", className),
                       xmlText(text));
}

std::string htmlTable(const Table& table, std::string_view bars) {
    std::string out = "<div class=\"scroll\"><table>\n<thead><tr>";
    std::vector<double> max(table.columns.size(), 0);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        max[i] = column.id == bars ? largest(table, i) : 0;
        out += fmt::format("<th{}>{}</th>", column.numeric ? " class=\"n\"" : "", xmlText(column.header));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += cellHtml(table, row, i, max[i]);
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string htmlPage(std::string_view title, std::string_view body) {
    // The policy keeps a page that shows names of strange files from loading or running anything of theirs.
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n</head>\n"
        "<body>\n{}<script>{}</script>\n</body>\n</html>\n",
        xmlText(title), style, body, script);
}

}  // namespace et::app
