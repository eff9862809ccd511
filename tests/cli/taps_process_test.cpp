// Tests of values inside the delegate of a real program, from the run to the table.

#include "tests/cli/transcript.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace et::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class TapsProcessTest : public testing::Test {
  protected:
    void SetUp() override { ET_NEEDS_SHARED_DATA(); }

    std::string ask(const std::string& arguments) {
        const Outcome answer =
            replay({.comment = {}, .command = "et-inspect " + arguments, .setup = {}, .expected = {}},
                   folder.path());
        EXPECT_EQ(answer.code, 0) << answer.err;
        EXPECT_EQ(answer.err, "");
        return answer.out;
    }

    /// Returns the taps section of a run's JSON output.
    std::string run(const std::string& taps) {
        const std::string json =
            ask(fmt::format("run {}.bpte --taps '{}' --etdump t.etdp --debug-buffer t.bin --format json",
                            model.string(), taps));
        return json.substr(std::min(json.find("\"taps\""), json.size()));
    }

    ScratchFolder folder;
    std::filesystem::path model = sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack_q8";
};

TEST_F(TapsProcessTest, ReportsChangedFusions) {
    // Value 4 belongs to a convolution, handle 56 to the following activation, which is otherwise fused into
    // it.
    EXPECT_EQ(run("4|handle:56"),
              "\"taps\": [{\"chain\": 0, \"instruction\": 0, \"values\": 2, \"runs\": 1, \"operators\": 71, "
              "\"operators_with_taps\": 72, \"changed_operators\": [\"Convolution (NHWC, QC8) IGEMM #1\"], "
              "\"changed_runs\": 0, \"changed_outputs\": [], \"failure\": null}]}\n");
    EXPECT_THAT(run("Add$"),
                HasSubstr("\"values\": 10, \"runs\": 1, \"operators\": 71, \"operators_with_taps\": 71, "
                          "\"changed_operators\": []"));
    EXPECT_THAT(run("all"), HasSubstr("\"values\": 106, "));
}

TEST_F(TapsProcessTest, TheTableShowsThemWithTheirEdgeNodes) {
    run("4|handle:56");
    const std::string table =
        ask(fmt::format("t.etdp t.bin {}.etrecord --columns "
                        "event_name,debug_handles,handle_source,op_types,debug_data --format tsv",
                        model.string()));
    EXPECT_THAT(table, HasSubstr("\t4\t[55]\tdelegate_metadata\t['aten.convolution.default'"));
    EXPECT_THAT(
        table,
        HasSubstr(
            "\tConvolution (NHWC, QC8) IGEMM #1\t[55, 56]\tdelegate_metadata\t['aten.convolution.default'"));
    const std::string row = table.substr(table.find("\tConvolution (NHWC, QC8) IGEMM #1\t"));
    EXPECT_THAT(row.substr(0, row.find('\n')), HasSubstr("'shape': [1, 48, 48, 16]"));
    EXPECT_THAT(table, Not(HasSubstr("unmapped_delegate")));
}

/// A trace with the arguments of an MLX delegate, but no values inside, of other inputs than the record's.
TEST(WholeDelegateTest, NodesAreRankedBySensitivity) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const auto ask = [&](const std::string& command) {
        return replay({.comment = {}, .command = "et-inspect " + command, .setup = {}, .expected = {}},
                      folder.path());
    };
    const std::string model = (sharedData() / "mlx" / "mlp").string();
    const Outcome traced = ask(
        fmt::format("run {}.pte --input random --seed 3 --etdump t.etdp --debug-buffer t.bin --debug-level "
                    "intermediates",
                    model));
    ASSERT_EQ(traced.code, 0) << traced.err;
    const Outcome gap = ask(fmt::format("gap t.etdp t.bin {}.etrecord --bisect --format csv", model));
    EXPECT_EQ(gap.code, 1) << gap.err;
    EXPECT_THAT(gap.err, HasSubstr("can only be compared as a whole"));
    // The last layer makes the outputs: they change by as much as its result.
    EXPECT_THAT(gap.out, testing::ContainsRegex("aten_linear_default_2'[^\n]*sensitivity 1\n"));
    EXPECT_THAT(gap.out, testing::ContainsRegex("aten_relu_default'[^\n]*sensitivity [0-9.]+\n"));
}

}  // namespace
}  // namespace et::test
