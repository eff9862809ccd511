#include "app/output/report/report_page.h"

#include "app/output/cells.h"
#include "app/output/report/gap_picture.h"
#include "app/output/report/html.h"
#include "app/output/report/page_assets.h"
#include "app/output/report/page_changes.h"
#include "app/output/report/page_data.h"
#include "app/output/report/page_memory.h"
#include "app/output/report/page_operators.h"
#include "app/output/report/timeline_picture.h"
#include "inspector/findings/summary.h"
#include "inspector/format/svg.h"
#include "inspector/store/query.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using core::Result;
using inspector::format::xmlText;

/// Builds the sections of a page; a section is empty if the session has no data for it.
class ReportPage {
  public:
    explicit ReportPage(const ReportSources& from)
        : sources(from), summary(inspector::summarize(from.session)) {}

    Result<std::string> make() {
        ET_ASSIGN(planned, PageMemory::of(sources.session));
        std::string body;
        for (const Part& part : parts) {
            ET_ASSIGN(const std::string content, (this->*part.make)());
            if (!content.empty()) {
                links += fmt::format("<a href=\"#{}\">{}</a>", part.id, part.title);
                body += htmlSection(part.id, part.title, content);
            }
        }
        return htmlPage(
            {.title = sources.title,
             .body = fmt::format("<header><h1>{}</h1>\n<nav aria-label=\"Parts\">{}</nav></header>\n"
                                 "<main>\n{}</main>\n",
                                 xmlText(sources.title), links, body),
             .data = pageData(sources.session),
             .script = pageScript()});
    }

  private:
    using Maker = Result<std::string> (ReportPage::*)();
    struct Part {
        std::string_view id;
        std::string_view title;
        Maker make;
    };
    static const std::array<Part, 16> parts;

    /// Returns at most `max` rows of a query, and whether there are more.
    Result<inspector::store::QueryResult> rows(std::string_view sql, std::size_t max) {
        inspector::store::QueryResult found;
        ET_TRY(inspector::store::runQueries(sources.tables, sql, {.maxRows = max},
                                            [&](inspector::store::QueryResult answer) {
                                                found = std::move(answer);
                                                return Result<>();
                                            }));
        return found;
    }

    /// Sets the units of the queries' columns by their names.
    void setMeasures(Table& table) const {
        constexpr std::array times{"p50", "p90", "self"};
        constexpr std::array sizes{"bytes", "payload_bytes", "weights", "packed_weights", "workspace"};
        const Measure time = sources.session.blocks == nullptr
                                 ? Measure::None
                                 : measureOf(sources.session.blocks->options().target);
        for (Column& column : table.columns) {
            column.measure = std::ranges::contains(times, column.id)   ? time
                             : std::ranges::contains(sizes, column.id) ? Measure::Bytes
                                                                       : Measure::None;
        }
    }

    /// Returns the rows of a query as a table with a note on omitted rows; empty if there are none.
    Result<std::string> table(std::string_view sql, std::string_view bars = {}) {
        ET_ASSIGN(inspector::store::QueryResult found, rows(sql, sources.top));
        return shown(found, bars);
    }

    std::string shown(inspector::store::QueryResult& found, std::string_view bars = {}) const {
        if (found.table.rows.empty()) {
            return {};
        }
        setMeasures(found.table);
        std::string out = htmlTable(found.table, bars);
        if (!found.complete) {
            out += htmlParagraph(fmt::format("The first {} rows; there are more.", sources.top), "faint");
        }
        return out;
    }

    static std::string leftOutText(std::size_t shown, std::size_t all) {
        return shown == all ? std::string()
                            : htmlParagraph(fmt::format("The first {} of {} rows.", shown, all), "faint");
    }

    /// Removes the folders of the session's files from a text, to keep local paths private.
    [[nodiscard]] std::string withoutFolders(std::string text) const {
        for (const inspector::FileBelonging& file : summary.files) {
            const std::string path = core::printable(file.path.string());
            const std::string name = core::printable(file.path.filename().string());
            for (std::size_t at = text.find(path); path != name && at != std::string::npos;
                 at = text.find(path, at + name.size())) {
                text.replace(at, path.size(), name);
            }
        }
        return text;
    }

    Result<std::string> files() {
        std::string out;
        for (const inspector::FileBelonging& file : summary.files) {
            const bool fits = file.contradictions.empty();
            out +=
                fmt::format("<dt>{}</dt><dd>{}", xmlText(file.kind), xmlText(file.path.filename().string()));
            if (fits && !file.agreesWith.empty()) {
                out += fmt::format(" <span class=\"good\">agrees with {}</span>",
                                   xmlText(fmt::format("{}", fmt::join(file.agreesWith, ", "))));
            }
            for (const std::string& wrong : file.contradictions) {
                out += fmt::format("<br><span class=\"warn\">{}</span>", xmlText(withoutFolders(wrong)));
            }
            out += "</dd>\n";
        }
        out = out.empty() ? out : fmt::format("<dl>\n{}</dl>\n", out);
        for (const std::string& warning : summary.warnings) {
            out += htmlParagraph(withoutFolders(warning), "warn");
        }
        return out;
    }

    Result<std::string> figures() {
        std::string out;
        for (const inspector::KeyFigure& figure : summary.figures) {
            out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xmlText(figure.label), xmlText(figure.text));
        }
        return out.empty() ? out : fmt::format("<dl>\n{}</dl>\n", out);
    }

    /// The link target of a finding.
    static std::string linkOf(const inspector::Finding& finding) {
        std::string out;
        if (!finding.instructions.empty()) {
            out += fmt::format(" data-i=\"{}\"", fmt::join(numbersOf(finding.instructions), ","));
        }
        if (!finding.handles.empty()) {
            out += fmt::format(" data-h=\"{}\"", fmt::join(numbersOf(finding.handles), ","));
        }
        return out;
    }

    Result<std::string> findings() {
        constexpr std::size_t atOnce = 5;
        constexpr std::size_t max = 20;
        const std::span<const inspector::Finding> all = summary.findings;
        const auto first = all.first(std::min(all.size(), atOnce));
        const auto more = all.subspan(first.size(), std::min(all.size(), max) - first.size());
        std::string out = first.empty() ? std::string() : fmt::format("<ol>\n{}</ol>\n", listOf(first));
        if (!more.empty()) {
            out += fmt::format("<details><summary>{} more</summary><ol start=\"{}\">\n{}</ol></details>\n",
                               more.size(), first.size() + 1, listOf(more));
        }
        return out;
    }

    [[nodiscard]] std::string listOf(std::span<const inspector::Finding> findings) const {
        std::string out;
        for (const inspector::Finding& finding : findings) {
            const std::string weight = inspector::weightText(finding);
            out += fmt::format("<li{}><b>{}</b>{}<br>{}<br><span class=\"faint\">rule {}{}</span></li>\n",
                               linkOf(finding), htmlProse(withoutFolders(finding.title)),
                               weight.empty() ? "" : " · " + xmlText(weight),
                               htmlProse(withoutFolders(finding.explanation)), xmlText(finding.rule),
                               finding.method.empty() ? "" : ", method " + xmlText(finding.method));
        }
        return out;
    }

    Result<std::string> operators() {
        Table all = operatorTable(sources.session);
        const std::size_t count = all.rows.size();
        all.rows.resize(std::min(count, sources.top));
        return all.rows.empty()
                   ? std::string()
                   : htmlTable(all, "self", longestSelf(all)) + leftOutText(all.rows.size(), count);
    }

    Result<std::string> timeline() {
        if (sources.session.blocks == nullptr) {
            return std::string();
        }
        const auto picture = timelinePicture(*sources.session.blocks);
        if (!picture) {
            return std::string();
        }
        std::string said =
            fmt::format("Run {}, the median of its kind: {} events", picture->run, picture->events);
        if (picture->drawn < picture->events) {
            said += fmt::format(", of which {} are long enough to be drawn", picture->drawn);
        }
        return "<div class=\"still\">" + htmlParagraph(said + ".", "faint") + picture->svg + "</div>\n";
    }

    /// Time of the main trace by module, as an average run: without nested events. (Medians do not add up.)
    Result<std::string> modules() {
        return table(
            "SELECT coalesce(e.module, '') AS module, count(*) AS events, "
            "round(sum(e.self) / max(b.runs), 9) + 0.0 AS self FROM events e JOIN blocks b USING (block) "
            "WHERE b.trace = 0 AND e.samples > 0 AND e.module IS NOT NULL AND e.module <> '' "
            "GROUP BY e.module ORDER BY 3 DESC",
            "self");
    }

    /// Operators of the graph that the script draws, with their number of occurrences.
    Result<std::string> graph() {
        ET_ASSIGN(
            const std::string found,
            table("SELECT g.kind || ': ' || g.method AS graph, n.operator, count(*) AS nodes FROM nodes n "
                  "JOIN graphs g USING (graph) GROUP BY g.graph, n.operator ORDER BY g.graph, 3 DESC"));
        return found.empty() ? found
                             : "<details class=\"still\"><summary>Operators by graph</summary>" + found +
                                   "</details>\n";
    }

    Result<std::string> changes() {
        const PageChanges found = pageChanges(sources.session, sources.top);
        std::string out = found.text.empty() ? std::string() : htmlParagraph(found.text);
        return found.rows.rows.empty() ? out : out + htmlTable(found.rows);
    }

    Result<std::string> memory() {
        constexpr std::size_t mostTensors = 20;
        const Table largest = planned.largest(mostTensors);
        ET_ASSIGN(const std::string used, measured());
        return planned.picture() + (largest.rows.empty() ? std::string() : htmlTable(largest, "bytes")) +
               (used.empty() ? used : "<h3>Allocated while running</h3>\n" + used);
    }

    Result<std::string> roofline() {
        return sources.machine == nullptr || sources.session.blocks == nullptr
                   ? std::string()
                   : pageRoofline(*sources.session.blocks, *sources.machine, sources.top);
    }

    Result<std::string> sizes() {
        return sources.sizes == nullptr ? std::string() : pageSizes(*sources.sizes, sources.top);
    }

    Result<std::string> delegates() {
        ET_ASSIGN(inspector::store::QueryResult found,
                  rows(taken + "SELECT d.method, d.delegate, d.backend, d.payload_bytes, p.bytes AS "
                               "packed_weights, w.bytes AS workspace, d.format, d.calls, d.nodes, d.note "
                               "FROM delegates d LEFT JOIN taken p "
                               "ON p.allocator = d.method || ': packed weights of delegate ' || d.delegate "
                               "LEFT JOIN taken w "
                               "ON w.allocator = d.method || ': workspace of delegate ' || d.delegate "
                               "ORDER BY d.payload_bytes DESC",
                       sources.top));
        planned.addWeights(found.table);
        return shown(found);
    }

    /// Memory use recorded in the trace.
    Result<std::string> measured() {
        return table(taken + "SELECT allocator, bytes, allocations FROM taken ORDER BY bytes DESC", "bytes");
    }

    /// Begins a query on the memory of each allocator in the session's main trace; additional traces are
    /// other runs.
    inline static const std::string taken =
        "WITH taken AS (SELECT allocator, sum(bytes) AS bytes, count(*) AS allocations FROM allocations "
        "JOIN runs USING (run) WHERE trace = 0 GROUP BY allocator) ";

    Result<std::string> gap() {
        constexpr std::size_t maxDots = 20'000;
        ET_ASSIGN(const inspector::store::QueryResult dots,
                  rows("SELECT row, runtime_ops, max_abs, diverges FROM gap ORDER BY row, output", maxDots));
        ET_ASSIGN(
            const std::string worst,
            table("SELECT row, runtime_ops, reference_ops, backend, module, max_abs, mse, snr, own_error, "
                  "inherited_error, diverges, reason, (SELECT group_concat(DISTINCT debug_handle) FROM "
                  "gap_handles h "
                  "WHERE h.row = gap.row) AS \"#h\" FROM gap ORDER BY diverges DESC, max_abs DESC",
                  "max_abs"));
        return worst.empty() ? worst : gapPicture(dots.table) + worst;
    }

    /// Every output of the cases that ran; for a case without outputs, the case.
    Result<std::string> verdicts() {
        return table(
            "SELECT v.method, v.test_case, o.output, v.verdict, o.type, o.mismatches, o.max_abs, o.max_rel, "
            "o.rtol, o.atol, coalesce(o.message, v.message) AS message FROM verdicts v LEFT JOIN "
            "verdict_outputs o USING (method, test_case) ORDER BY v.rowid, o.output");
    }

    Result<std::string> tests() {
        return table(
            "SELECT t.method, t.test_case, v.direction, v.position, v.type, v.dtype, v.shape, v.bytes FROM "
            "tests t JOIN test_values v USING (method, test_case)");
    }

    Result<std::string> notes() {
        return table(
            "SELECT created, method, instruction, delegated, debug_handle, text, "
            "instruction AS \"#i\", debug_handle AS \"#h\", delegated AS \"#n\" FROM notes ORDER BY note");
    }

    const ReportSources& sources;
    inspector::Summary summary;
    PageMemory planned;
    std::string links;
};

const std::array<ReportPage::Part, 16> ReportPage::parts{
    Part{"files", "Files", &ReportPage::files},
    Part{"figures", "Key figures", &ReportPage::figures},
    Part{"findings", "Findings", &ReportPage::findings},
    Part{"changes", "Comparison", &ReportPage::changes},
    Part{"timeline", "Timeline", &ReportPage::timeline},
    Part{"modules", "Time by module", &ReportPage::modules},
    Part{"operators", "Operators", &ReportPage::operators},
    Part{"roofline", "Roofline", &ReportPage::roofline},
    Part{"graph", "Graph", &ReportPage::graph},
    Part{"memory", "Memory", &ReportPage::memory},
    Part{"size", "Size", &ReportPage::sizes},
    Part{"delegates", "Delegates", &ReportPage::delegates},
    Part{"gap", "Numeric gap", &ReportPage::gap},
    Part{"verdicts", "Test results", &ReportPage::verdicts},
    Part{"tests", "Tests", &ReportPage::tests},
    Part{"notes", "Notes", &ReportPage::notes},
};

}  // namespace

Result<std::string> reportPage(const ReportSources& sources) {
    return ReportPage(sources).make();
}

}  // namespace et::output
