#include "tests/cli/process.h"
#include "tests/report/browser.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

// Tests the site of et-inspect report --store in a browser. ET_SCREENSHOTS=FOLDER keeps screenshots.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class SiteBrowser : public testing::Test {
  protected:
    void SetUp() override {
        const auto program = Browser::program();
        if (!program) {
            GTEST_SKIP() << "there is no chromium here; the build environment (tools/env) has one";
        }
        browser = std::make_unique<Browser>(*program);
        shell(
            "et-inspect sample conv_net > /dev/null && et-inspect import conv_net.etdp --store t.db --date "
            "2026-09-30 "
            "--commit c0 --tag device=pixel8 > /dev/null");
        for (int i = 1; i < 20; ++i) {
            const int wiggle = i * i * 7 % 13;
            std::ofstream(folder.path() / "b.json") << fmt::format(
                R"({{"schema": 1, "models": [{{"file": "net <b>.pte", "method": "forward", "executions": 50,
                    "warmup": 10, "threads": 1, "time_ms": {{"p50": 10.{}{:02}}}}}]}})",
                10 + wiggle + (i >= 12 ? 60 : 0), i);
            shell(fmt::format(
                "et-inspect import b.json --store t.db --tag 'device=</script>' --commit c{} --date "
                "2026-10-{:02} > /dev/null",
                i, i));
        }
        shell("et-inspect report --store t.db -o site");
    }

    void shell(const std::string& command) const {
        const Outcome done =
            runShell(command, {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
        ASSERT_EQ(done.code, 0) << command << "\n" << done.err;
    }
    [[nodiscard]] std::string ask(std::string_view expression) const { return browser->evaluate(expression); }
    void expectQuiet() {
        EXPECT_THAT(browser->complaints(), IsEmpty());
        EXPECT_THAT(browser->requests(), IsEmpty());
    }
    void picture(const std::string& name) {
        if (const char* const where = std::getenv("ET_SCREENSHOTS")) {
            browser->screenshot(fs::path(where) / (name + ".png"), true);
        }
    }

    ScratchFolder folder;
    std::unique_ptr<Browser> browser;
};

TEST_F(SiteBrowser, ListsModelsAndDrawsTheirTrends) {
    browser->open(folder.path() / "site" / "index.html", 1200, 800);
    EXPECT_EQ(ask("[...document.querySelectorAll('h3 a')].map(a => a.textContent).join()"),
              "\"net <b>,conv_net\"")
        << "the slower one first";
    EXPECT_THAT(ask("document.querySelector('.warn').textContent"), HasSubstr("slower since c12"));
    picture("site_index");
    expectQuiet();
    browser->open(folder.path() / "site" / "net__b_.html", 1200, 800);
    EXPECT_EQ(ask("document.querySelectorAll('.trend svg .dot').length"), "19");
    EXPECT_EQ(ask("document.querySelectorAll('.trend svg .change.slower').length"), "1");
    EXPECT_EQ(ask("getComputedStyle(document.querySelector('.still svg')).display"), "\"none\"");
    EXPECT_THAT(ask("document.querySelector('#changes td').textContent"), HasSubstr("c12"));
    EXPECT_THAT(ask("document.querySelector('h3').textContent"), HasSubstr("</script>"));
    picture("site_model");
    expectQuiet();
}

TEST_F(SiteBrowser, PointerAndKeysShowPointDetails) {
    browser->open(folder.path() / "site" / "net__b_.html", 1200, 800);
    const auto move = [&](int at) {
        return ask(fmt::format(
            "(() => {{ const svg = document.querySelector('.trend svg'), dot = "
            "svg.querySelectorAll('.dot')[{}]"
            ".getBoundingClientRect(); svg.dispatchEvent(new PointerEvent('pointermove', {{clientX: dot.left "
            "+ 2, "
            "clientY: dot.top, bubbles: true}})); return document.querySelector('#tip').textContent; }})()",
            at));
    };
    EXPECT_THAT(move(0), HasSubstr("c1"));
    EXPECT_THAT(move(11), testing::AllOf(HasSubstr("c12"), HasSubstr("10."), HasSubstr("level")));
    EXPECT_THAT(
        ask("(() => { const svg = document.querySelector('.trend svg'); svg.focus(); svg.dispatchEvent(new "
            "KeyboardEvent('keydown', {key: 'ArrowRight'})); return "
            "document.querySelector('#tip').textContent; })()"),
        HasSubstr("c13"));
    expectQuiet();
}

TEST_F(SiteBrowser, OperatorsCanBeChosen) {
    browser->open(folder.path() / "site" / "conv_net.html", 1200, 800);
    EXPECT_EQ(ask("document.querySelector('.trend select').options.length"), "11")
        << "the total and ten operators";
    EXPECT_THAT(ask("(() => { const choice = document.querySelector('.trend select'); choice.value = 1; "
                    "choice.dispatchEvent(new Event('change')); return "
                    "document.querySelector('.trend svg').getAttribute('aria-label'); })()"),
                testing::Not(HasSubstr("total")));
    EXPECT_EQ(ask("document.querySelectorAll('#operators tbody tr').length"), "10");
    expectQuiet();
}

}  // namespace
}  // namespace et::test
