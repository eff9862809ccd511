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

}  // namespace
}  // namespace et::test
