// Tests that every real ETRecord runs and matches PyTorch: the Edge graphs of all methods, and the exported
// program.

#include "backends/reference/interpreter.h"
#include "etrecord/record.h"
#include "runtime/kernels/builtin.h"
#include "tests/backends/reference/record_cases.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace et::test {
namespace {

using backends::reference::Interpreter;
using backends::reference::InterpreterOptions;
using backends::reference::Precision;

/// Cases whose expected outputs are not the graph's results.
constexpr std::array<std::string_view, 0> different{};

class RecordsTest : public testing::Test {
  protected:
    using Make = core::Result<std::unique_ptr<Interpreter>> (*)(const etrecord::Record&, std::string_view,
                                                                const InterpreterOptions&);

    /// Runs all cases of a method in order, keeping state. Returns the error, empty if there is none.
    std::string runMethod(const etrecord::Record& record, const bundled_program::TestSuite& suite,
                          const bundled_program::Tolerance& tolerance, Precision precision, Make make) {
        const InterpreterOptions options{
            .kernels = kernels::builtin(), .threads = threads, .precision = precision};
        const auto interpreter = make(record, suite.method, options);
        if (!interpreter) {
            return interpreter.error().toString();
        }
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            const auto outputs = (*interpreter)->run(inputsOf(suite.cases[i]));
            if (!outputs) {
                return fmt::format("case {}: {}", i, outputs.error().toString());
            }
            ++ran;
            if (precision == Precision::AsExported) {
                const auto wrong = difference(*outputs, suite.cases[i].expectedOutputs, tolerance);
                if (!wrong.empty()) {
                    return fmt::format("case {}: {}", i, wrong);
                }
            }
        }
        return {};
    }

    void runAll(Precision precision, Make make, bool onlyForward) {
        for (const RecordCase& test : recordCases()) {
            const std::string name = std::filesystem::relative(test.record, sharedData()).string();
            const auto record = etrecord::Record::open(test.record);
            ASSERT_TRUE(record) << record.error().toString();
            const auto bundle = bundled_program::Bundle::open(test.bundle);
            ASSERT_TRUE(bundle) << bundle.error().toString();
            for (const bundled_program::TestSuite& suite : (*bundle)->suites) {
                if (onlyForward && suite.method != "forward") {
                    continue;
                }
                const std::string wrong = runMethod(**record, suite, test.tolerance, precision, make);
                if (!std::ranges::contains(different, name)) {
                    EXPECT_EQ(wrong, "") << name << " " << suite.method;
                }
            }
        }
    }

    kernels::ThreadPool threads{2};
    std::size_t ran = 0;
};

TEST_F(RecordsTest, EdgeGraphsMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    runAll(Precision::AsExported, Interpreter::edge, false);
    EXPECT_GT(ran, 250U);
}

TEST_F(RecordsTest, EdgeGraphsThatReadWeightsByStepMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    const Make make = [](const etrecord::Record& record, std::string_view method,
                         const InterpreterOptions& options) {
        return Interpreter::edge(record, method, options, backends::reference::Weights::ReadByStep);
    };
    runAll(Precision::AsExported, make, false);
    EXPECT_GT(ran, 250U);
}

TEST_F(RecordsTest, ExportedProgramsMatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    runAll(
        Precision::AsExported,
        [](const etrecord::Record& record, std::string_view, const InterpreterOptions& options) {
            return Interpreter::exported(record, options);
        },
        true);
    EXPECT_GT(ran, 250U);
}

TEST_F(RecordsTest, EdgeGraphsRunInDouble) {
    ET_NEEDS_SHARED_DATA();
    runAll(Precision::Double, Interpreter::edge, false);
    EXPECT_GT(ran, 250U);
}

}  // namespace
}  // namespace et::test
