// Tests that et-inspect probe finds the faults of a device with their exact bounds.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Probe : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_symlink(ET_DEVICE_PLUGIN, scratch.path() / "device.so");
        ASSERT_EQ(run("et-inspect sample conv_net && et-inspect lower conv_net.etrecord -o model.pte "
                      "--etrecord-out model.etrecord")
                      .code,
                  0);
    }
    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    /// Runs all rounds on the device.
    [[nodiscard]] Outcome probe(std::string_view fault, std::string_view options = {}) const {
        return run(
            fmt::format("ET_DEVICE_FAULT={0} et-inspect probe model.pte model.etrecord -o {0} --run "
                        "--plugin ./device.so {1}",
                        fault, options));
    }

    ScratchFolder scratch;
};

constexpr const char* exactBand = R"({"first": 168, "last": 192, "right_before": 167, "right_after": 193})";

TEST_F(Probe, FindsABandOfChannels) {
    const Outcome said = probe("channels", "--format json");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr(exactBand)) << said.err;
    simdjson::dom::parser parser;
    simdjson::dom::element json;
    ASSERT_EQ(parser.parse(said.out).get(json), simdjson::SUCCESS) << said.err;
    EXPECT_LE(json["probes"].get_uint64().value(), 200U);
}

TEST_F(Probe, FindsSizesThatAreNotDivisible) {
    const Outcome said = probe("indivisible");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr("not divisible by 4 ")) << said.err;
}

TEST_F(Probe, FindsLostNans) {
    const Outcome said = probe("nan");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, HasSubstr("lose NaN")) << said.err;
}

TEST_F(Probe, FindsAConstantOffset) {
    const Outcome said = probe("offset");
    EXPECT_EQ(said.code, 1) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("constant offset +0.25"), HasSubstr("all tested sizes")))
        << said.err;
}

TEST_F(Probe, ADeviceWithoutFaultsIsRight) {
    const Outcome said = probe("none", "--format json");
    simdjson::dom::parser parser;
    simdjson::dom::element json;
    ASSERT_EQ(parser.parse(said.out).get(json), simdjson::SUCCESS) << said.err;
    EXPECT_EQ(json["backend"].get_string().value(), "xnnpack");
    EXPECT_EQ(json["pending"].get_uint64().value(), 0U);
    for (const simdjson::dom::element finding : json["findings"]) {
        // XNNPACK's matrix products turn NaN into infinity.
        if (finding["tested"].get_string().value() != "NaN") {
            EXPECT_EQ(finding["verdict"].get_string().value(), "right") << simdjson::to_string(finding);
        }
    }
}

TEST_F(Probe, RoundsByHandNarrowToTheSameBand) {
    ASSERT_EQ(run("et-inspect probe model.pte model.etrecord -o probes").code, 0);
    Outcome said;
    for (int round = 0; round < 8 && (round == 0 || said.out.contains(" to run\n")); ++round) {
        const Outcome ran =
            run("ET_DEVICE_FAULT=channels et-inspect verify probes --plugin ./device.so "
                "--save-failures results --save-all");
        ASSERT_LE(ran.code, 1) << ran.err;
        said = run("et-inspect probe --judge results -o probes");
        ASSERT_EQ(said.code, 1) << said.err;
    }
    EXPECT_THAT(said.out, HasSubstr("168 to 192"));
}

TEST_F(Probe, OtherBackendsGetKernelsAndAScript) {
    const Outcome said =
        run("et-inspect probe model.pte model.etrecord -o probes --backend none --max-probes 5");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "probes" / "reexport.py"));
    EXPECT_EQ(run("python3 -m py_compile probes/reexport.py").code, 0);
    EXPECT_EQ(run("et-inspect verify probes").code, 0);
    EXPECT_EQ(run("for f in probes/*.etrecord; do et-inspect lower $f -o lowered.pte || exit; done").code, 0);
}

TEST_F(Probe, NamesMissingFiles) {
    EXPECT_THAT(run("et-inspect probe model.pte -o probes").err,
                HasSubstr("expected MODEL, ETRECORD and --output"));
    EXPECT_THAT(run("mkdir results; et-inspect probe --judge results").err, HasSubstr("expected --output"));
    EXPECT_THAT(run("mkdir p; echo '{\"schema\": 1}' >p/probes.json; et-inspect probe --judge p").err,
                HasSubstr("p/probes.json: model: expected a string"));
}

}  // namespace
}  // namespace et::test
