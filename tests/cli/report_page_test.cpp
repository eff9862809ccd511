#include "app/pages/report/report_page.h"

#include "backends/builtin.h"
#include "etdump/writer.h"
#include "inspector/store/session_store.h"
#include "tests/inspector/store/session_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <string>
#include <vector>

// The page of et-inspect report: complete, self-contained, and safe whatever the files say.
namespace et::app {
namespace {

using inspector::Session;

/// Of a case of the sample's bundle that failed.
std::span<const bundled_program::CaseReport> verdicts() {
    static const std::vector<bundled_program::CaseReport> one{{.method = "forward",
                                                               .index = 0,
                                                               .verdict = bundled_program::Verdict::Fail,
                                                               .message = "<script>alert('verdict')</script>",
                                                               .outputs = {}}};
    return one;
}

std::string pageOf(const Session& session, std::string title = "t", std::size_t top = 200) {
    const auto tables =
        inspector::store::sessionDatabase(session, {.backends = backends::describable(),
                                                    .verdicts = verdicts(),
                                                    .notes = {{.text = "<script>alert('note')</script>"}}});
    EXPECT_TRUE(tables) << tables.error().toString();
    const auto page =
        reportPage({.session = session, .tables = **tables, .title = std::move(title), .top = top});
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

/// A trace of one run whose operator has this name.
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

TEST(ReportPage, HasAPartForEachThingThatIsKnown) {
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

TEST(ReportPage, NamesAreTextWhateverTheySay) {
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

TEST(ReportPage, LongTablesAreCutAndSaySo) {
    const test::ScratchFolder folder;
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) {
        names.push_back("native_call_op" + std::to_string(i) + ".out");
    }
    const std::string page = pageOf(*traceOf(folder, names), "t", 10);
    EXPECT_EQ(count(page, "The first 10 rows; there are more."), 1U);
    EXPECT_EQ(count(pageOf(*traceOf(folder, names)), "there are more"), 0U);
}

}  // namespace
}  // namespace et::app
