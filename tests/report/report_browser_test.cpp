#include "inspector/roofline/machine_profile.h"
#include "tests/report/report_fixture.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// Tests user interaction with the page of et-inspect report in a browser.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view chosenRows =
    "[...document.querySelectorAll('#operators tr.chosen')].map(r => r.cells[0].textContent).join()";

TEST_F(ReportBrowser, ARowChoosesItsEventInAllViews) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900);
    clickOn("'#operators tbody tr:nth-child(3) td'");
    EXPECT_EQ(ask(chosenRows), "\"op9\"");
    EXPECT_EQ(ask("document.querySelector('#details h3').textContent"), "\"op9\"");
    EXPECT_EQ(ask("document.querySelector('#details').hidden"), "false");
    EXPECT_EQ(ask("document.querySelectorAll('#details .bins i').length"), "24");
    picture("chosen");
    expectQuiet();
}

TEST_F(ReportBrowser, AClickIntoTheTimelineChoosesTheRow) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900);
    // The middle of op11 in the run shown: its lane is the second.
    const std::string place = ask(
        "(() => { const c = document.querySelector('#timeline canvas'); c.scrollIntoView({block: 'center'}); "
        "const b = c.getBoundingClientRect(); return (b.left + b.width * 0.93) + ' ' + (b.top + 52); })()");
    double x = 0;
    double y = 0;
    ASSERT_EQ(std::sscanf(place.c_str(), "\"%lf %lf", &x, &y), 2) << place;
    browser->moveTo(x, y);
    EXPECT_THAT(ask("document.querySelector('#tip').textContent"), HasSubstr("op11"));
    EXPECT_EQ(ask("document.querySelectorAll('#operators tr.over').length"), "1") << "hovering shows it, too";
    browser->click(x, y);
    EXPECT_EQ(ask(chosenRows), "\"op11\"");
    expectQuiet();
}

TEST_F(ReportBrowser, HeadingsSortAndWordsFilter) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900);
    constexpr std::string_view names =
        "[...document.querySelectorAll('#operators tbody tr')].filter(r => !r.hidden).map(r => "
        "r.cells[0].textContent.replace(/\\D/g, '')).filter(t => t).join()";
    EXPECT_EQ(ask(names), "\"11,10,9,8,7,6,5,4,3,2,1,0\"") << "the slowest first";
    clickOn("'#operators th:nth-child(4) button'");
    EXPECT_THAT(ask("document.querySelector('#operators th:nth-child(4)').getAttribute('aria-sort')"),
                "\"descending\"");
    clickOn("'#operators th:nth-child(4) button'");
    EXPECT_EQ(ask(names), "\"0,1,2,3,4,5,6,7,8,9,10,11\"");
    std::ignore = ask(
        "(() => { const i = document.querySelector('#operators input'); i.value = 'op1'; i.dispatchEvent(new "
        "Event('input')); })()");
    EXPECT_EQ(ask(names), "\"1,10,11\"");
    expectQuiet();
}

TEST_F(ReportBrowser, KeysMoveAndZoom) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900);
    const auto shown = [&] { return ask("document.querySelector('#timeline-range').textContent"); };
    const auto press = [&](std::string_view key) {
        std::ignore = ask(fmt::format(
            "document.querySelector('#timeline canvas').dispatchEvent(new KeyboardEvent('keydown', {{key: "
            "'{}'}}))",
            key));
        browser->settle();
    };
    const std::string run = shown();
    press("+");
    const std::string closer = shown();
    EXPECT_NE(closer, run);
    press("0");
    EXPECT_NE(shown(), run) << "all runs";
    press("Home");
    EXPECT_EQ(shown(), run) << "back to the run";
    press("]");
    press("]");
    EXPECT_EQ(ask(chosenRows), "\"op0\"") << "the second event: the first is the whole run";
    press("Escape");
    EXPECT_EQ(ask("document.querySelector('#details').hidden"), "true");
    expectQuiet();
}

TEST_F(ReportBrowser, HostileNamesAreText) {
    const std::string evil = "</script><img src=x onerror=alert(1)>";
    std::vector<std::string> names(6, evil);
    names.emplace_back("<!--<script>");
    names.emplace_back("native_call_\"'&amp;\\u2028\xe2\x80\xa8.out");
    writeTrace(folder.path() / "a.etdp", names, 6);
    writeTrace(folder.path() / "b.etdp", names, 6, 300);
    browser->open(pageOf("a.etdp b.etdp --title '" + evil + "'"), 1400, 900);
    EXPECT_EQ(ask("document.querySelectorAll('img,script').length"), "2") << "the data and our own script";
    EXPECT_EQ(ask("document.title"), "\"" + evil + "\"");
    EXPECT_EQ(ask("page.events.filter(e => e.name.startsWith('</script><img')).length > 5"), "true");
    clickOn("'#operators tbody tr:nth-child(3) td'");
    EXPECT_EQ(ask("document.querySelectorAll('#details img').length"), "0");
    EXPECT_EQ(ask("document.documentElement.classList.contains('live')"), "true");
    // An injected script does not run.
    std::ignore =
        ask("document.body.insertAdjacentHTML('beforeend', '<i onclick=\"window.ran=1\" id=bad>x</i>'), "
            "document.querySelector('#bad').click()");
    EXPECT_EQ(ask("window.ran"), "undefined");
    EXPECT_THAT(browser->requests(), IsEmpty());
}

TEST_F(ReportBrowser, ComparesTwoTraces) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 12);
    writeTrace(folder.path() / "b.etdp", operatorNames(12), 12, 20'000);
    browser->open(pageOf("a.etdp b.etdp"), 1400, 900);
    EXPECT_EQ(ask("document.querySelectorAll('#changes tbody tr').length"), "12");
    clickOn("'#changes tbody tr:nth-child(1) td'");
    EXPECT_EQ(ask("links.chosen.size"), "2") << "the operator in both";
    EXPECT_THAT(ask("document.querySelector('#details').textContent"), HasSubstr("B against A"));
    std::ignore = ask(
        "(() => { const s = document.querySelector('#modules select'); s.value = '2'; s.dispatchEvent(new "
        "Event('change')); })()");
    browser->settle();
    picture("compared");
    expectQuiet();
}

TEST_F(ReportBrowser, WithoutScriptTablesAndPicturesStay) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900, false, false);
    picture("without-script");
    EXPECT_EQ(ask("document.documentElement.classList.contains('live')"), "false");
    EXPECT_EQ(ask("getComputedStyle(document.querySelector('#timeline svg')).display !== 'none'"), "true");
    EXPECT_EQ(ask("document.querySelectorAll('canvas').length"), "0");
    EXPECT_EQ(ask("document.querySelectorAll('#operators tbody tr').length"), "13");
    expectQuiet();
}

TEST_F(ReportBrowser, SizesAndLimitsAreLinkedAndStayWithoutScript) {
    ET_NEEDS_SHARED_DATA();
    const fs::path shared = sharedData() / "programs/mobilenet_v2_small";
    std::ofstream(folder.path() / "machine.json") << inspector::profileJson(
        {.machine = {.cpu = "A processor", .cores = 2, .system = "A system"},
         .date = "2026-11-26",
         .peaks = {{.arithmetic = inspector::Arithmetic::Fp32, .how = "x", .threads = 1, .gigaops = 100}},
         .bandwidths = {{.level = "memory", .threads = 1, .read = 10, .copy = 9, .add = 8}}});
    const fs::path page =
        pageOf(fmt::format("'{}' '{}' '{}' --machine machine.json", (shared / "portable.bpte").string(),
                           (shared / "portable.etrecord").string(),
                           (sharedData() / "traces/mobilenet_v2_small_portable/trace.etdp").string()));
    browser->open(page, 1400, 900);
    clickOn("'#roofline g.operator.link path'");
    EXPECT_EQ(ask("links.chosen.size"), "1");
    EXPECT_EQ(ask("document.querySelectorAll('#roofline tr.chosen').length"), "1") << "the table follows";
    EXPECT_NE(ask(chosenRows), "\"\"") << "and so does that of operators";
    picture("roofline", true);
    expectQuiet();
    browser->open(page, 1400, 900, false, false);
    for (const char* const part : {"roofline", "size"}) {
        EXPECT_EQ(
            ask(fmt::format("document.querySelector('#{} svg').getBoundingClientRect().height > 300", part)),
            "true");
        EXPECT_EQ(ask(fmt::format("document.querySelectorAll('#{} tbody tr').length > 3", part)), "true");
    }
    expectQuiet();
}

TEST_F(ReportBrowser, HundredThousandEventsStaySmooth) {
    writeTrace(folder.path() / "a.etdp", operatorNames(1999), 50);
    const fs::path page = pageOf("a.etdp");
    RecordProperty("bytes", static_cast<int>(fs::file_size(page)));
    browser->open(page, 1400, 900);
    EXPECT_EQ(ask("page.traces[0].event.length"), "100000");
    const std::string milliseconds = ask(R"js((async () => {
        const view = views.timeline.view, frame = () => new Promise(requestAnimationFrame);
        views.timeline.show(0, Infinity);
        let most = [];
        for (let i = 0; i < 60; i++) {
            view.drawTime = 0;
            views.timeline.zoom(i < 30 ? 0.8 : 1.25);
            await frame(); await frame();
            most.push(view.drawTime);
        }
        most.sort((a, b) => a - b);
        return [most[30], most[57], most[59]].map(t => t.toFixed(2)).join(' ');
    })())js");
    double median = 0;
    double p95 = 0;
    double worst = 0;
    ASSERT_EQ(std::sscanf(milliseconds.c_str(), "\"%lf %lf %lf", &median, &p95, &worst), 3) << milliseconds;
    std::printf("a frame of 100,000 events: %.2f ms median, %.2f ms p95, %.2f ms at most; page %.2f MB\n",
                median, p95, worst, static_cast<double>(fs::file_size(page)) / 1e6);
    // 16 ms allow 60 frames per second; a busy machine takes several times as long as an idle one.
    EXPECT_LT(median, 16);
    expectQuiet();
}

TEST_F(ReportBrowser, DetectsScriptErrorsAndRequests) {
    // Checks that the browser fixture detects the faults that other tests expect to be absent.
    const fs::path page = folder.path() / "bad.html";
    std::ofstream(page) << "<!DOCTYPE html><img src='file:///nowhere.png'><script>console.error('bad'); "
                           "missing()</script>";
    browser->open(page, 400, 300);
    EXPECT_GE(browser->complaints().size(), 2U);
    EXPECT_THAT(browser->requests(), testing::ElementsAre("file:///nowhere.png"));
}

/// A model of `../shared/data` with a trace.
struct RealModel {
    const char* name;
    const char* program;
    const char* record;
    const char* trace;
};

constexpr RealModel realModels[] = {
    {"cnn", "programs/mobilenet_v2_small/xnnpack.bpte", "programs/mobilenet_v2_small/xnnpack.etrecord",
     "traces/mobilenet_v2_small_xnnpack/trace.etdp"},
    {"cnn_kernels", "programs/mobilenet_v2_small/portable.bpte",
     "programs/mobilenet_v2_small/portable.etrecord", "traces/mobilenet_v2_small_portable/trace.etdp"},
    {"transformer", "programs/bert_tiny/xnnpack.bpte", "programs/bert_tiny/xnnpack.etrecord",
     "traces/bert_tiny_xnnpack/trace.etdp"},
};

TEST_F(ReportBrowser, RealModelsFitTheScreen) {
    ET_NEEDS_SHARED_DATA();
    const fs::path shared = sharedData();
    for (const RealModel& model : realModels) {
        SCOPED_TRACE(model.name);
        const fs::path page =
            pageOf(fmt::format("'{}' '{}' '{}'", (shared / model.program).string(),
                               (shared / model.record).string(), (shared / model.trace).string()));
        EXPECT_LT(fs::file_size(page), 2'000'000U);
        for (const int width : {1400, 700}) {
            for (const bool dark : {false, true}) {
                browser->open(page, width, 900, dark);
                EXPECT_EQ(ask("document.documentElement.scrollWidth <= innerWidth"), "true")
                    << "nothing is wider than the window";
                EXPECT_EQ(ask("Object.keys(views).sort().join()"), "\"flame,graph,timeline\"");
                // No column is so narrow that words break into letters.
                EXPECT_EQ(ask("[...document.querySelectorAll('td')].filter(c => c.textContent.length > 8 && "
                              "c.offsetParent && c.offsetWidth < 60).length"),
                          "0");
                picture(fmt::format("{}_{}{}", model.name, width, dark ? "_dark" : ""), true);
            }
        }
        // Clicking a tensor in the size map selects its readers.
        EXPECT_NE(ask("document.querySelectorAll('#size g.piece').length"), "0");
        clickOn("'#size g.piece.link rect'");
        EXPECT_NE(ask("links.chosen.size"), "0");
        EXPECT_NE(ask("document.querySelectorAll('#size g.chosen').length"), "0");
        clickOn("'#operators tbody tr.link:nth-child(2) td'");
        clickOn("'#graph .tools button:nth-of-type(2)'");
        EXPECT_EQ(ask("document.querySelectorAll('#graph .chosen').length > 0"), "true")
            << "the graph shows the operator";
        picture(fmt::format("{}_chosen", model.name));
        expectQuiet();
    }
}

}  // namespace
}  // namespace et::test
