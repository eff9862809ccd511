// Tests that a watchpoint or breakpoint finds faults planted into programs, with at most six commands of the
// debugger, and does not stop a correct program.
#include "tests/cli/debug_faults.h"

#include "tests/cli/debug_fault_programs.h"
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/inspector/gap_faults.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace dom = simdjson::dom;
namespace fs = std::filesystem;

/// The last stop of a session.
struct LastStop {
    std::string reason;
    std::int64_t instruction = -1;
    std::vector<std::int64_t> handles;
    std::string message;
};

/// Runs `et-inspect debug` with a script, and returns where it stopped last.
LastStop debug(const std::string& files, const std::string& script) {
    const ScratchFolder folder;
    writeText(folder.path() / "script", script);
    const Outcome outcome = runShell(fmt::format("et-inspect debug --format json --script {} {}",
                                                 (folder.path() / "script").string(), files),
                                     {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    LastStop last;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        dom::parser parser;
        const dom::element answer = parser.parse(line);
        dom::element stop;
        if (answer["stop"].get(stop) != simdjson::SUCCESS) {
            continue;
        }
        last = {};
        last.reason = std::string(std::string_view(stop["reason"]));
        last.instruction = stop["instruction"];
        std::string_view message;
        last.message = stop["message"].get(message) == simdjson::SUCCESS ? message : "";
        for (const dom::element handle : dom::array(stop["debug_handles"])) {
            last.handles.push_back(std::int64_t(handle));
        }
    }
    return last;
}

class PlantedDebugFault : public testing::TestWithParam<DebugFault> {};

TEST_P(PlantedDebugFault, AreFoundWithSixCommands) {
    const PlantedFault fault = GetParam().plant();
    EXPECT_LE(std::ranges::count(fault.script, '\n'), 6);
    const ScratchFolder folder;
    std::string record;
    if (!fault.record.empty()) {
        writeBytes(folder.path() / "model.etrecord", fault.record);
        record = (folder.path() / "model.etrecord").string();
    }
    const auto stopIn = [&](const std::vector<std::byte>& program) {
        const fs::path file = folder.path() / "model.pte";
        writeBytes(file, program);
        return debug(fmt::format("{} {} {}", file.string(), record, fault.arguments), fault.script);
    };
    const LastStop stop = stopIn(fault.faulty);
    EXPECT_EQ(stop.reason, fault.reason) << stop.message;
    EXPECT_EQ(stop.instruction, fault.instruction) << stop.message;
    EXPECT_EQ(stopIn(fault.correct).reason, "end");
}

INSTANTIATE_TEST_SUITE_P(Samples, PlantedDebugFault, testing::ValuesIn(debugFaults()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(DebugFaults, NamesTheInstructionOfACrash) {
    const ScratchFolder folder;
    writeBytes(folder.path() / "model.pte", writeProgram(chainProgram({"aten::abs", "my::crash"})));
    const LastStop stop = debug(
        fmt::format("{} --plugin {} --input 1", (folder.path() / "model.pte").string(), ET_FAULTS_PLUGIN),
        "run\n");
    EXPECT_EQ(stop.reason, "crash");
    EXPECT_EQ(stop.instruction, 1);
}

std::size_t countOf(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

/// Results of plugins are recorded, and so are bytes that they write beyond their results.
TEST(DebugFaults, RepeatsWhatAPluginWroteBeyondItsOutput) {
    const ScratchFolder folder;
    writeBytes(folder.path() / "model.pte", besidePlugin("my::beyond.out"));
    const std::string command =
        fmt::format("et-inspect debug model.pte --plugin {} --input 1", ET_FAULTS_PLUGIN);
    const auto shell = [&](const std::string& line) {
        return runShell(line, {.folder = folder.path(), .environment = {}, .terminalColumns = {}});
    };
    const Outcome ran =
        shell(command +
              " -x 'watch %1' -x run -x continue -x 'print %1' -x 'jump 0' -x continue -x continue "
              "-x 'print %1' -x finish -x 'save run.etdbg'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(countOf(ran.out, "Watchpoint 1: execution 0, after instruction 1 of 3: my.beyond.out"), 2U)
        << ran.out;
    EXPECT_EQ(countOf(ran.out, "are recorded by value"), 1U) << ran.out;
    const Outcome opened = shell(command + " --recording run.etdbg -x 'jump 2' -x 'print %1'");
    EXPECT_EQ(opened.code, 0) << opened.err;
    const std::size_t printed = opened.out.find("%1: ");
    ASSERT_NE(printed, std::string::npos) << opened.out;
    EXPECT_EQ(countOf(ran.out, opened.out.substr(printed)), 2U) << opened.out << ran.out;
}

/// A fault in a real program.
struct RealFault {
    const char* program;
    FaultKind kind;
    std::size_t ordinal;
};

class DebugRealFaults : public testing::TestWithParam<RealFault> {};

TEST_P(DebugRealFaults, AreFoundByTheOwnErrorOfTheOperator) {
    ET_NEEDS_SHARED_DATA();
    const fs::path real = sharedData() / "programs" / GetParam().program;
    const FaultPlanter planter(real.string() + ".bpte");
    const FaultyProgram faulty = planter.plant(GetParam().kind, GetParam().ordinal);
    const ScratchFolder folder;
    const auto stopIn = [&](const std::vector<std::byte>& program) {
        writeBytes(folder.path() / "model.pte", program);
        return debug(fmt::format("{} {}.etrecord", (folder.path() / "model.pte").string(), real.string()),
                     "watch own_error\nrun\n");
    };
    const LastStop stop = stopIn(faulty.bytes);
    EXPECT_EQ(stop.reason, "watchpoint") << stop.message;
    if (faulty.debugHandle >= 0) {
        EXPECT_TRUE(std::ranges::contains(stop.handles, faulty.debugHandle)) << stop.message;
    } else {
        EXPECT_EQ(stop.instruction, faulty.instruction) << stop.message;
    }
    EXPECT_EQ(stopIn(planter.untouched()).reason, "end");
}

INSTANTIATE_TEST_SUITE_P(
    Shared, DebugRealFaults,
    testing::Values(RealFault{"mobilenet_v2_small/xnnpack_q8", FaultKind::WeightSign, 3},
                    RealFault{"mobilenet_v2_small/xnnpack_q8", FaultKind::ChannelSign, 8},
                    RealFault{"mobilenet_v2_small/xnnpack_q8", FaultKind::ZeroPoint, 5},
                    RealFault{"mobilenet_v2_small/xnnpack_q8", FaultKind::Scale, 21},
                    RealFault{"mobilenet_v2_small/xnnpack_q8", FaultKind::Padding, 6},
                    RealFault{"mobilenet_v2_small/xnnpack", FaultKind::ActivationBound, 12},
                    RealFault{"mobilenet_v2_small/xnnpack", FaultKind::Operator, 7},
                    RealFault{"bert_tiny/xnnpack", FaultKind::WeightSign, 1},
                    RealFault{"mobilenet_v2_small/portable", FaultKind::KernelConstant, 9}));

}  // namespace
}  // namespace et::test
