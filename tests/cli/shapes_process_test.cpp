// Tests that et-inspect shapes finds faults that only show at a bound, and reports nothing for correct
// programs.
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/cli/shape_models.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Shapes : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_symlink(ET_SHAPE_FAULTS_PLUGIN, scratch.path() / "faults.so");
        writeShapeModel(scratch.path(), "line", {});
        writeShapeModel(scratch.path(), "from4", {.minimum = 4});
        writeShapeModel(scratch.path(), "from20", {.minimum = 20});
        writeShapeModel(scratch.path(), "plane", {.isPlane = true});
        writeShapeModel(scratch.path(), "overlap", {.negOffset = 896});
        writePairModel(scratch.path(), "pair");
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

/// A fault, the model that it is planted in, and the expected report.
struct PlantedFault {
    std::string_view name;
    std::string_view model;
    std::string_view said;
};
constexpr PlantedFault plantedFaults[] = {
    {"upper_last", "line",
     "fail      maximum  s0 = 16: output 0 differs: 1 of 128 elements, the first at [15, 7]"},
    {"upper_nan", "line",
     "fail      maximum  s0 = 16: output 0 differs: 1 of 128 elements, the first at [0, 0]"},
    {"upper_percent", "line", "fail      maximum  s0 = 16: output 0 differs"},
    {"upper_short", "line", "fail      maximum  s0 = 16: output 0 is [15, 8], the graph's is [16, 8]"},
    {"upper_crash", "line", "fail      maximum  s0 = 16: crashed: the process got SIGABRT"},
    {"upper_hang", "line", "fail      maximum  s0 = 16: an execution did not finish in time"},
    {"upper_refused", "line",
     "fail      maximum  s0 = 16: forward: instructions[1] (aten::neg.out): too many rows"},
    {"upper_less_one", "line",
     "fail      inside   s0 = 15: output 0 differs: 1 of 120 elements, the first at [0, 3]"},
    {"lower_last", "line",
     "fail      minimum  s0 = 1: output 0 differs: 1 of 8 elements, the first at [0, 7]"},
    {"lower_zeros", "line", "fail      minimum  s0 = 1: output 0 differs"},
    {"lower_plus_one", "line",
     "fail      inside   s0 = 2: output 0 differs: 1 of 16 elements, the first at [0, 2]"},
    {"never_resized", "line", "fail      minimum  s0 = 1: "},
    {"half_launched", "line", "fail      maximum  s0 = 16: it reads uninitialized memory: "},
    {"no_tail", "line", "fail      inside   s0 = 15: it reads uninitialized memory: "},
    {"first_sizes_kept", "line", "fail      typical  s0 = 3: only after other sizes: output 0 differs"},
    {"columns_unchecked", "line", "fail      fixed    input 0, dimension 1: 7 instead of 8: no error"},
    {"columns_built_in", "line", "fail      fixed    input 0, dimension 1: 7 instead of 8: no error"},
    {"below_crash", "from4", "fail      below    s0 = 3: crashed: the process got SIGABRT"},
    {"below_zeros", "from4", "fail      below    s0 = 3: no error, and output 0 differs"},
    {"corner", "plane",
     "fail      maximum  s0 = 16, s1 = 8: output 0 differs: 1 of 128 elements, the first at [0, 1]"},
    {"other_corner", "plane", "s0 = 16, s1 = 1: output 0 differs: 1 of 16 elements, the first at [0, 0]"},
    {"relation", "pair",
     "fail      relation input 0, dimension 0: 2 instead of 3: no error, but the graph fails: "},
    {"none", "overlap", "fail      maximum  s0 = 16: "},
};

TEST_F(Shapes, FaultsThatShowAtSomeSizesAloneAreAllFound) {
    for (const PlantedFault& fault : plantedFaults) {
        const Outcome said =
            run(fmt::format("ET_SHAPE_FAULT={0} et-inspect shapes {1}.pte --etrecord {1}.etrecord --plugin "
                            "./faults.so --no-times --max-time 1",
                            fault.name, fault.model));
        EXPECT_EQ(said.code, 1) << fault.name << said.out << said.err;
        EXPECT_THAT(said.out, HasSubstr(fault.said)) << fault.name;
        EXPECT_THAT(said.out, HasSubstr("  pass      ")) << fault.name << ": all sizes fail";
    }
}

TEST_F(Shapes, CorrectProgramsHaveNoFindings) {
    for (const char* const model : {"line", "from4", "plane", "pair"}) {
        const Outcome said =
            run(fmt::format("et-inspect shapes {0}.pte --etrecord {0}.etrecord --no-times", model));
        EXPECT_EQ(said.code, 0) << model << said.out << said.err;
        EXPECT_THAT(said.out, HasSubstr(", 0 fail")) << model;
    }
}

TEST_F(Shapes, TheOperatorThatIsWrongIsNamed) {
    const Outcome said =
        run("ET_SHAPE_FAULT=upper_last et-inspect shapes line.pte --etrecord line.etrecord --plugin "
            "./faults.so --no-times");
    EXPECT_THAT(said.out, HasSubstr("; from native_call_neg.out (instruction 1)"));
}

TEST_F(Shapes, BoundsAndRelationsAreFoundWithoutARecord) {
    const Outcome line = run("et-inspect shapes line.pte --no-times");
    EXPECT_EQ(line.code, 0) << line.out << line.err;
    EXPECT_THAT(line.out, HasSubstr("input 0: float32 [d0, d1]"));
    EXPECT_THAT(line.out, HasSubstr("d0 from 1 (runs) to 16 (the program's plan)"));
    const Outcome pair = run("et-inspect shapes pair.pte --no-times");
    EXPECT_THAT(pair.out,
                AllOf(HasSubstr("input 0: float32 [d0, d1]"), HasSubstr("input 1: float32 [d0, d1]")));
    const Outcome from4 =
        run("ET_SHAPE_FAULT=below_crash et-inspect shapes line.pte --plugin ./faults.so --no-times");
    EXPECT_THAT(from4.out, HasSubstr("d0 from 4 (runs) to 16"));
}

TEST_F(Shapes, LocatesTimeStepAndNamesItsOperator) {
    const Outcome said =
        run("ET_SHAPE_FAULT=slow_from_nine et-inspect shapes line.pte --etrecord line.etrecord --plugin "
            "./faults.so --no-checks --dim s0=1..16:3");
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_THAT(said.out, HasSubstr("step from 8 to 9: "));
    EXPECT_THAT(said.out, HasSubstr("by neg.out"));
}

TEST_F(Shapes, JsonAndPictureAgree) {
    const std::string shapes =
        "et-inspect shapes line.pte --etrecord line.etrecord --iterations 5 --dim s0=2..8";
    const Outcome json = run(shapes + " --format json");
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_THAT(json.out, AllOf(HasSubstr(R"("name": "s0", "min": 1, "min_from": "record", "max": 16)"),
                                HasSubstr(R"("sizes": [2, 3, 4, 5, 6, 7, 8])"), HasSubstr(R"("failed": 0)")));
    const Outcome picture = run(shapes + " --format svg");
    EXPECT_EQ(picture.code, 0) << picture.err;
    EXPECT_THAT(picture.out, AllOf(HasSubstr("<svg"), HasSubstr("time of an execution"), HasSubstr(">s0<")));
}

TEST_F(Shapes, ReportsInvalidOptions) {
    EXPECT_THAT(run("et-inspect shapes line.pte --dim s0").err,
                HasSubstr("--dim: expected NAME=FIRST..LAST[:STEP], got \"s0\""));
    EXPECT_THAT(run("et-inspect shapes line.pte --etrecord line.etrecord --dim s9=1..2").err,
                HasSubstr("--dim: no dynamic size \"s9\"; there is s0"));
    EXPECT_THAT(run("et-inspect shapes line.pte --etrecord line.etrecord --dim s0=1..17").err,
                HasSubstr("--dim s0: expected sizes from 1 to 16, got 1 to 17"));
    EXPECT_EQ(run("et-inspect shapes line.pte --etrecord line.etrecord --dim s0=1..16:0").code, 2);
    const Outcome none = run("et-inspect shapes line.pte --etrecord from20.etrecord");
    EXPECT_EQ(none.code, 2) << none.out;
    EXPECT_THAT(none.err,
                HasSubstr("from20.etrecord: no size of s0 is legal: it must be at least 20 and at most 16"));
    const Outcome other = run("et-inspect shapes line.pte --etrecord pair.etrecord");
    EXPECT_EQ(other.code, 2) << other.out;
    EXPECT_THAT(other.err, HasSubstr("pair.etrecord: "));
    EXPECT_EQ(run("et-inspect shapes missing.pte").code, 3);
}

TEST_F(Shapes, ARunTakesRandomInputsOfOtherSizes) {
    const Outcome ran = run("et-inspect run line.pte --input random:5x8 --format json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("[5, 8]"));
    EXPECT_THAT(run("et-inspect run line.pte --input random:17x8").err,
                HasSubstr("expected float32 at most [16, 8], got float32 [17, 8]"));
    EXPECT_THAT(run("et-inspect run line.pte --input zeros:5").err,
                HasSubstr("inputs[0]: expected float32 [16, 8], got zeros:5"));
    EXPECT_EQ(run("et-inspect bench line.pte --iterations 3 --input random:5x8").code, 0);
}

TEST_F(Shapes, ABenchMeasuresOverSizes) {
    const Outcome said =
        run("et-inspect bench line.pte line.etrecord --dim s0=4..16:6 --iterations 3 --format csv");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("\nline.pte,s0,4,"), HasSubstr("\nline.pte,s0,10,"),
                                HasSubstr("\nline.pte,s0,16,")));
    const Outcome table = run("et-inspect bench line.pte line.etrecord --dim s0=1..8 --iterations 3");
    EXPECT_THAT(table.out, HasSubstr("line.pte: time over s0 "));
}

TEST_F(Shapes, RealProgramsHaveNoFindings) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string_view name :
         {"programs/dyn_mlp/portable", "programs/dyn_mlp/xnnpack", "programs/dyn_mlp/xnnpack_q8",
          "programs/dyn_conv/portable", "programs/dyn_conv/xnnpack", "programs/dyn_sym/view",
          "programs/dyn_unbacked/nonzero", "programs/map/dynamic", "programs2/dynbatch_cnn/portable",
          "programs2/dynbatch_cnn/xnnpack_q8", "programs2/encoder_dyn/xnnpack_q8",
          "programs2/encoder_dyn/xnnpack_qd8"}) {
        const Outcome said = run(fmt::format("et-inspect shapes {0}.bpte --etrecord {0}.etrecord --no-times",
                                             (sharedData() / name).string()));
        EXPECT_EQ(said.code, 0) << name << said.out << said.err;
    }
}

}  // namespace
}  // namespace et::test
