#include "app/output/report/report_page.h"

#include "backends/builtin.h"
#include "etdump/writer.h"
#include "inspector/roofline/roofline_points.h"
#include "inspector/roofline/trace_limits.h"
#include "inspector/store/session_store.h"
#include "tests/inspector/store/session_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Tests that the page of et-inspect report is complete, self-contained, and safe for any file contents.
namespace et::output {
namespace {

using inspector::Session;

/// Verdicts of a failed case of the sample's bundle.
std::span<const bundled_program::CaseReport> verdicts() {
    static const std::vector<bundled_program::CaseReport> one{{.method = "forward",
                                                               .index = 0,
                                                               .verdict = bundled_program::Verdict::Fail,
                                                               .message = "<script>alert('verdict')</script>",
                                                               .outputs = {}}};
    return one;
}

/// Optional contents of a page in addition to the session's own tables.
struct Extras {
    const PageSizes* sizes = nullptr;
    const PageMachine* machine = nullptr;
};

std::string pageOf(const Session& session, std::string title = "t", std::size_t top = 200,
                   const Extras& extras = {}) {
    const auto tables =
        inspector::store::sessionDatabase(session, {.backends = backends::describable(),
                                                    .verdicts = verdicts(),
                                                    .notes = {{.text = "<script>alert('note')</script>"}}});
    EXPECT_TRUE(tables) << tables.error().toString();
    const auto page = reportPage({.session = session,
                                  .tables = **tables,
                                  .title = std::move(title),
                                  .top = top,
                                  .sizes = extras.sizes,
                                  .machine = extras.machine});
    EXPECT_TRUE(page) << page.error().toString();
    return *page;
}

std::size_t count(const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++found;
    }
    return found;
}

/// Builds a trace of one run whose operator has this name.
std::shared_ptr<const Session> traceOf(const test::ScratchFolder& folder,
                                       const std::vector<std::string>& names) {
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < 3; ++run) {
        writer.beginRun("Execute");
        std::uint64_t now = run * 1'000'000;
        const std::uint64_t start = now;
        for (std::size_t i = 0; i < names.size(); ++i) {
            writer.profile(names[i], {.instruction = static_cast<std::int32_t>(i), .chain = 0}, now,
                           now + 1000);
            now += 1000;
        }
        writer.profile("Method::execute", {.instruction = 0}, start, now);
    }
    const auto bytes = writer.finish().value();
    const auto path = folder.path() / "t.etdp";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return Session::open({.trace = path, .record = {}, .debugBuffer = {}}).value();
}

TEST(ReportPage, HasASectionForEachInput) {
    const test::ScratchFolder folder;
    const std::string page = pageOf(*test::sampleSession(folder.path()));
    for (const char* part :
         {"files", "figures", "operators", "timeline", "memory", "verdicts", "tests", "notes"}) {
        EXPECT_EQ(count(page, "<section id=\"" + std::string(part) + "\">"), 1U) << part;
        EXPECT_EQ(count(page, "href=\"#" + std::string(part) + "\""), 1U) << part;
    }
    EXPECT_EQ(count(page, "<section id=\"gap\">"), 0U) << "nothing calculated it";
    EXPECT_EQ(count(page, "<svg"), 2U) << "timeline and memory";
    EXPECT_EQ(count(page, "<script>alert"), 0U);
    EXPECT_EQ(count(page, "alert('verdict')") + count(page, "alert(&apos;verdict") +
                  count(page, "alert(&#39;verdict"),
              1U)
        << "as text";
}

TEST(ReportPage, CountsAreColumnsOfOperators) {
    const test::ScratchFolder folder;
    const auto plain = traceOf(folder, {"native_call_add.out", "native_call_mul.out"});
    EXPECT_EQ(count(pageOf(*plain), "page faults"), 0U);
    const inspector::TraceMark mark = inspector::markOf(*plain->trace);
    std::ofstream(inspector::InstructionCounts::fileOf(plain->files.trace))
        << R"({"schema": 1, "method": "forward", "trace": {"events": )" << mark.events
        << R"(, "first_start": )" << mark.firstStart
        << R"(}, "instructions": [{"chain": 0, "instruction": 1, "page_faults": 4711}]})";
    const auto counted = Session::open(plain->files);
    ASSERT_TRUE(counted) << counted.error().toString();
    const std::string page = pageOf(**counted);
    EXPECT_EQ(count(page, "page faults"), 1U);
    EXPECT_EQ(count(page, "4711"), 2U) << "what is shown, and what it sorts by";
    EXPECT_EQ(count(page, "branch misses"), 0U) << "nothing counted them";
}

TEST(ReportPage, NeedsNothingFromOutside) {
    const test::ScratchFolder folder;
    const std::string page = pageOf(*test::sampleSession(folder.path()));
    EXPECT_EQ(count(page, "src="), 0U);
    EXPECT_EQ(count(page, "@import"), 0U);
    EXPECT_EQ(count(page, "url("), 0U);
    EXPECT_EQ(count(page, "http"), count(page, "http-equiv") + count(page, "\"http://www.w3.org/2000/svg\""));
    EXPECT_EQ(count(page, "<script"), 2U) << "its own, and its data";
    EXPECT_EQ(count(page, "default-src 'none'"), 1U);
}

TEST(ReportPage, EscapesNames) {
    const test::ScratchFolder folder;
    const std::string evil = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";
    const std::string page =
        pageOf(*traceOf(folder, {evil, "native_call_add.out"}), "</title><script>alert(2)</script>");
    EXPECT_EQ(count(page, "<script"), 2U) << "its own, and its data";
    EXPECT_EQ(count(page, "<img"), 0U);
    EXPECT_GE(count(page, "&lt;script&gt;alert(1)"), 2U) << "in the table and in the picture";
    EXPECT_EQ(count(page, "&lt;script&gt;alert(&apos;note&apos;)") +
                  count(page, "&lt;script&gt;alert('note')") +
                  count(page, "&lt;script&gt;alert(&#39;note&#39;)"),
              1U);
}

TEST(ReportPage, OperatorsHaveReadableNames) {
    const test::ScratchFolder folder;
    const std::string page = pageOf(*traceOf(folder, {"native_call_addmm.out"}));
    EXPECT_EQ(count(page, "<td>linear</td>"), 1U);
    EXPECT_EQ(count(page, "<td>native_call_addmm.out</td>"), 1U) << "the trace's own name beside it";
    EXPECT_GE(count(page, "<td>Inference</td>"), 1U);
    EXPECT_EQ(count(page, "<code>linear</code> takes"), 1U) << "in the findings, without their backticks";
}

TEST(ReportPage, EveryByteIsOnAMap) {
    const test::ScratchFolder folder;
    const auto session = test::sampleSession(folder.path());
    PageSizes sizes{.map = inspector::makeSizeMap({.program = session->program,
                                                   .bundle = session->bundle,
                                                   .record = session->recordOfProgram(),
                                                   .backends = backends::describable()})
                               .value(),
                    .duplicates = {}};
    const std::string page = pageOf(*session, "t", 200, {.sizes = &sizes});
    EXPECT_EQ(count(page, "<section id=\"size\">"), 1U);
    EXPECT_EQ(count(page, "<svg"), 3U) << "timeline, memory and sizes";
    EXPECT_EQ(count(page, "<g class=\"piece\""),
              static_cast<std::size_t>(std::ranges::count_if(
                  sizes.map.pieces, [](const inspector::SizePiece& piece) { return piece.bytes > 0; })))
        << "each piece has a place";
    EXPECT_GE(count(page, "<g class=\"piece\" data-i=\""), 1U) << "and says who reads it";
    EXPECT_EQ(count(page, "<h3>Duplicates"), 0U);

    // Names come from files.
    sizes.map.missing = {"<script>alert(3)</script>"};
    sizes.duplicates = {{.bytes = 8, .pieces = {0, 1}}, {.bytes = 4, .pieces = {0, 1}}};
    sizes.map.pieces[0].tensor = "<script>alert(4)</script>";
    const std::string more = pageOf(*session, "t", 1, {.sizes = &sizes});
    EXPECT_EQ(count(more, "<script"), 2U);
    EXPECT_EQ(count(more, "Not counted: 1 tensor missing from these files: &lt;script&gt;alert(3)"), 1U);
    EXPECT_GE(count(more, "&lt;script&gt;alert(4)"), 1U);
    EXPECT_EQ(count(more, "The first 1 groups of 2."), 1U);
}

TEST(ReportPage, OperatorsLieBelowTheRoofline) {
    const test::ScratchFolder folder;
    const auto session = test::sampleSession(folder.path());
    PageMachine machine;
    machine.machine.machine.cpu = "<b>cpu</b>";
    machine.machine.peaks = {
        {.arithmetic = inspector::Arithmetic::Fp32, .how = {}, .threads = 1, .gigaops = 100}};
    machine.machine.bandwidths = {
        {.level = "memory", .capacity = 0, .threads = 1, .read = 10, .copy = 9, .add = 8}};
    EXPECT_EQ(count(pageOf(*session, "t", 200, {.machine = &machine}), "<section id=\"roofline\">"), 0U)
        << "nobody knows what the events have to do";
    machine.events = std::make_shared<const inspector::events::EventLimits>(inspector::eventLimits(
        *session->blocks,
        {.program = *session->program, .backends = backends::describable(), .machine = &machine.machine}));
    const std::string page = pageOf(*session, "t", 200, {.machine = &machine});
    EXPECT_EQ(count(page, "<section id=\"roofline\">"), 1U);
    EXPECT_EQ(count(page, "below the limits of &lt;b&gt;cpu&lt;/b&gt; with 1 thread"), 1U);
    const auto points = inspector::rooflinePoints(*session->blocks, *machine.events);
    EXPECT_GT(points.size(), 3U);
    EXPECT_EQ(count(page, "<g class=\"operator\" data-e=\""),
              static_cast<std::size_t>(std::ranges::count_if(points, &inspector::RooflinePoint::hasPlace)));
    EXPECT_EQ(count(pageOf(*session, "t", 2, {.machine = &machine}),
                    "The first 2 operators of " + std::to_string(points.size())),
              1U);
}

TEST(ReportPage, LongTablesAreTruncatedWithANotice) {
    const test::ScratchFolder folder;
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) {
        names.push_back("native_call_op" + std::to_string(i) + ".out");
    }
    const std::string page = pageOf(*traceOf(folder, names), "t", 10);
    EXPECT_EQ(count(page, "The first 10 of 41 rows."), 1U);
    EXPECT_EQ(count(pageOf(*traceOf(folder, names)), "there are more"), 0U);
}

}  // namespace
}  // namespace et::output
