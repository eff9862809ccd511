#include "tests/report/report_fixture.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

// Tests the initial appearance of the page of et-inspect report.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Arguments for a model of `../shared/data`, given relative paths.
std::string filesOf(std::string_view program, std::string_view record, std::string_view trace) {
    const fs::path shared = sharedData();
    return fmt::format("'{}' '{}' '{}'", (shared / program).string(), (shared / record).string(),
                       (shared / trace).string());
}

std::string transformer() {
    return filesOf("programs/bert_tiny/xnnpack.bpte", "programs/bert_tiny/xnnpack.etrecord",
                   "traces/bert_tiny_xnnpack/trace.etdp");
}

std::string languageModel() {
    return filesOf("llm/models/tiny-a/xnnpack_fp32.pte", "llm/models/tiny-a/xnnpack_fp32.etrecord",
                   "llm/traces/xnnpack_fp32.etdp");
}

TEST_F(ReportBrowser, OmitsEmptyColumns) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900);
    EXPECT_EQ(ask("[...document.querySelectorAll('#operators th')].map(h => h.textContent).join()"),
              "\"operator,phase,instruction,self,p50,p90,samples,name in the trace\"")
        << "nothing knows modules and sources";
}

TEST_F(ReportBrowser, AComparisonHasTheNamesThatPeopleUseAndNoFolders) {
    writeTrace(folder.path() / "a.etdp", {"native_call_addmm.out", "native_call_mul.out"}, 12);
    writeTrace(folder.path() / "b.etdp", {"native_call_add.out", "native_call_mul.out"}, 12, 90'000);
    const std::string here = folder.path().string();
    browser->open(pageOf(fmt::format("'{0}/a.etdp' '{0}/b.etdp'", here)), 1400, 900);
    const std::string names =
        ask("[...document.querySelectorAll('#changes tbody tr')].map(r => r.cells[0].textContent).join()");
    EXPECT_THAT(names, HasSubstr("linear"));
    EXPECT_THAT(names, Not(HasSubstr(".out")));
    EXPECT_THAT(ask("document.querySelector('#changes').textContent"), HasSubstr("45.9 times"))
        << "rather than thousands of percent";
    const std::string text = ask("document.body.textContent");
    EXPECT_THAT(text, HasSubstr("to different programs"));
    EXPECT_THAT(text, Not(HasSubstr(here))) << "where files lie is nobody's business";
    expectQuiet();
}

TEST_F(ReportBrowser, LoadingDoesNotDwarfTheBarsOfARun) {
    ET_NEEDS_SHARED_DATA();
    browser->open(pageOf(transformer()), 1400, 900);
    EXPECT_EQ(ask("Math.max(...[...document.querySelectorAll('#operators td.b')].slice(0, 20).map(c => "
                  "parseFloat(c.style.backgroundSize)))"),
              "100");
}

TEST_F(ReportBrowser, GraphOpensFoldedToFitTheScreen) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string& files : {transformer(), languageModel()}) {
        browser->open(pageOf(files), 1400, 900);
        const std::string boxes = ask("document.querySelectorAll('#graph .box').length");
        EXPECT_GT(std::stoi(boxes), 4) << files;
        EXPECT_LT(std::stoi(boxes), 60) << files;
        picture("graph");
        expectQuiet();
    }
    EXPECT_THAT(ask("document.querySelector('#graph .tools').textContent"),
                HasSubstr("views, scalars and checks are hidden"));
    EXPECT_THAT(ask("document.querySelector('#graph svg').textContent"), HasSubstr("× 2"))
        << "the two layers are one box";
}

TEST_F(ReportBrowser, QuantizedGraphIsInExecutionOrder) {
    ET_NEEDS_SHARED_DATA();
    browser->open(
        pageOf(fmt::format("'{0}.bpte' '{0}.etrecord'", (sharedData() / "quant/encoder2/q8").string())), 1400,
        900);
    // From top to bottom: inputs, layers as one box, outputs.
    EXPECT_EQ(ask(R"js((() => {
        const top = name => [...document.querySelectorAll('#graph .box')].find(b => b.textContent.includes(name))
            .getBoundingClientRect().top;
        return [top('inp') < top('× 2'), top('× 2') < top('norm'), top('norm') < top('head')].join();
    })())js"),
              "\"true,true,true\"");
    EXPECT_EQ(ask("(g => g.scrollWidth <= g.clientWidth)(document.querySelector('.graph'))"), "true");
    picture("graph_quantized");
}

TEST_F(ReportBrowser, SourcesAndPaperAreNotBrokenLetterByLetter) {
    ET_NEEDS_SHARED_DATA();
    browser->open(pageOf(languageModel()), 1400, 900);
    EXPECT_EQ(ask("[...document.querySelectorAll('#operators tbody td')].filter(c => c.offsetHeight > "
                  "45).length"),
              "0")
        << "no row of more than two lines";
    EXPECT_EQ(ask("(s => s.scrollWidth <= s.clientWidth)(document.querySelector('#operators .scroll'))"),
              "true")
        << "all columns are seen";
    browser->showPrinted();
    EXPECT_EQ(ask("document.documentElement.scrollWidth <= innerWidth"), "true");
    EXPECT_EQ(ask("getComputedStyle(document.querySelector('#operators .tools')).display"), "\"none\"");
    picture("printed", true);
    expectQuiet();
}

TEST_F(ReportBrowser, DescribesMemoryAndDelegatesInText) {
    ET_NEEDS_SHARED_DATA();
    browser->open(pageOf(languageModel()), 1400, 900);
    const std::string memory = ask("document.querySelector('#memory').textContent");
    EXPECT_THAT(memory, HasSubstr("embedding"));
    EXPECT_THAT(ask("[...document.querySelectorAll('#memory text, #memory td')].filter(t => "
                    "t.textContent.includes('aten::')).length"),
                "0")
        << "the file's own names are in tooltips";
    EXPECT_THAT(ask("[...document.querySelectorAll('#delegates th')].map(h => h.textContent).join()"),
                HasSubstr("payload bytes,weights"));
    EXPECT_EQ(ask("document.querySelector('#delegates tbody tr').cells[4].textContent.endsWith('KiB')"),
              "true");
}

TEST_F(ReportBrowser, APictureThatIsResizedDoesNotFlash) {
    writeTrace(folder.path() / "a.etdp", operatorNames(12), 6);
    browser->open(pageOf("a.etdp"), 1400, 900, false);
    // An observer registered after the page's own sees what will be painted in this frame.
    EXPECT_EQ(ask(R"js(new Promise(done => {
        const canvas = document.querySelector('#timeline canvas'), seen = [];
        new ResizeObserver(() => {
            seen.push(canvas.width);
            if (seen.length === 1) canvas.parentElement.style.width = '700px';
            else done([...canvas.getContext('2d').getImageData(2, canvas.height - 2, 1, 1).data].join(' '));
        }).observe(canvas);
    }))js"),
              "\"255 255 255 255\"");
    expectQuiet();
}

}  // namespace
}  // namespace et::test
