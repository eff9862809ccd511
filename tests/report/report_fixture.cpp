#include "tests/report/report_fixture.h"

#include "etdump/writer.h"
#include "tests/cli/process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace et::test {

namespace fs = std::filesystem;
using testing::IsEmpty;

void ReportBrowser::SetUp() {
    const auto program = Browser::program();
    if (!program) {
        GTEST_SKIP() << "there is no chromium here; the build environment (tools/env) has one";
    }
    browser = std::make_unique<Browser>(*program);
}

fs::path ReportBrowser::pageOf(const std::string& arguments) {
    const Outcome made = runShell("et-inspect report " + arguments + " -o page.html",
                                  {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(made.code, 0) << made.err;
    return folder.path() / "page.html";
}

void ReportBrowser::expectQuiet() {
    EXPECT_THAT(browser->complaints(), IsEmpty());
    EXPECT_THAT(browser->requests(), IsEmpty());
}

std::string ReportBrowser::ask(std::string_view expression) const {
    return browser->evaluate(expression);
}

void ReportBrowser::clickOn(const std::string& selector) {
    const std::string place = ask(fmt::format(
        "(() => {{ const e = document.querySelector({0}); e.scrollIntoView({{block: 'center'}}); "
        "const b = e.getBoundingClientRect(); return (b.left + b.width / 2) + ' ' + (b.top + b.height / "
        "2); }})()",
        selector));
    double x = 0;
    double y = 0;
    ASSERT_EQ(std::sscanf(place.c_str(), "\"%lf %lf", &x, &y), 2) << selector << ": " << place;
    browser->click(x, y);
}

void ReportBrowser::picture(const std::string& name, bool whole) {
    if (const char* const where = std::getenv("ET_SCREENSHOTS")) {
        browser->screenshot(fs::path(where) / (name + ".png"), whole);
    }
}

void writeTrace(const fs::path& path, const std::vector<std::string>& names, std::uint64_t runs,
                std::uint64_t slower) {
    etdump::TraceWriter writer;
    std::uint64_t now = 1'000'000;
    for (std::uint64_t run = 0; run < runs; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = now;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::uint64_t length = 1000 * (i % 100 + 1) + slower + run;
            writer.profile(names[i], {.instruction = static_cast<std::int32_t>(i), .chain = 0}, now,
                           now + length);
            now += length;
        }
        writer.profile("Method::execute", {.instruction = 0}, start, now);
        now += 1000;
    }
    const auto bytes = writer.finish().value();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<std::string> operatorNames(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(fmt::format("native_call_op{}.out", i));
    }
    return names;
}

}  // namespace et::test
