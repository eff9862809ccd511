// Compares traces recorded by et-inspect run with those that the reference recorded of the same programs.
#include "etdump/trace.h"
#include "runtime/archive/zip.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using etdump::DebugTensor;
using etdump::DebugValue;
using etdump::EventIndex;
using etdump::EventKind;
using etdump::Trace;

std::string describe(const DebugValue& value) {
    const auto* tensor = std::get_if<DebugTensor>(&value.value);
    return tensor == nullptr ? fmt::format("value {}", value.value.index())
                             : fmt::format("{} {} {} @{} {}", tensor->scalarType, tensor->sizes,
                                           tensor->strides, tensor->offset, value.programOutput);
}

/// Returns everything of a run except its times.
std::vector<std::string> describe(const Trace& trace, const etdump::Run& run) {
    const etdump::EventColumns& events = trace.events();
    std::vector<std::string> lines{std::string(trace.text(run.name))};
    for (EventIndex i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
        const bool debug = events.kind[i] == EventKind::Debug;
        lines.push_back(fmt::format("{} {} {}/{} {} '{}' {}", static_cast<int>(events.kind[i]),
                                    trace.text(events.name[i]), events.chain[i], events.instruction[i],
                                    events.delegateInt[i], trace.text(events.delegateString[i]),
                                    debug ? describe(trace.debugValue(i)) : ""));
    }
    return lines;
}

std::string_view debugLevel(const Trace& trace) {
    std::string_view level;
    for (EventIndex i = 0; i < trace.eventCount(); ++i) {
        if (trace.events().kind[i] == EventKind::Debug) {
            level =
                trace.debugValue(i).programOutput && level != "intermediates" ? "outputs" : "intermediates";
        }
    }
    return level;
}

/// Records as many runs as the reference, at the same debug level.
std::shared_ptr<const Trace> record(const fs::path& program, const Trace& like, const fs::path& folder) {
    const std::string_view level = debugLevel(like);
    const std::string command = fmt::format(
        "et-inspect run '{}' --iterations {} --etdump trace.etdp {} >/dev/null", program.string(),
        like.runs().size() - 1,
        level.empty() ? "" : fmt::format("--debug-buffer debug_buffer.bin --debug-level {}", level));
    const Outcome answer = runShell(command, {.folder = folder, .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(answer.code, 0) << answer.err;
    return Trace::open(folder / "trace.etdp").value_or(nullptr);
}

void expectSameTrace(const fs::path& program, const fs::path& recorded) {
    SCOPED_TRACE(recorded);
    const ScratchFolder folder;
    const auto theirs = Trace::open(recorded / "trace.etdp").value();
    const auto ours = record(program, *theirs, folder.path());
    ASSERT_NE(ours, nullptr);
    ASSERT_EQ(ours->runs().size(), theirs->runs().size());
    for (std::size_t i = 0; i < ours->runs().size(); ++i) {
        EXPECT_EQ(describe(*ours, ours->runs()[i]), describe(*theirs, theirs->runs()[i])) << "run " << i;
    }
    if (fs::exists(recorded / "debug_buffer.bin")) {
        EXPECT_EQ(fs::file_size(folder.path() / "debug_buffer.bin"),
                  fs::file_size(recorded / "debug_buffer.bin"));
    }
}

TEST(RunConformance, RecordsTheSameEventsAsTheReference) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    int compared = 0;
    for (const simdjson::dom::element each :
         parser.load((sharedData() / "manifest.json").string())["traces"]) {
        const std::string_view name = each["program"];
        const std::string program(name);
        const fs::path path = sharedData() / program;
        if (program.contains("/portable.") && fs::exists(path)) {
            expectSameTrace(path, sharedData() / "traces" / std::string_view(each["trace"]));
            ++compared;
        }
    }
    EXPECT_GE(compared, 4);
}

/// Returns what et-inspect run prints between "outputs" and the times.
std::string outputsOf(const std::string& arguments, const fs::path& folder) {
    const Outcome answer = runShell("et-inspect run --format json " + arguments,
                                    {.folder = folder, .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const std::size_t begin = answer.out.find("\"outputs\"");
    const std::size_t end = answer.out.find("\"executions\"");
    return end == std::string::npos ? "" : answer.out.substr(begin, end - begin);
}

TEST(RunConformance, ReadsInputsThatTorchSaved) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view model : {"simple", "add_mul", "mobilenet_v2_small"}) {
        SCOPED_TRACE(model);
        const fs::path program = sharedData() / "programs" / model / "portable.bpte";
        auto record = core::MappedFile::open(fs::path(program).replace_extension(".etrecord")).value();
        const auto zip = archive::ZipArchive::open(record).value();
        const auto* entry = zip.find("representative_inputs");  // the inputs of the first bundled case
        ASSERT_NE(entry, nullptr);
        const auto content = zip.read(*entry).value();
        const ScratchFolder folder;
        std::ofstream(folder.path() / "x.pt", std::ios::binary)
            .write(reinterpret_cast<const char*>(content.bytes().data()),
                   static_cast<std::streamsize>(content.bytes().size()));
        const std::string bundled = outputsOf("'" + program.string() + "'", folder.path());
        EXPECT_THAT(bundled, testing::HasSubstr("\"first\": ["));
        EXPECT_EQ(outputsOf("'" + program.string() + "' --input x.pt", folder.path()), bundled);
    }
}

}  // namespace
}  // namespace et::test
