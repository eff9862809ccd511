// Tests that interrupted replan and lower exit with the right code and write no unchecked program, and their
// progress.
#include "runtime/builder/program_builder.h"
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using program::ValueId;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// Builds a program that multiplies matrices in a loop for many minutes.
std::vector<std::byte> slowProgram() {
    builder::ProgramBuilder program;
    builder::MethodBuilder& forward = program.method("forward");
    const ValueId x = forward.input({.sizes = {256, 256}});
    const ValueId product = forward.intermediate({.sizes = {256, 256}});
    const core::InstructionId start = forward.nextInstruction();
    forward.call("aten::mm.out", {x, x}, {product});
    forward.setDestination(forward.jumpFalse(forward.boolean(false)), start);
    forward.output(product);
    return program.finish().value();
}

/// Builds a program with tensors of random sizes and lifetimes, whose smallest plan cannot be proven within
/// an hour.
std::vector<std::byte> scatteredProgram() {
    builder::ProgramBuilder program;
    builder::MethodBuilder& forward = program.method("forward");
    const ValueId x = forward.input({.sizes = {4}});
    std::minstd_rand random(1);
    std::vector<ValueId> alive;
    std::uint64_t offset = 0;
    for (int i = 0; i < 120; ++i) {
        const auto length = static_cast<std::int32_t>(random() % 4096 + 64);
        const ValueId made = forward.intermediate({.sizes = {length}});
        forward.place(made, {.arena = program::ArenaId(1), .offset = offset});
        offset += std::uint64_t{4} * static_cast<std::uint64_t>(length) / 16 * 16 + 16;
        forward.call("aten::neg.out", {alive.empty() ? x : alive[random() % alive.size()]}, {made});
        alive.push_back(made);
        if (alive.size() > 12) {
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(random() % alive.size()));
        }
    }
    forward.output(alive.back());
    return program.finish().value();
}

class ReplanProcessTest : public testing::Test {
  protected:
    /// Starts the command, waits until it handles `signal` and `seconds` more, then sends the signal.
    [[nodiscard]] Outcome interrupt(std::string_view command, std::string_view signal, double seconds = 0) {
        // A shell starts its background jobs with SIGINT ignored. Bit 1 of SigCgt: the process handles
        // SIGINT, and from the same moment on SIGTERM.
        return run(
            fmt::format("env --default-signal=INT,TERM {} & "
                        "until grep -Eqs '^SigCgt:.*[2367abef]$' /proc/$!/status || [ ! -e /proc/$! ]; "
                        "do sleep 0.01; done; sleep {}; kill -{} $! 2>/dev/null; wait $!",
                        command, seconds, signal));
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    [[nodiscard]] bool exists(std::string_view name) const { return fs::exists(scratch.path() / name); }

    ScratchFolder scratch;
};

TEST_F(ReplanProcessTest, AnInterruptedCheckWritesNothing) {
    writeBytes(scratch.path() / "slow.pte", slowProgram());
    const std::string_view command = "et-inspect replan slow.pte -o out.pte";
    const Outcome interrupted = interrupt(command, "INT", 0.2);
    EXPECT_EQ(interrupted.code, 130);
    EXPECT_THAT(interrupted.err, StartsWith("et-inspect: interrupted"));
    EXPECT_THAT(interrupted.out, IsEmpty());
    EXPECT_FALSE(exists("out.pte"));
    const Outcome terminated = interrupt(command, "TERM", 0.2);
    EXPECT_EQ(terminated.code, 143);
    EXPECT_THAT(terminated.err, StartsWith("et-inspect: terminated"));
    EXPECT_FALSE(exists("out.pte"));
}

TEST_F(ReplanProcessTest, AnInterruptedSearchWritesNothing) {
    writeBytes(scratch.path() / "scattered.pte", scatteredProgram());
    const Outcome said =
        interrupt("et-inspect replan scattered.pte --time 3600 --no-check -o out.pte --externalize out.ptd",
                  "INT", 0.2);
    EXPECT_EQ(said.code, 130) << said.out;
    EXPECT_THAT(said.err, StartsWith("et-inspect: interrupted"));
    EXPECT_FALSE(exists("out.pte"));
    EXPECT_FALSE(exists("out.ptd"));
}

TEST_F(ReplanProcessTest, WritesOnlyCheckedFilesWhenInterruptedAtAnyTime) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    for (int i = 0; i < 12; ++i) {
        const Outcome said = interrupt("et-inspect replan conv_net.bpte --time 0.05 -o out.bpte", "INT",
                                       0.01 * static_cast<double>(i));
        if (exists("out.bpte")) {
            if (said.code == 0) {
                EXPECT_THAT(said.out, HasSubstr("bit-identical outputs")) << i;
            } else {
                // The signal arrived after the file was complete.
                EXPECT_EQ(said.code, 130) << i;
                EXPECT_EQ(said.err, "et-inspect: interrupted\n") << i;
            }
            EXPECT_EQ(run("et-inspect verify out.bpte").code, 0) << i;
            fs::remove(scratch.path() / "out.bpte");
        } else {
            EXPECT_EQ(said.code, 130) << said.err;
            // No message: the signal arrived before main().
            EXPECT_THAT(said.err, AnyOf(IsEmpty(), StartsWith("et-inspect: interrupted")));
        }
    }
}

TEST_F(ReplanProcessTest, ReportsProgress) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    const auto phase = [](std::string_view name) { return fmt::format("\"phase\": \"{}\"", name); };
    const Outcome replanned = run("et-inspect replan conv_net.bpte -o out.bpte --progress json");
    EXPECT_EQ(replanned.code, 0);
    EXPECT_THAT(replanned.err,
                AllOf(HasSubstr(phase("plan")), HasSubstr(phase("write")), HasSubstr(phase("check"))));
    const Outcome lowered = run("et-inspect lower conv_net.etrecord -o out.pte --progress json");
    EXPECT_EQ(lowered.code, 0);
    EXPECT_THAT(lowered.err, AllOf(HasSubstr(phase("lower")), HasSubstr(phase("write"))));
    const Outcome tried = run("et-inspect lower conv_net.bpte --dry-run --progress json");
    EXPECT_EQ(tried.code, 0);
    EXPECT_THAT(tried.err, AllOf(HasSubstr(phase("lower")), Not(HasSubstr(phase("write")))));
}

TEST_F(ReplanProcessTest, LoweringWritesAllOrNothingWhenInterrupted) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    for (int i = 0; i < 6; ++i) {
        const Outcome said =
            interrupt("et-inspect lower conv_net.etrecord -o out.pte", "INT", 0.003 * static_cast<double>(i));
        if (exists("out.pte")) {
            EXPECT_EQ(run("et-inspect run out.pte").code, 0) << i;
            fs::remove(scratch.path() / "out.pte");
        } else {
            EXPECT_EQ(said.code, 130) << said.err;
            // Empty: the signal arrived before the program started.
            EXPECT_THAT(said.err, AnyOf(IsEmpty(), StartsWith("et-inspect: interrupted")));
        }
    }
}

}  // namespace
}  // namespace et::test
