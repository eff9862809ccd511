// Compares with the results of ExecuTorch's Inspector on real traces, field by field and bit for bit.
#include "inspector/session/session.h"
#include "runtime/core/scalar_type.h"
#include "tests/inspector/join_support.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

namespace et::inspector {
namespace {

namespace dom = simdjson::dom;
using std::filesystem::path;

/// A trace of the shared data and its ETRecord from the manifest.
struct RealTrace {
    path folder;
    path record;  ///< empty: none

    [[nodiscard]] SessionFiles files(bool withRecord) const {
        const path buffer = folder / "debug_buffer.bin";
        return {.trace = folder / "trace.etdp",
                .record = withRecord ? record : path(),
                .debugBuffer = exists(buffer) ? buffer : path()};
    }
};

std::vector<RealTrace> realTraces() {
    dom::parser parser;
    const path root = test::sharedData();
    const dom::element manifest = parser.load((root / "manifest.json").string());
    std::vector<RealTrace> traces;
    for (const dom::element entry : manifest["traces"]) {
        RealTrace& trace = traces.emplace_back();
        trace.folder = root / "traces" / std::string_view(entry["trace"]);
        if (entry["etrecord"].is_string()) {
            trace.record = root / std::string_view(entry["etrecord"]);
        }
    }
    return traces;
}

std::shared_ptr<const Session> openSession(const SessionFiles& files, const JoinOptions& options = {}) {
    auto session = Session::open(files, options);
    EXPECT_TRUE(session) << session.error().toString();
    return session.value_or(nullptr);
}

std::vector<std::string> split(std::string_view line, char separator) {
    std::vector<std::string> cells;
    for (const auto part : std::views::split(line, separator)) {
        cells.emplace_back(std::string_view(part));
    }
    return cells;
}

/// Returns the rows of a TSV by column name.
std::vector<std::map<std::string, std::string>> readTsv(const path& file) {
    const std::vector<std::string> lines = split(test::readText(file), '\n');
    const std::vector<std::string> header = split(lines.at(0), '\t');
    std::vector<std::map<std::string, std::string>> rows;
    for (std::size_t i = 1; i < lines.size() && !lines[i].empty(); ++i) {
        const std::vector<std::string> cells = split(lines[i], '\t');
        auto& row = rows.emplace_back();
        for (std::size_t column = 0; column < header.size() && column < cells.size(); ++column) {
            row[header[column]] = cells[column];
        }
    }
    return rows;
}

void expectRow(const std::map<std::string, std::string>& row, const Block& block, const Event& event) {
    EXPECT_EQ(row.at("event_block_name"), block.name);
    EXPECT_EQ(row.at("event_name"), event.name);
    EXPECT_EQ(row.at("is_delegated_op"), event.delegated ? "True" : "False");
    const Statistics& have = event.statistics;
    const std::initializer_list<std::pair<const char*, double>> columns{
        {"p10 (ms)", have.p10},     {"p50 (ms)", have.p50},     {"p90 (ms)", have.p90},
        {"avg (ms)", have.average}, {"min (ms)", have.minimum}, {"max (ms)", have.maximum}};
    for (const auto& [column, value] : columns) {
        EXPECT_EQ(std::strtod(row.at(column).c_str(), nullptr), value) << column << " of " << event.name;
    }
}

TEST(Conformance, StatisticsOfEveryTraceToTheLastBit) {
    ET_NEEDS_SHARED_DATA();
    for (const RealTrace& trace : realTraces()) {
        SCOPED_TRACE(trace.folder);
        const auto rows = readTsv(trace.folder / "inspector_noetrecord.tsv");
        const auto session = openSession(trace.files(false));
        std::size_t next = 0;
        for (const Block& block : session->blocks->blocks()) {
            for (const Event& event : block.events) {
                if (event.name != "OPERATOR_CALL") {
                    ASSERT_LT(next, rows.size());
                    expectRow(rows[next++], block, event);
                }
            }
        }
        EXPECT_EQ(next, rows.size());
    }
}

std::vector<std::string> strings(dom::element list) {
    std::vector<std::string> out;
    for (const dom::element item : list) {
        out.emplace_back(std::string_view(item));
    }
    return out;
}

template <class T>
std::vector<T> numbers(dom::element list) {
    std::vector<T> out;
    for (const dom::element item : list) {
        out.push_back(T(item));
    }
    return out;
}

/// Returns "float32[1, 10]" for a logged value, in the golden and here.
std::string shapeText(dom::element value) {
    const std::string_view dtype = value["tensor"];
    return std::string(dtype.substr(dtype.find('.') + 1)) +
           testing::PrintToString(numbers<std::int64_t>(value["shape"]));
}

std::string shapeText(const etdump::Trace& trace, etdump::EventIndex event) {
    const auto* tensor = std::get_if<etdump::DebugTensor>(&trace.debugValue(event).value);
    return tensor == nullptr
               ? "no tensor"
               : core::scalarTypeName(tensor->scalarType) + testing::PrintToString(tensor->sizes);
}

template <class Events>
void expectValues(dom::element golden, const etdump::Trace& trace, const Events& events) {
    std::vector<std::string> want;
    for (const dom::element value : golden) {
        want.push_back(shapeText(value));
    }
    std::vector<std::string> have;
    for (const etdump::EventIndex event : events) {
        have.push_back(shapeText(trace, event));
    }
    EXPECT_EQ(want, have);
}

void expectHandles(dom::element golden, const Event& event) {
    if (golden.is_null()) {
        EXPECT_TRUE(event.handles.empty());
    } else if (golden.is_array()) {
        EXPECT_TRUE(event.handlesAreList);
        EXPECT_EQ(numbers<std::int64_t>(golden), test::handlesOf(event));
    } else {
        EXPECT_FALSE(event.handlesAreList);
        EXPECT_EQ(std::vector{std::int64_t(golden)}, test::handlesOf(event));
    }
}

void expectSources(dom::element golden, const Block& block, const Event& event) {
    std::map<std::string, std::string> traces;
    std::map<std::string, std::map<std::string, std::vector<std::string>>> modules;
    for (const etrecord::NodeIndex index : event.nodes) {
        const etrecord::Node& node = block.graph->nodes[index];
        if (node.op.starts_with("llama.")) {
            continue;  // by default nodes that the reference drops are kept: see
                       // docs/reference/differences.md
        }
        const std::string name = node.name + "_";
        traces[name] = node.stackTrace;
        modules[name];
        for (const etrecord::ModuleFrame& frame : node.moduleStack) {
            modules[name][frame.path] = {frame.fqn, frame.type};
        }
    }
    decltype(traces) wantTraces;
    for (const auto [name, text] : dom::object(golden["stack_traces"])) {
        wantTraces.emplace(name, text.is_null() ? std::string_view() : std::string_view(text));
    }
    EXPECT_EQ(wantTraces, traces);
    decltype(modules) wantModules;
    for (const auto [name, frames] : dom::object(golden["module_hierarchy"])) {
        auto& want = wantModules[std::string(name)];
        if (frames.is_null()) {
            continue;
        }
        for (const auto [key, frame] : dom::object(frames)) {
            want[std::string(key)] = strings(frame);
        }
    }
    EXPECT_EQ(wantModules, modules);
}

void expectEvent(dom::element golden, const etdump::Trace& trace, const Block& block, const Event& event) {
    SCOPED_TRACE(event.name);
    EXPECT_EQ(std::string_view(golden["name"]), event.name);
    EXPECT_THAT(event.samples, testing::ElementsAreArray(numbers<double>(golden["raw"])));
    EXPECT_THAT(event.startTicks, testing::ElementsAreArray(numbers<std::uint64_t>(golden["start_time"])));
    EXPECT_EQ(std::int64_t(golden["instruction_id"]), event.instruction.value);
    EXPECT_EQ(bool(golden["is_delegated_op"]), event.delegated);
    EXPECT_THAT(opTypes(block, event), testing::ElementsAreArray(strings(golden["op_types"])));
    EXPECT_EQ(std::int64_t(golden["num_outputs"]), event.outputCount.value_or(1));
    const dom::element backend = golden["delegate_backend_name"];
    EXPECT_EQ(backend.is_null() ? std::string_view() : std::string_view(backend), event.backend);
    const dom::element identifier = golden["delegate_debug_identifier"];
    EXPECT_EQ(identifier.is_null(), !event.delegated);
    if (identifier.is_string()) {
        EXPECT_EQ(std::string_view(identifier), event.delegateString);
    }
    expectHandles(golden["debug_handles"], event);
    expectSources(golden, block, event);
    expectValues(golden["debug_data"], trace, event.debugEvents.first(event.firstRunDebugEvents));
}

TEST(Conformance, EveryFieldOfEveryEvent) {
    ET_NEEDS_SHARED_DATA();
    std::size_t checked = 0;
    for (const RealTrace& trace : realTraces()) {
        const path golden = trace.folder / "inspector.json";
        if (!exists(golden)) {
            continue;
        }
        for (const bool quirks : {false, true}) {
            SCOPED_TRACE(trace.folder);
            dom::parser parser;
            const dom::array blocks = parser.load(golden.string());
            const auto session = openSession(trace.files(true), {.referenceQuirks = quirks});
            ASSERT_EQ(blocks.size(), session->blocks->blocks().size());
            for (std::size_t b = 0; b < blocks.size(); ++b) {
                const dom::element want = blocks.at(b);
                const Block& block = session->blocks->blocks()[b];
                EXPECT_EQ(std::string_view(want["name"]), block.name);
                EXPECT_EQ(std::int64_t(want["bundled_input_index"]), block.bundledInputIndex);
                const dom::array events = want["events"];
                ASSERT_EQ(events.size(), block.events.size());
                for (std::size_t e = 0; e < events.size(); ++e) {
                    expectEvent(events.at(e), *session->trace, block, block.events[e]);
                }
                expectValues(want["run_output"], *session->trace,
                             std::span(block.programOutputs).first(block.firstRunOutputs));
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 0U);
}

// The reference crashes here. The trace has the kernels permute, addmm, permute, addmm, which match `decode`:
// `forward` has a tanh between the two, `encode` is a delegate.
TEST(Conformance, MixedMethodsAreDecode) {
    ET_NEEDS_SHARED_DATA();
    const path root = test::sharedData();
    const auto session = openSession({.trace = root / "traces/multi_method_mixed/trace.etdp",
                                      .record = root / "programs/multi_method/mixed.etrecord",
                                      .debugBuffer = {}});
    ASSERT_EQ(session->blocks->blocks().size(), 2U);
    const Block& block = session->blocks->blocks()[1];
    EXPECT_EQ(session->blocks->blocks()[0].method, "decode");
    EXPECT_EQ(block.method, "decode");
    EXPECT_THAT(session->blocks->warnings(), testing::IsEmpty());
    std::vector<std::int64_t> handles;
    for (const Event& event : block.events) {
        if (event.name.starts_with("native_call_")) {
            handles.push_back(test::handlesOf(event).at(0));
            EXPECT_THAT(opTypes(block, event),
                        testing::ElementsAre("aten.permute_copy.default", "aten.addmm.default"));
        }
    }
    EXPECT_THAT(handles, testing::ElementsAre(1, 1, 2, 2));
}

TEST(Conformance, RecordsOfTheirTracesGiveNoWarning) {
    ET_NEEDS_SHARED_DATA();
    for (const RealTrace& trace : realTraces()) {
        if (!trace.record.empty()) {
            EXPECT_THAT(openSession(trace.files(true))->blocks->warnings(), testing::IsEmpty())
                << trace.folder;
        }
    }
}

TEST(Conformance, RecordsOfOtherProgramsGiveOneWarning) {
    ET_NEEDS_SHARED_DATA();
    const std::vector<RealTrace> traces = realTraces();
    for (const RealTrace& trace : traces) {
        for (const RealTrace& other : traces) {
            if (other.record.empty() || trace.record.empty() || other.record == trace.record) {
                continue;
            }
            const auto session = openSession({trace.folder / "trace.etdp", other.record, {}});
            EXPECT_THAT(session->blocks->warnings(), testing::SizeIs(1))
                << trace.folder.filename() << " with " << other.record;
        }
    }
}

std::string onlyWarning(const path& trace, const path& record) {
    const auto session = openSession({test::sharedData() / trace, test::sharedData() / record, {}});
    EXPECT_THAT(session->blocks->warnings(), testing::SizeIs(1));
    return session->blocks->warnings().empty() ? "" : session->blocks->warnings()[0];
}

TEST(Conformance, FirstContradictionIsNamed) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_THAT(onlyWarning("traces/add_mul_portable/trace.etdp", "programs/simple/portable.etrecord"),
                testing::HasSubstr("instruction 0 ran native_call_mm.out, but the record has aten."));
    EXPECT_THAT(onlyWarning("traces/add_mul_portable/trace.etdp", "programs/simple/xnnpack.etrecord"),
                testing::HasSubstr(
                    "instruction 0 ran native_call_mm.out, but the record has the delegate XnnpackBackend"));
    EXPECT_THAT(onlyWarning("traces/simple_xnnpack/trace.etdp", "programs/simple/portable.etrecord"),
                testing::HasSubstr("instruction 0 ran DELEGATE_CALL, but the record has no delegate"));
}

TEST(Conformance, DetectsHandleMapOfAnotherProgram) {
    ET_NEEDS_SHARED_DATA();
    for (const char* trace : {"simple_portable_debug", "simple_xnnpack", "add_mul_portable"}) {
        EXPECT_NE(onlyWarning(path("traces") / trace / "trace.etdp", "broken/handle_map_other.etrecord"), "");
    }
}

TEST(Conformance, FilesOf2023AreJoined) {
    ET_NEEDS_SHARED_DATA();
    const path legacy = test::sharedData() / "legacy";
    const auto session = openSession({legacy / "etdump_2023.etdp", legacy / "etrecord_2023.bin", {}});
    ASSERT_NE(session, nullptr);
    EXPECT_FALSE(session->blocks->blocks().empty());
    EXPECT_THAT(session->blocks->warnings(), testing::IsEmpty());
}

TEST(Conformance, DamagedTracesGiveBlocksOrOneLine) {
    ET_NEEDS_SHARED_DATA();
    const path record = test::sharedData() / "programs/simple/portable.etrecord";
    std::size_t joined = 0;
    for (const path& file : test::sharedFiles("broken", ".etdp")) {
        for (const path& with : {path(), record}) {
            const auto session = Session::open({file, with, {}});
            if (session) {
                ++joined;
            } else {
                const std::string line = session.error().toString();
                EXPECT_THAT(line, testing::HasSubstr(file.string()));
                EXPECT_FALSE(line.contains('\n'));
            }
        }
    }
    EXPECT_GT(joined, 0U);
}

}  // namespace
}  // namespace et::inspector
