#include "app/python/workflows.h"

#include "app/output/bars/bar_picture.h"
#include "app/output/delegates/delegates_page.h"
#include "app/output/graph/graph_page.h"
#include "app/output/info/artifact_info.h"
#include "app/output/memory/memory_page.h"
#include "app/output/report/gap_picture.h"
#include "app/python/cancellable.h"
#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/name.h"
#include "app/python/time_scales.h"
#include "app/tasks/compare/file_diff.h"
#include "inspector/format/json_text.h"
#include "inspector/program_diff/program_diff_report.h"
#include "inspector/session/artifact.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
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
    Word{"kind", Overlay::Kind}, Word{"dtype", Overlay::Dtype},         Word{"bytes", Overlay::Bytes},
    Word{"time", Overlay::Time}, Word{"partition", Overlay::Partition}, Word{"quantized", Overlay::Quantized},
};

/// Names of bar tones in et_inspect.
constexpr std::array toneWords{
    Word{"plain", output::BarTone::Plain},
    Word{"good", output::BarTone::Good},
    Word{"bad", output::BarTone::Bad},
    Word{"faint", output::BarTone::Faint},
};

MemoryPage openMemory(fs::path model, fs::path record, fs::path trace, Name method, bool whatIf) {
    output::MemoryQuery question{
        .model = std::move(model), .beside = {}, .method = std::move(method.bytes), .whatIf = whatIf};
    question.beside.record = std::move(record);
    question.beside.trace = std::move(trace);
    return unwrap(withoutGil([&] { return MemoryPage::open(question); }));
}

DelegatesPage openDelegates(fs::path model, Paths data, fs::path record, fs::path trace, Name method,
                            const std::string& clock) {
    output::DelegatesQuery question{.model = std::move(model),
                                    .tensorData = std::move(data),
                                    .beside = {},
                                    .method = std::move(method.bytes),
                                    .clock = timeScale(clock)};
    question.beside.record = std::move(record);
    question.beside.trace = std::move(trace);
    return unwrap(withoutGil([&] { return DelegatesPage::open(question); }));
}

/// Opens a graph page; the many parts of the query are passed as a dictionary by et_inspect.
GraphPage openGraphPage(const nb::dict& asked) {
    const auto string = [&](const char* key) { return nb::cast<Name>(asked[key]).bytes; };
    const auto strings = [&](const char* key) { return nb::cast<std::vector<std::string>>(asked[key]); };
    const auto path = [&](const char* key) { return nb::cast<fs::path>(asked[key]); };
    output::GraphQuery question;
    question.source = {.file = path("file"),
                       .record = path("etrecord"),
                       .trace = path("etdump"),
                       .tensorData = nb::cast<Paths>(asked["data"]),
                       .method = string("method"),
                       .source = string("source"),
                       .clock = timeScale(string("source_time_scale"))};
    question.selection = {.expand = strings("expand"),
                          .collapse = strings("collapse"),
                          .budget = nb::cast<std::size_t>(asked["boxes"]),
                          .find = string("find"),
                          .around = strings("around"),
                          .depth = nb::cast<std::size_t>(asked["depth"])};
    question.overlay = meaningOf(string("overlay"), overlayWords, "overlay");
    question.leftToRight = nb::cast<bool>(asked["left_to_right"]);
    question.simplify = nb::cast<bool>(asked["simplify"]);
    return unwrap(withoutGil([&] { return GraphPage::open(question); }));
}

nb::str graphPicture(const GraphPage& page, double timeoutSeconds, const fs::path& helper) {
    return text(unwrap(cancellable([&](const std::atomic<bool>& cancel) {
        return page.picture({.timeoutSeconds = timeoutSeconds, .cancel = &cancel, .helper = helper});
    })));
}

ProgramDiff diff(fs::path before, fs::path after, Paths data, Paths dataAfter, Name method) {
    const tasks::DiffQuery question{.before = std::move(before),
                                    .after = std::move(after),
                                    .dataBefore = std::move(data),
                                    .dataAfter = std::move(dataAfter),
                                    .method = std::move(method.bytes)};
    return unwrap(withoutGil([&] { return tasks::diffFiles(question); }));
}

/// Returns the output of `et-inspect info --format json` for one file.
nb::str describe(const fs::path& path) {
    return text(unwrap(withoutGil([&]() -> core::Result<std::string> {
        ET_ASSIGN(const auto file, inspector::RecognizedFile::open(path));
        ET_ASSIGN(inspector::format::Dict info, output::artifactInfo(file));
        std::string json;
        inspector::format::appendJson(json, inspector::format::Cell(std::move(info)));
        return json;
    })));
}

using BarTuple =
    std::tuple<std::string, double, std::string, std::optional<double>, std::optional<double>, std::string>;

nb::str barPicture(const std::string& title, const std::vector<BarTuple>& rows) {
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
std::optional<nb::str> gapPicture(
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
    return svg.empty() ? std::nullopt : std::optional(text(svg));
}

void bindMemory(nb::module_& module) {
    nb::class_<MemoryPage>(module, "MemoryPage", "The memory plans of a program; immutable.")
        .def_static("open", &openMemory, "model"_a, "etrecord"_a, "etdump"_a, "method"_a, "what_if"_a,
                    "Reads a program and related files; empty paths are skipped.\n\n`method`: only this one; "
                    "empty: all. `what_if`: plan the same tensors again.")
        .def("json", textBinding(&MemoryPage::json), "The document of `et-inspect memory --format json`.")
        .def("text", textBinding(&MemoryPage::text), "top"_a,
             "The text printed by the command line. `top`: tensors to list; 0: all.")
        .def("picture", textBinding(&MemoryPage::picture), "The plan as SVG.")
        .def_prop_ro(
            "warnings", [](const MemoryPage& self) { return texts(self.warnings()); },
            "Overlapping tensors, and files that contradict the program, one per line.");
}

void bindDelegates(nb::module_& module) {
    nb::class_<DelegatesPage>(module, "DelegatesPage", "The delegates of a program; immutable.")
        .def_static("open", &openDelegates, "model"_a, "data"_a, "etrecord"_a, "etdump"_a, "method"_a,
                    "source_time_scale"_a,
                    "Reads a program and related files; empty paths are skipped.\n\n`data`: external "
                    "weights. `method`: only this one; empty: all, or with a trace the one that it ran. "
                    "`source_time_scale`: of the trace.")
        .def("json", textBinding(&DelegatesPage::json), "nodes"_a,
             "The document of `et-inspect delegates --format json`. `nodes`: every node and value inside.")
        .def(
            "text",
            [](const DelegatesPage& self, bool nodes) {
                return text(withoutGil([&] { return self.text(nodes, false, 0); }));
            },
            "nodes"_a, "The text printed by the command line.")
        .def_prop_ro(
            "warnings", [](const DelegatesPage& self) { return texts(self.warnings()); },
            "Files that contradict the program, and data missing from the trace, one per line.");
}

void bindGraphs(nb::module_& module) {
    nb::class_<GraphPage>(module, "GraphPage", "A graph of a program or a record; immutable.")
        .def_static("open", &openGraphPage, "asked"_a,
                    nb::sig("def open(asked: dict[str, object]) -> GraphPage"),
                    "Reads a graph. `asked`: every parameter of et_inspect.graph() except the timeout.")
        .def("json", textBinding(&GraphPage::json), "The document of `et-inspect graph --format json`.")
        .def("text", textBinding(&GraphPage::text), "The diagram as indented lines.")
        .def("dot", textBinding(&GraphPage::dot), "The diagram for Graphviz.")
        .def("picture", &graphPicture, "timeout"_a, "helper"_a,
             "The diagram as SVG. `timeout`: time limit in seconds for the layout by the program `helper`.")
        .def_prop_ro(
            "warnings", [](const GraphPage& self) { return texts(self.warnings()); },
            "Files that contradict each other, one per line.");
}

void bindDiffs(nb::module_& module) {
    nb::class_<ProgramDiff>(module, "ProgramDiff", "Changes between two programs; immutable.")
        .def_static("of", &diff, "before"_a, "after"_a, "data"_a, "data_after"_a, "method"_a,
                    "Compares two programs. `data`, `data_after`: external weights; `method`: empty: all.")
        .def("json", textBinding(&inspector::programDiffJson), "all"_a,
             "The document of `et-inspect diff --format json`. `all`: include unchanged items.")
        .def(
            "text",
            [](const ProgramDiff& self, bool all) {
                return text(withoutGil([&] { return inspector::programDiffText(self, all, {}); }));
            },
            "all"_a, "The text printed by the command line.")
        .def(
            "markdown",
            [](const ProgramDiff& self) {
                return text(withoutGil([&] { return inspector::programDiffMarkdown(self); }));
            },
            "The text for a pull request comment.");
}

}  // namespace

void bindWorkflows(nb::module_& module) {
    bindMemory(module);
    bindDelegates(module);
    bindGraphs(module);
    bindDiffs(module);
    module.def("describe", &describe, "path"_a,
               "The document of `et-inspect info --format json` of one file that is not a session.");
    module.def("bar_picture", &barPicture, "title"_a, "bars"_a,
               "Figures as a bar chart, as SVG.\n\n`bars`: for each, its label, value, formatted value, both "
               "ends of its interval or None, and its colour: plain, good, bad or faint.");
    module.def("gap_picture", &gapPicture, "rows"_a,
               "Errors on a logarithmic axis as SVG; None if no row has an error.\n\n`rows`: for each "
               "operator, its name, its largest error, and whether it diverges.");
}

}  // namespace et::python
