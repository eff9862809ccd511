// Tests that operators outside delegates are listed with their cost and reason, and measured inside them.

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace et::test {
namespace {

namespace dom = simdjson::dom;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

class DelegateMeasurementTest : public testing::Test {
  protected:
    Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    dom::element json(const std::string& command) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }
    /// Returns the works of a report by one of their text fields.
    static std::map<std::string, dom::element> worksBy(std::string_view key, dom::element report) {
        std::map<std::string, dom::element> works;
        for (const dom::element work : report["works"].get_array()) {
            works.emplace(std::string(std::string_view(work[key])), work);
        }
        return works;
    }

    /// Savings within noise count as zero; among equal savings the most costly work comes first.
    static void expectMostToWinFirst(dom::element report) {
        std::vector<std::pair<double, double>> order;
        for (const dom::element work : report["works"].get_array()) {
            const bool isSure = work["gain"].is_object() && bool(work["gain"]["certain"]);
            order.emplace_back(isSure ? double(work["gain"]["saved_us"]) : 0, double(work["now_us"]));
        }
        EXPECT_TRUE(std::ranges::is_sorted(order, std::ranges::greater())) << testing::PrintToString(order);
    }

    ScratchFolder scratch;
    dom::parser parser;
    simdjson::padded_string text;
};

TEST_F(DelegateMeasurementTest, ModulesAreMeasuredInsideOfDelegates) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    const dom::element report = json(
        "et-inspect delegates --measure conv_net.pte --etrecord conv_net.etrecord --depth 1 --format json");
    EXPECT_EQ(std::uint64_t(report["delegates"]), 0U);
    EXPECT_EQ(std::uint64_t(report["unmeasured"]), 0U);
    EXPECT_GT(double(report["all"]["saved_us"]), 0);
    const auto works = worksBy("module", report);
    EXPECT_THAT(works, ElementsAre(Key(""), Key("body"), Key("fc"), Key("stem")));
    double sum = 0;
    std::size_t nodes = 0;
    for (const auto& [module, work] : works) {
        sum += double(work["now_us"]);
        nodes += work["nodes"].get_array().value().size();
        EXPECT_EQ(std::string_view(work["rule"]), "") << module;
        EXPECT_GT(double(work["alone_us"]), 0) << module;
        EXPECT_TRUE(work["gain"].is_object()) << module;
    }
    expectMostToWinFirst(report);
    EXPECT_EQ(nodes, std::uint64_t(report["operators"]));
    EXPECT_NEAR(sum, double(report["outside_us"]), 1e-6);
    EXPECT_LT(sum, double(report["total_us"]) * 1.5);
}

TEST_F(DelegateMeasurementTest, WithoutTimeTheMostCostlyIsMeasured) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    const Outcome outcome =
        run("et-inspect delegates --measure conv_net.pte --etrecord conv_net.etrecord --time 0 --width 200");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("more supported by XNNPACK were not measured: increase --time"));
    EXPECT_THAT(outcome.out, HasSubstr("with all supported operators in delegates: "));
}

TEST_F(DelegateMeasurementTest, RemovesFilesOfKilledProcesses) {
    ASSERT_EQ(run("et-inspect sample conv_net -o . && mkdir -p tmp/et-inspect-work-killed tmp/others && "
                  "touch tmp/et-inspect-work-killed/now.pte")
                  .code,
              0);
    const Outcome outcome =
        run("TMPDIR=tmp et-inspect delegates --measure conv_net.pte --etrecord "
            "conv_net.etrecord --time 0 >/dev/null && ls tmp");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "others\n");
}

TEST_F(DelegateMeasurementTest, ARecordOfAnotherProgramIsRefused) {
    ASSERT_EQ(run("et-inspect sample conv_net -o .").code, 0);
    ET_NEEDS_SHARED_DATA();
    const auto programs = sharedData() / "programs";
    const Outcome outcome =
        run(fmt::format("et-inspect delegates --measure {}/bert_tiny/xnnpack.bpte --etrecord "
                        "conv_net.etrecord",
                        programs.string()));
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("conv_net.etrecord"));
}

TEST_F(DelegateMeasurementTest, RulesOfARealProgram) {
    ET_NEEDS_SHARED_DATA();
    const auto program = sharedData() / "programs" / "bert_tiny";
    const dom::element report =
        json(fmt::format("et-inspect delegates --measure {0}/xnnpack.bpte --etrecord {0}/xnnpack.etrecord "
                         "--format json",
                         program.string()));
    EXPECT_EQ(std::uint64_t(report["delegates"]), 8U);
    EXPECT_TRUE(report["all"].is_null());
    const auto works = worksBy("op", report);
    ASSERT_THAT(works, testing::Contains(Key("aten.native_layer_norm.default")));
    const dom::element norm = works.at("aten.native_layer_norm.default");
    EXPECT_EQ(std::string_view(norm["rule"]), "XNNPACK has no such operator");
    EXPECT_THAT(std::string(std::string_view(norm["line"])), HasSubstr(".py:"));
    EXPECT_GT(double(norm["now_us"]), 0);
    EXPECT_THAT(works, Not(testing::Contains(Key("aten.linear.default"))));
}

}  // namespace
}  // namespace et::test
