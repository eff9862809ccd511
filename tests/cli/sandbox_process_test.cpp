// Tests of the sandbox, with an operator that tries to escape from it.
#include "app/tasks/sandbox/sandbox.h"
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using tasks::SandboxMeans;
using tasks::SandboxMode;

class SandboxProcessTest : public testing::Test {
  protected:
    SandboxProcessTest() {
        fs::create_directory(scratch.path() / "elsewhere");
        writeBytes(scratch.path() / "reach.pte", writeProgram(pluginProgram("reach")));
        fs::create_symlink(ET_FAULTS_PLUGIN, scratch.path() / "faults.so");
        fs::create_symlink(ET_RELU6_PLUGIN, scratch.path() / "relu6.so");
        writeBytes(scratch.path() / "relu6.pte", writeProgram(pluginProgram("relu6")));
    }
    void SetUp() override {
        if (!SandboxMeans::ofThisKernel().complete()) {
            GTEST_SKIP() << "this kernel has no Landlock or no seccomp";
        }
    }
    [[nodiscard]] Outcome run(const std::string& command) {
        return runShell(command, {.folder = scratch.path(),
                                  .environment = {{"ET_REACH", (scratch.path() / "elsewhere/x").string()}},
                                  .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(SandboxProcessTest, OperatorOutsideTheSandboxHasFullAccess) {
    const Outcome outcome = run("et-inspect run reach.pte --plugin ./faults.so --sandbox off");
    EXPECT_NE(outcome.err.find("reached: file removal network program parent"), std::string::npos)
        << outcome.err;
}

TEST_F(SandboxProcessTest, OperatorInTheSandboxHasNoAccess) {
    for (const std::string command : {"run", "bench"}) {
        for (const std::string mode : {"", " --sandbox on"}) {
            const Outcome outcome =
                run("et-inspect " + command + " reach.pte --plugin ./faults.so" + mode + " 2>&1");
            EXPECT_NE(outcome.out.find("reached:\n"), std::string::npos) << outcome.out;
            EXPECT_FALSE(fs::exists(scratch.path() / "elsewhere/x"));
        }
    }
}

TEST_F(SandboxProcessTest, AppliesToVerifyByDefault) {
    for (const std::string how : {"", "--in-process "}) {
        EXPECT_EQ(run("et-inspect bundle reach.pte --input ones --expected ones -o reach.bpte").code, 0);
        const Outcome inside = run("et-inspect verify reach.bpte --plugin ./faults.so " + how);
        EXPECT_NE(inside.out.find("reached:\n"), std::string::npos) << inside.out << inside.err;
        const Outcome outside = run("et-inspect verify reach.bpte --plugin ./faults.so --sandbox off " + how);
        EXPECT_NE(outside.out.find("reached: file removal network program parent"), std::string::npos)
            << outside.out << outside.err;
    }
}

TEST_F(SandboxProcessTest, AppliesToCompareAndBundle) {
    fs::create_directory(scratch.path() / "out");
    for (const std::string command : {"compare reach.pte reach.pte --launches 1 --fail-on never",
                                      "baseline save NAME reach.pte --store s.db --replace",
                                      "bundle reach.pte --input ones --from-run -o out/reached.bpte"}) {
        const Outcome outside = run("et-inspect " + command + " --plugin ./faults.so --sandbox off 2>&1");
        EXPECT_NE(outside.out.find("reached: file removal network program parent"), std::string::npos)
            << command << outside.out;
        fs::remove(scratch.path() / "elsewhere/x");
        const Outcome inside = run("et-inspect " + command + " --plugin ./faults.so 2>&1");
        EXPECT_NE(inside.out.find("reached:\n"), std::string::npos) << command << inside.out;
        EXPECT_FALSE(fs::exists(scratch.path() / "elsewhere/x")) << command;
    }
    const Outcome made = run(
        "et-inspect bundle relu6.pte --input ones --from-run --plugin ./relu6.so --sandbox on -o out/a.bpte");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(fs::is_regular_file(scratch.path() / "out/a.bpte"));
}

TEST_F(SandboxProcessTest, WritesOutputsToTheRequestedPath) {
    fs::create_directory(scratch.path() / "traces");
    writeText(scratch.path() / "traces/linked.etdp", "before");
    fs::create_symlink("traces/linked.etdp", scratch.path() / "link.etdp");
    EXPECT_EQ(
        run("et-inspect run relu6.pte --input ones --plugin ./relu6.so --sandbox on --etdump traces/t.etdp "
            "--debug-buffer d.bin --debug-level outputs -o out/deep --threads 3")
            .err,
        "");
    for (const char* const file : {"traces/t.etdp", "d.bin", "out/deep/run.json", "out/deep/output_0.npy"}) {
        EXPECT_TRUE(fs::is_regular_file(scratch.path() / file)) << file;
    }
    EXPECT_EQ(
        run("et-inspect run relu6.pte --input ones --plugin ./relu6.so --sandbox on --etdump link.etdp").err,
        "");
    EXPECT_GT(fs::file_size(scratch.path() / "traces/linked.etdp"), 100U);
    EXPECT_EQ(run("et-inspect bench relu6.pte --input ones --plugin ./relu6.so --sandbox on --iterations 3 "
                  "--warmup 0 -o b.txt")
                  .err,
              "");
    EXPECT_TRUE(fs::is_regular_file(scratch.path() / "b.txt"));
}

TEST_F(SandboxProcessTest, AFolderForFailuresStaysOnlyWithFailures) {
    EXPECT_EQ(
        run("et-inspect bundle relu6.pte --plugin ./relu6.so --input ones --expected ones -o right.bpte")
            .code,
        0);
    EXPECT_EQ(run("et-inspect verify right.bpte --plugin ./relu6.so --save-failures failed").code, 0);
    EXPECT_FALSE(fs::exists(scratch.path() / "failed"));
    EXPECT_EQ(run("et-inspect bundle relu6.pte --input ones --expected zeros -o wrong.bpte").code, 0);
    EXPECT_EQ(run("et-inspect verify wrong.bpte --plugin ./relu6.so --save-failures failed").code, 1);
    EXPECT_FALSE(fs::is_empty(scratch.path() / "failed"));
}

TEST(Sandbox, ReportsMissingKernelFeatures) {
    const SandboxMeans none;
    const SandboxMeans files{.landlock = 1, .systemCalls = false};
    const SandboxMeans calls{.landlock = 0, .systemCalls = true};
    EXPECT_EQ(sandboxLack(SandboxMode::Off, none).value(), "");
    EXPECT_NE(sandboxLack(SandboxMode::Auto, none).value().find("neither"), std::string::npos);
    EXPECT_NE(sandboxLack(SandboxMode::Auto, files).value().find("no seccomp"), std::string::npos);
    EXPECT_NE(sandboxLack(SandboxMode::Auto, calls).value().find("no Landlock"), std::string::npos);
    for (const SandboxMeans& means : {none, files, calls}) {
        const auto refused = sandboxLack(SandboxMode::On, means);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, core::ErrorCode::Unsupported);
    }
}

}  // namespace
}  // namespace et::test
