// Tests that programs with delegates that cannot run here, emulated from their ETRecords, match PyTorch.

#include "backends/builtin.h"
#include "backends/reference/emulated_delegate.h"
#include "bundled_program/verify.h"
#include "etrecord/record.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"
#include "tests/backends/reference/record_cases.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace et::test {
namespace {

using backends::reference::EmulatedBackend;
using backends::reference::missingBackends;

/// A program with the backends of this build and emulation for the rest.
class EmulatedProgram {
  public:
    EmulatedProgram(const RecordCase& test, bool alsoBuiltin)
        : bundle(bundled_program::Bundle::open(test.bundle)), record(etrecord::Record::open(test.record)) {
        if (!bundle || !record) {
            return;
        }
        program = program::Program::parse((*bundle)->file, (*bundle)->program).value_or(nullptr);
        if (program == nullptr) {
            return;
        }
        if (!alsoBuiltin) {
            backends.assign(backends::builtin().begin(), backends::builtin().end());
        }
        for (const std::string& name : missingBackends(*program, backends)) {
            emulated.push_back(std::make_unique<EmulatedBackend>(name, program, *record, kernels::builtin()));
        }
        for (const auto& each : emulated) {
            backends.push_back(each.get());
        }
        for (const auto& entry : std::filesystem::directory_iterator(test.bundle.parent_path())) {
            const std::string stem = test.bundle.stem().string() + ".";
            if (entry.path().extension() == ".ptd" && entry.path().filename().string().starts_with(stem)) {
                tensorData.push_back(program::TensorData::open(entry.path()).value());
            }
        }
    }

    [[nodiscard]] bool isEmulated() const { return !emulated.empty(); }

    /// Returns the failed checks, one per line.
    [[nodiscard]] std::string verify(const bundled_program::Tolerance& tolerance) const {
        bundled_program::VerifyOptions options;
        options.tolerances = bundled_program::Tolerances(tolerance);
        const auto report = bundled_program::verify(
            **bundle,
            [&] {
                return executor::Module(program, executor::Environment{.kernels = kernels::builtin(),
                                                                       .backends = backends,
                                                                       .tensorData = tensorData,
                                                                       .threads = threads});
            },
            options);
        return report.verdict == bundled_program::Verdict::Pass ? "" : report.message;
    }

  private:
    kernels::ThreadPool threads{2};
    core::Result<std::shared_ptr<const bundled_program::Bundle>> bundle;
    core::Result<std::shared_ptr<const etrecord::Record>> record;
    std::shared_ptr<const program::Program> program;
    std::vector<std::unique_ptr<EmulatedBackend>> emulated;
    std::vector<const executor::Backend*> backends;
    std::vector<std::shared_ptr<const program::TensorData>> tensorData;
};

TEST(EmulationTest, ProgramsOfOtherBackendsMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    std::size_t passed = 0;
    for (const RecordCase& test : recordCases()) {
        const EmulatedProgram program(test, false);
        if (!program.isEmulated()) {
            continue;
        }
        EXPECT_EQ(program.verify(test.tolerance), "") << test.record;
        ++passed;
    }
    EXPECT_GT(passed, 55U);
}

/// Attention has one handle for dozens of nodes, only some of which are delegated; the ETRecord does not show
/// which.
bool isAmbiguous(const RecordCase& test) {
    const std::string model = test.record.parent_path().filename().string();
    return model == "bert_tiny" || model == "kvcache";
}

TEST(EmulationTest, XnnpackProgramsGiveTheSameWithoutXnnpack) {
    ET_NEEDS_SHARED_DATA();
    std::size_t ran = 0;
    for (const RecordCase& test : recordCases()) {
        const EmulatedProgram program(test, true);
        if (program.isEmulated() && !isAmbiguous(test) &&
            test.record.filename().string().starts_with("xnnpack")) {
            EXPECT_EQ(program.verify(test.tolerance), "") << test.record;
            ++ran;
        }
    }
    EXPECT_GT(ran, 15U);
}

/// Cadence and Cortex-M programs have their operators in the plan; nested programs run unchanged.
TEST(EmulationTest, OperatorsOfAcceleratorsAndProgramsWithinRunHere) {
    ET_NEEDS_SHARED_DATA();
    std::size_t ran = 0;
    for (const RecordCase& test : recordCases()) {
        const std::string folder = test.record.parent_path().filename().string();
        const EmulatedProgram program(test, false);
        if (folder == "cadence" || folder == "cortex_m" ||
            test.record.filename().string().contains("executor_backend")) {
            EXPECT_FALSE(program.isEmulated()) << test.record;
            EXPECT_EQ(program.verify(test.tolerance), "") << test.record;
            ++ran;
        }
    }
    EXPECT_GE(ran, 10U);
}

}  // namespace
}  // namespace et::test
