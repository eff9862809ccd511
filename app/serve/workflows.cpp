#include "app/output/bars/bar_picture.h"
#include "app/output/delegates/delegates_page.h"
#include "app/output/graph/graph_page.h"
#include "app/output/info/artifact_info.h"
#include "app/output/info/data_info.h"
#include "app/output/memory/memory_page.h"
#include "app/output/report/gap_picture.h"
#include "app/serve/cancellation.h"
#include "app/serve/functions.h"
#include "app/serve/time_scales.h"
#include "app/tasks/compare/file_diff.h"
#include "inspector/format/json_text.h"
#include "inspector/program_diff/program_diff_report.h"
#include "inspector/session/artifact.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using inspector::Overlay;
using inspector::ProgramDiff;
using output::DelegatesPage;
using output::GraphPage;
using output::MemoryPage;

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

/// A name accepted from callers, and its value.
template <class Meaning>
struct Word {
    std::string_view name;
    Meaning meaning;
};

template <class Meaning, std::size_t Count>
Meaning meaningOf(const std::string& name, const std::array<Word<Meaning>, Count>& words,
                  std::string_view what) {
    const auto* const found = std::ranges::find(words, name, &Word<Meaning>::name);
    if (found == words.end()) {
        std::string known;
        for (const Word<Meaning>& word : words) {
            known += (known.empty() ? "" : ", ") + std::string(word.name);
        }
        raise({.code = core::ErrorCode::InvalidArgument,
               .message = std::string(what) + ": expected one of " + known + ", got " + name});
    }
    return found->meaning;
}

constexpr std::array overlayWords{
    Word{"kind", Overlay::Kind},           Word{"dtype", Overlay::Dtype},
    Word{"bytes", Overlay::Bytes},         Word{"time", Overlay::Time},
    Word{"error", Overlay::Error},         Word{"partition", Overlay::Partition},
    Word{"quantized", Overlay::Quantized},
};

/// Names of bar tones in et_inspect.
constexpr std::array toneWords{
    Word{"plain", output::BarTone::Plain},
    Word{"good", output::BarTone::Good},
    Word{"bad", output::BarTone::Bad},
    Word{"faint", output::BarTone::Faint},
};

MemoryPage openMemory(fs::path model, fs::path record, fs::path trace, std::string method, bool whatIf) {
    output::MemoryQuery question{
        .model = std::move(model), .beside = {}, .method = std::move(method), .whatIf = whatIf};
    question.beside.record = std::move(record);
    question.beside.trace = std::move(trace);
    return unwrap(MemoryPage::open(question));
}

DelegatesPage openDelegates(fs::path model, Paths data, fs::path record, fs::path trace, std::string method,
                            const std::string& clock, const std::vector<std::string>& delegateClocks) {
    output::DelegatesQuery question{.model = std::move(model),
                                    .tensorData = std::move(data),
                                    .beside = {},
                                    .method = std::move(method),
                                    .clock = traceClock(clock, delegateClocks)};
    question.beside.record = std::move(record);
    question.beside.trace = std::move(trace);
    return unwrap(DelegatesPage::open(question));
}

/// Opens a graph page; et_inspect passes the many parts of the query as a dictionary.
GraphPage openGraphPage(Dict asked) {
    using Names = std::vector<std::string>;
    output::GraphQuery question;
    question.source = {.file = entry<fs::path>(asked, "file"),
                       .record = entry<fs::path>(asked, "etrecord"),
                       .trace = entry<fs::path>(asked, "etdump"),
                       .gap = entry<fs::path>(asked, "gap"),
                       .tensorData = entry<Paths>(asked, "data"),
                       .method = entry<std::string>(asked, "method"),
                       .source = entry<std::string>(asked, "source"),
                       .clock = traceClock(entry<std::string>(asked, "source_time_scale"),
                                           entry<Names>(asked, "delegate_time_scale"))};
    question.selection = {.expand = entry<Names>(asked, "expand"),
                          .collapse = entry<Names>(asked, "collapse"),
                          .budget = entry<std::size_t>(asked, "boxes"),
                          .find = entry<std::string>(asked, "find"),
                          .around = entry<Names>(asked, "around"),
                          .depth = entry<std::size_t>(asked, "depth")};
    question.overlay = meaningOf(entry<std::string>(asked, "overlay"), overlayWords, "overlay");
    question.leftToRight = entry<bool>(asked, "left_to_right");
    question.simplify = entry<bool>(asked, "simplify");
    return unwrap(GraphPage::open(question));
}

Value graphPicture(const GraphPage& page, double timeoutSeconds, const fs::path& helper) {
    return text(unwrap(cancellable([&](const std::atomic<bool>& cancel) {
        return page.picture({.timeoutSeconds = timeoutSeconds, .cancel = &cancel, .helper = helper});
    })));
}

ProgramDiff diff(fs::path before, fs::path after, Paths data, Paths dataAfter, std::string method) {
    const tasks::DiffQuery question{.before = std::move(before),
                                    .after = std::move(after),
                                    .dataBefore = std::move(data),
                                    .dataAfter = std::move(dataAfter),
                                    .method = std::move(method)};
    return unwrap(tasks::diffFiles(question));
}

core::Result<std::string> describedFile(const fs::path& path, Paths others) {
    ET_ASSIGN(const auto file, inspector::RecognizedFile::open(path));
    ET_ASSIGN(inspector::format::Dict info, output::artifactInfo(file));
    others.push_back(path);
    output::addDataInfo(path, output::dataInfo(others), info);
    std::string json;
    inspector::format::appendJson(json, inspector::format::Cell(std::move(info)));
    return json;
}

/// Returns the output of `et-inspect info --format json` for one file; a program is checked against the
/// weights and ETRecords among `others`.
std::string describe(const fs::path& path, Paths others) {
    return unwrap(describedFile(path, std::move(others)));
}

using BarTuple =
    std::tuple<std::string, double, std::string, std::optional<double>, std::optional<double>, std::string>;

Value barPicture(const std::string& title, const std::vector<BarTuple>& rows) {
    std::vector<output::Bar> bars;
    for (const auto& [label, value, shown, low, high, tone] : rows) {
        bars.push_back({.label = label,
                        .value = value,
                        .text = shown,
                        .low = low,
                        .high = high,
                        .tone = meaningOf(tone, toneWords, "tone")});
    }
    return text(output::barPicture(title, bars));
}

/// Dots over a logarithmic axis; None if no row has a number.
std::optional<std::string> gapPicture(
    const std::vector<std::tuple<std::string, std::optional<double>, bool>>& rows) {
    inspector::format::Table table;
    for (const char* const id : {"row", "runtime_ops", "max_abs", "diverges"}) {
        table.columns.push_back({.id = id, .header = id});
    }
    for (const auto& [name, error, diverges] : rows) {
        table.rows.push_back({inspector::format::Cell(static_cast<std::int64_t>(table.rows.size())),
                              inspector::format::Cell(name), inspector::format::optionalCell(error),
                              inspector::format::Cell(static_cast<std::int64_t>(diverges))});
    }
    const std::string svg = output::gapPicture(table);
    return svg.empty() ? std::nullopt : std::optional(svg);
}

constexpr std::array workflowTable{
    function<&openMemory>("MemoryPage.open"),
    function<&MemoryPage::json>("MemoryPage.json"),
    function<&MemoryPage::text>("MemoryPage.text"),
    function<&MemoryPage::picture>("MemoryPage.picture"),
    function<[](const MemoryPage& self, bool offsets) {
        return text(unwrap(self.chromeTrace(offsets ? inspector::AllocationPlace::Offset
                                                    : inspector::AllocationPlace::Stacked)));
    }>("MemoryPage.chrome_trace"),
    function<[](const MemoryPage& self) { return texts(self.warnings()); }>("MemoryPage.warnings"),
    function<&openDelegates>("DelegatesPage.open"),
    function<&DelegatesPage::json>("DelegatesPage.json"),
    function<[](const DelegatesPage& self, bool nodes) { return self.text(nodes, false, 0); }>(
        "DelegatesPage.text"),
    function<[](const DelegatesPage& self) { return texts(self.warnings()); }>("DelegatesPage.warnings"),
    function<&openGraphPage>("GraphPage.open"),
    function<&GraphPage::json>("GraphPage.json"),
    function<&GraphPage::text>("GraphPage.text"),
    function<&GraphPage::dot>("GraphPage.dot"),
    function<[](const GraphPage& self, bool clusters) {
        return self.explorer(clusters ? inspector::ExplorerLayers::Clusters
                                      : inspector::ExplorerLayers::Groups);
    }>("GraphPage.model_explorer"),
    function<[](const GraphPage& self) {
        return collected(self.explorerData(), [](const inspector::ExplorerData& each) {
            return Value(texts(std::array{each.name, each.json}));
        });
    }>("GraphPage.node_data"),
    function<&graphPicture>("GraphPage.picture"),
    function<[](const GraphPage& self) { return texts(self.warnings()); }>("GraphPage.warnings"),
    function<&diff>("ProgramDiff.of"),
    function<&inspector::programDiffJson>("ProgramDiff.json"),
    function<[](const ProgramDiff& self, bool all) { return inspector::programDiffText(self, all, {}); }>(
        "ProgramDiff.text"),
    function<[](const ProgramDiff& self) { return inspector::programDiffMarkdown(self); }>(
        "ProgramDiff.markdown"),
    function<&describe>("describe"),
    function<&barPicture>("bar_picture"),
    function<&gapPicture>("gap_picture"),
};

}  // namespace

std::span<const Function> workflowFunctions() {
    return workflowTable;
}

}  // namespace et::serve
