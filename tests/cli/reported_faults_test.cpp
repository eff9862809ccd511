// Tests files of reported faults, each in a folder of the shared data with a description, for the expected
// results.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

namespace et::test {
namespace {

struct Report {
    const char* name;
    const char* command;  ///< run in a scratch folder; $R is the folder of the report
    int code = 0;
    const char* output = "";       ///< part of its output or messages
    const char* absent = nullptr;  ///< not in its output and messages
};

void PrintTo(const Report& report, std::ostream* out) {
    *out << report.name;
}

constexpr Report reports[] = {
    {.name = "GapNamesTheRecordInErrors",
     .command = "et-inspect sample conv_net > /dev/null && "
                "et-inspect gap conv_net.pte $R/cli/gap_no_file_name_0.etrecord",
     .code = 2,
     .output = "gap_no_file_name_0.etrecord: the record belongs to another program"},
    {.name = "ReplanInterruptedInEndlessLoop",
     .command = "timeout --preserve-status -s INT 0.4 env --default-signal=INT et-inspect replan "
                "$R/cli/replan_endless_loop.pte -o out.pte; code=$?; test ! -e out.pte && exit $code",
     .code = 130,
     .output = "et-inspect: interrupted"},
    {.name = "RecordFollowsItsProgram",
     .command = "et-inspect sample conv_net > /dev/null && "
                "et-inspect delegates --measure conv_net.etrecord conv_net.pte --time 0 && "
                "et-inspect lower conv_net.pte conv_net.etrecord --dry-run"},
    {.name = "GapPixelShuffle",
     .command = "et-inspect gap $R/gap_false_pixel_shuffle/xnnpack.bpte "
                "$R/gap_false_pixel_shuffle/xnnpack.etrecord --bisect",
     .output = "XNNStaticTranspose"},
    {.name = "ClampAfterSumHasItsModule",
     .command = "et-inspect run $R/../quant/resnet8/float.bpte --case 0 --etdump t.etdp > /dev/null && "
                "et-inspect t.etdp $R/../quant/resnet8/float.etrecord --columns event_name,module "
                "--format csv",
     .output = "Clamp (NC) #1,b1\n"},
    {.name = "BatchNormRunsAsConvolution",
     .command = "et-inspect run $R/../programs/xnn_modes/per_op.bpte --case 0 --etdump t.etdp > /dev/null && "
                "et-inspect t.etdp $R/../programs/xnn_modes/per_op.etrecord",
     .output = "aten.convolution.default",
     .absent = "does not fit"},
    {.name = "GapLinearOnThreeDimensions",
     .command =
         "et-inspect lower $R/gap_false_linear_bmm/portable.etrecord -o l.pte --etrecord-out l.etrecord && "
         "et-inspect bundle l.pte --cases-from $R/gap_false_linear_bmm/portable.bpte -o l.bpte && "
         "et-inspect gap l.bpte l.etrecord --bisect"},
    {.name = "GapOfKernelsThatWriteToAnArgument",
     .command = "M=$R/../llm/models/tiny-a/portable_fp32 && "
                "et-inspect lower $M.etrecord -o l.pte --etrecord-out l.etrecord && "
                "et-inspect bundle l.pte --cases-from $M.bpte -o l.bpte && "
                "et-inspect gap l.bpte l.etrecord --bisect",
     .absent = "own error not computed"},
    {.name = "GapOfOneDynamicScaleForAllRows",
     .command = "M=$R/../llm/models/tiny-a/portable_fp32 && "
                "et-inspect quantize $M.etrecord --scheme w8a8-dynamic -o l.pte --etrecord-out l.etrecord && "
                "et-inspect bundle l.pte --cases-from $M.bpte -o l.bpte && "
                "et-inspect gap l.bpte l.etrecord --bisect",
     .absent = "own error not computed"},
    {.name = "GapQuantizedActivation",
     .command = "et-inspect gap $R/gap_false_q8_relu_float_reader/q8.bpte "
                "$R/gap_false_q8_relu_float_reader/q8.etrecord --bisect"},
    {.name = "GapNamesBufferWithoutFirstValues",
     .command = "et-inspect gap $R/state_initial_values/copy_state.portable.bpte "
                "$R/state_initial_values/copy_state.portable.etrecord --bisect",
     .code = 1,
     .output = "the program has no first values for buffer \"buffer\""},
    {.name = "FindingsNameBufferWithoutFirstValues",
     .command = "et-inspect findings $R/state_initial_values/copy_state.portable.pte "
                "$R/state_initial_values/copy_state.portable.etrecord",
     .output = "no first values for buffer `buffer`"},
    {.name = "InfoCountsStateWithoutFirstValues",
     .command = "et-inspect info $R/state_initial_values/copy_state.portable.pte",
     .output = "mutable tensors starting at zero: 1"},
    {.name = "LowerKeepsFirstValues",
     .command = "et-inspect lower $R/state_initial_values/copy_state.portable.etrecord -o l.pte "
                "--etrecord-out l.etrecord && "
                "et-inspect bundle l.pte --cases-from $R/state_initial_values/copy_state.portable.bpte "
                "-o l.bpte && et-inspect gap l.bpte l.etrecord --bisect"},
    {.name = "RunFindsTensorData",
     .command = "et-inspect run $R/run_ptd/xnnpack.pte",
     .output = "found next to"},
    {.name = "GapFindsTensorData",
     .command = "et-inspect gap $R/run_ptd/xnnpack.bpte $R/run_ptd/xnnpack.etrecord --bisect"},
    {.name = "WordsWithJoiningCharacters",
     .command =
         "printf "
         "'\\331\\206\\333\\214\\331\\205\\342\\200\\214\\331\\201\\330\\247\\330\\265\\331\\204\\331\\207 "
         "a' | et-inspect tokenize --tokenizer $R/tok_whitespace_zwj/tokenizer.json",
     .output = "3 4"},
    {.name = "TokenizerWithTruncation",
     .command = "et-inspect tokenize --tokenizer $R/tok_truncation_padding/trunc/tokenizer.json --text "
                "'Hello world'",
     .output = "truncation of the file is not applied"},
    {.name = "LowerMaxPoolWithOneOutput",
     .command = "et-inspect lower $R/lower_max_pool2d/conv_maxpool_linear.etrecord --dry-run",
     .output = "4 of 4 nodes in 1 delegate"},
    {.name = "LowerPrelu",
     .command = "et-inspect lower $R/lower_prelu/xnnpack.etrecord -o l.pte && "
                "et-inspect bundle l.pte --cases-from $R/lower_prelu/xnnpack.bpte -o l.bpte && "
                "et-inspect verify l.bpte && et-inspect lower $R/lower_prelu/xnnpack.etrecord --dry-run",
     .output = "2 of 2 nodes in 1 delegate"},
    {.name = "QuantizePrelu",
     .command = "et-inspect quantize $R/lower_prelu/xnnpack.etrecord --calibrate "
                "$R/lower_prelu/xnnpack.bpte --dry-run",
     .output = "in 1 delegate"},
    {.name = "LowerChannelsLastInput",
     .command = "et-inspect lower $R/lower_channels_last_input/cl_param.portable.etrecord -o l.pte && "
                "et-inspect bundle l.pte --cases-from "
                "$R/lower_channels_last_input/cl_param.portable.bpte -o l.bpte && "
                "et-inspect verify l.bpte && et-inspect info l.pte",
     .output = "[0, 2, 3, 1]"},
    {.name = "BundleChannelsLastCases",
     .command = "et-inspect bundle $R/bundle_channels_last/portable.pte --cases-from "
                "$R/bundle_channels_last/portable.bpte -o new.bpte && et-inspect verify new.bpte",
     .output = "1 pass"},
    {.name = "LowerScan",
     .command = "et-inspect lower $R/lower_scan/portable.etrecord -o l.pte && "
                "et-inspect bundle l.pte --cases-from $R/lower_scan/portable.bpte -o l.bpte && "
                "et-inspect verify l.bpte",
     .output = "1 pass"},
    {.name = "LowerScalarOperand",
     .command = "et-inspect lower $R/lower_scalar_operand/xnnpack.etrecord -o l.pte && "
                "et-inspect bundle l.pte --cases-from $R/lower_scalar_operand/xnnpack.bpte -o l.bpte && "
                "et-inspect verify l.bpte && "
                "et-inspect lower $R/lower_scalar_operand/xnnpack.etrecord --dry-run",
     .output = "3 of 3 nodes in 1 delegate, 1 instruction"},
    {.name = "TokenizerConfigWithLargeInteger",
     .command = "et-inspect tokenize --tokenizer $R/tokenizer_config_bigint/tokenizer.json --text Hello"},
    {.name = "TruncatedProgram",
     .command = "et-inspect info $R/cut_short_and_wrappers/cut.pte",
     .code = 3,
     .output = "the file is cut short: 5648 bytes expected, 3000 there"},
    {.name = "GitLfsPointerInInfo",
     .command = "et-inspect info $R/cut_short_and_wrappers/lfs.pte",
     .code = 3,
     .output = "a Git LFS pointer to a file of 3694116 bytes: git lfs pull"},
    {.name = "GitLfsPointerInRun",
     .command = "et-inspect run $R/cut_short_and_wrappers/lfs.pte",
     .code = 3,
     .output = "a Git LFS pointer to a file of 3694116 bytes: git lfs pull"},
    {.name = "GitLfsPointerAsRecord",
     .command = "et-inspect sensitivity $R/cut_short_and_wrappers/lfs.pte",
     .code = 3,
     .output = "a Git LFS pointer"},
    {.name = "GzipInRun",
     .command = "et-inspect run $R/cut_short_and_wrappers/a.pte.gz",
     .code = 3,
     .output = "compressed with gzip"},
    {.name = "ZipInInfo",
     .command = "et-inspect info $R/cut_short_and_wrappers/a.zip",
     .code = 3,
     .output = "a ZIP archive"},
    {.name = "ZipInRun",
     .command = "et-inspect run $R/cut_short_and_wrappers/a.zip",
     .code = 3,
     .output = "a ZIP archive"},
    {.name = "WebPageInInfo",
     .command = "et-inspect info $R/cut_short_and_wrappers/html.pte",
     .code = 3,
     .output = "a web page"},
    {.name = "DifferentScalesInRun",
     .command = "et-inspect run $R/xnn_slice_scale/slice_scale.pte --input ones",
     .code = 3,
     .output = "scale of value 6 (0.0151) differs from that of its input, value 4 (0.00751042): XNNPACK "
               "requires equal ones"},
    {.name = "MethodsInTheOrderGiven",  // set_state of this file writes no state, and forward must not run
     .command = "et-inspect verify $R/method_order/st.bpte --method set_state,get_state",
     .code = 1,
     .output = "get_state, case 0: output 0: element [1, 1] of float32 [2, 2]: expected 5, got 0"},
    {.name = "EmulationOfOperatorsWithNewHandles",
     .command = "et-inspect verify $R/../mlx/dynamic.bpte --etrecord $R/../mlx/dynamic.etrecord",
     .output = "1 file: 1 pass, 0 fail, 0 error (3 cases)"},
    {.name = "EmulationOfBuffersInsideADelegate",
     .command =
         "et-inspect verify $R/../native_pte/counter.bpte --etrecord $R/../native_pte/counter.etrecord",
     .output = "1 file: 1 pass, 0 fail, 0 error (2 cases)"},
    {.name = "MoveSharesMemoryInVerify",
     .command = "et-inspect verify $R/cond_move_alias/cond2.portable.bpte",
     .code = 1,
     .output = "1 file: 0 pass, 1 fail, 0 error"},
    {.name = "MoveSharesMemoryInMemory",
     .command = "et-inspect memory $R/cond_move_alias/cond2.portable.pte",
     .output = "values 7 (moved to 2) and 19 overlap in arena 1 while both are alive at instruction 10"},
    {.name = "MoveSharesMemoryInFindings",
     .command = "et-inspect findings $R/cond_move_alias/cond2.portable.pte",
     .output = "values 7 (moved to 2) and 19 overlap in arena 1 while both are alive at instruction 10"},
    {.name = "ReplanSeparatesMovedValues",
     .command = "et-inspect replan $R/cond_move_alias/cond2.portable.bpte -o separate.bpte && "
                "et-inspect verify separate.bpte",
     .output = "1 file: 1 pass, 0 fail, 0 error"},
    {.name = "NewerSchemaInInfo",
     .command = "et-inspect info $R/schema_version_newer/version1.pte",
     .code = 0,
     .output = "schema version 1 is newer than the highest (0) that ExecuTorch reads"},
    {.name = "NewerSchemaInFindings",
     .command = "et-inspect findings $R/schema_version_newer/version1.pte",
     .code = 0,
     .output = "schema version 1 is newer than the highest (0) that ExecuTorch reads"},
    {.name = "EscapeSequencesInTables",
     .command = "et-inspect findings $R/cli/esc.pte",
     .output = "f\\x1b[32mw │"},
    {.name = "NewerSchemaInFit",
     .command = "et-inspect fit $R/schema_version_newer/version1.pte",
     .code = 1,
     .output = "schema version 1 is newer than the highest (0) that ExecuTorch reads"},
    {.name = "DifferentScalesInFit",
     .command = "et-inspect fit $R/xnn_slice_scale/slice_scale.pte",
     .code = 1,
     .output = "XNNPACK rejected nodes[3] (XNNStaticSlice of qint8)"},
    {.name = "ScratchMemoryInFit",
     .command = "et-inspect fit $R/ethosu_scratch/ethos_scratch64k.pte --target $R/ethosu_scratch/board.yaml",
     .code = 1,
     .output = "temporary pool: 64.0 KiB (65536 bytes) needed"},
    {.name = "QuantizeResultsOfSplit",
     .command = "et-inspect quantize $R/quantize_split/portable.etrecord --calibrate "
                "$R/quantize_split/portable.bpte -o q.pte",
     .output = "2 of 2 sites quantized"},
    {.name = "QuantizeBlocksOnThreeDimensions",
     .command = "et-inspect quantize $R/quantize_w4a8_rank3/portable.etrecord --scheme w4a8-dynamic:32 "
                "--evaluate $R/quantize_w4a8_rank3/portable.bpte -o q.pte",
     .output = "1 of 1 sites quantized"},
    {.name = "QuantizeReportsNanOutputs",
     .command = "et-inspect quantize $R/quantize_nan_exact/fp16_growth.portable.etrecord --scheme fp16 "
                "--evaluate $R/quantize_nan_exact/fp16_growth.portable.bpte -o q.pte",
     .output = "192 of 192 elements are not finite",
     .absent = "exact"},
    {.name = "QuantizeReportsNanOutputsAsJson",
     .command = "et-inspect quantize $R/quantize_nan_exact/fp16_growth.portable.etrecord --scheme fp16 "
                "--evaluate $R/quantize_nan_exact/fp16_growth.portable.bpte -o q.pte --format json",
     .output = "\"sqnr_db\": \"-inf\""},
    {.name = "QuantizeKeepsInfiniteMaskInFloat",
     .command = "et-inspect quantize $R/quantize_inf_mask/portable.etrecord --calibrate "
                "$R/quantize_inf_mask/portable.bpte --evaluate $R/quantize_inf_mask/portable.bpte -o q.pte",
     .output = "39.23 dB"},
    {.name = "SensitivityOfInfiniteMask",
     .command = "et-inspect sensitivity $R/quantize_inf_mask/portable.etrecord --calibrate "
                "$R/quantize_inf_mask/portable.bpte",
     .output = "--keep add",
     .absent = "calibrate on more inputs"},
    {.name = "QuantizeKeepsLargeMaskInFloat",
     .command = "et-inspect quantize $R/sensitivity_mask_constant/finfo_mask.portable.etrecord --calibrate "
                "$R/sensitivity_mask_constant/finfo_mask.portable.bpte --evaluate "
                "$R/sensitivity_mask_constant/finfo_mask.portable.bpte -o q.pte",
     .output = "38.56 dB"},
    {.name = "SensitivityOfExportersQuantizers",
     .command = "et-inspect sensitivity $R/sensitivity_quantized_folded/xnnpack.etrecord --quantized "
                "$R/sensitivity_quantized_folded/q8.etrecord --evaluate "
                "$R/sensitivity_quantized_folded/portable.bpte",
     .output = "all quantized: "},
    {.name = "SensitivityOfLargeMask",
     .command = "et-inspect sensitivity $R/sensitivity_mask_constant/finfo_mask.portable.etrecord "
                "--calibrate $R/sensitivity_mask_constant/finfo_mask.portable.bpte",
     .output = "14.38 ±0.00",
     .absent = "clipped"},
};

class ReportedFault : public testing::TestWithParam<Report> {};

TEST_P(ReportedFault, HasTheExpectedResult) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const Outcome outcome =
        runShell(GetParam().command, {.folder = scratch.path(),
                                      .environment = {{"R", (sharedData() / "reports").string()}},
                                      .terminalColumns = {}});
    EXPECT_EQ(outcome.code, GetParam().code) << outcome.out << outcome.err;
    EXPECT_TRUE((outcome.out + outcome.err).contains(GetParam().output)) << outcome.out << outcome.err;
    if (GetParam().absent != nullptr) {
        EXPECT_FALSE((outcome.out + outcome.err).contains(GetParam().absent)) << outcome.out << outcome.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Reports, ReportedFault, testing::ValuesIn(reports),
                         [](const auto& report) { return std::string(report.param.name); });

}  // namespace
}  // namespace et::test
