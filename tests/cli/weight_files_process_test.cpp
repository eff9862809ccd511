// Tests that commands reject or report weight files of another export, and accept the right ones.
#include "tests/cli/process.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace et::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class WeightFilesTest : public testing::Test {
  protected:
    void SetUp() override {
        ProgramSpec spec = addProgram();
        spec.methods[0].values[1] =
            TensorSpec{.dataIndex = 1, .extra = ExtraSpec{.name = "w", .location = 1}};
        std::erase(spec.methods[0].inputs, 1);
        write("a.pte", writeProgram(spec));
        write("right.ptd", weights({2, 3}));
    }

    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    void write(const std::string& name, const std::vector<std::byte>& bytes) const {
        std::ofstream(scratch.path() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    [[nodiscard]] static std::vector<std::byte> weights(const std::vector<std::int32_t>& sizes,
                                                        const std::string& key = "w") {
        return writeTensorData({.segments = {{.offset = 0, .size = 24}},
                                .segmentData = std::vector<std::byte>(24),
                                .entries = {{.key = key, .layout = TensorSpec{.sizes = sizes}}}});
    }

    ScratchFolder scratch;
};

TEST_F(WeightFilesTest, RightFilesAreAccepted) {
    const Outcome info = run("et-inspect info a.pte right.ptd");
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, AllOf(ContainsRegex("verdict: +unverified"), HasSubstr("cannot be verified")));
    EXPECT_EQ(info.err, "");
    const Outcome ran = run("et-inspect run a.pte --data right.ptd");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("export")));
    const Outcome fit = run("et-inspect fit a.pte --data right.ptd");
    EXPECT_EQ(fit.code, 0) << fit.out;
    const Outcome alone = run("et-inspect info a.pte --format json");
    EXPECT_THAT(alone.out, HasSubstr("\"verdict\": \"missing\""));
}

TEST_F(WeightFilesTest, OtherLayoutsAreRejected) {
    write("wrong.ptd", weights({3, 2}));
    const Outcome info = run("et-inspect info a.pte wrong.ptd");
    EXPECT_THAT(info.out, HasSubstr("mismatch"));
    EXPECT_THAT(info.err, AllOf(HasSubstr("warning: wrong.ptd: \"w\" is float32 [3, 2]"),
                                HasSubstr("replaced the weights of a.pte")));
    const Outcome ran = run("et-inspect run a.pte --data wrong.ptd");
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, HasSubstr("but the program expects float32 [2, 3]"));
    EXPECT_EQ(run("et-inspect fit a.pte --data wrong.ptd").code, 1);
}

TEST_F(WeightFilesTest, FilesNextToTheProgramMustFit) {
    EXPECT_EQ(run("et-inspect run a.pte").code, 0);
    write("wrong.ptd", weights({3, 2}));
    const Outcome chosen = run("et-inspect run a.pte");
    EXPECT_EQ(chosen.code, 0) << "another file fits: " << chosen.err;
    EXPECT_THAT(chosen.err, HasSubstr("right.ptd"));
    ASSERT_EQ(run("rm right.ptd").code, 0);
    const Outcome refused = run("et-inspect run a.pte");
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("wrong.ptd, found next to it, is not used: \"w\" is float32 [3, 2]"),
                      HasSubstr("--data")));
}

TEST_F(WeightFilesTest, OtherNamesAreRejected) {
    write("other.ptd", weights({2, 3}, "v"));
    const Outcome ran = run("et-inspect run a.pte --data other.ptd");
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, HasSubstr("a.pte needs \"w\", which other.ptd does not contain"));
}

struct PairCase {
    const char* folder;
    const char* verdict;  ///< of a.pte with b.ptd, without an ETRecord
};

class RealPairFilesTest : public testing::TestWithParam<PairCase> {};

TEST_P(RealPairFilesTest, InfoAndVerifyAgreeWithTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const auto run = [&](const std::string& command) {
        return runShell(
            command,
            {.folder = sharedData() / "pairs" / GetParam().folder, .environment = {}, .terminalColumns = {}});
    };
    for (const char* const one : {"a", "b"}) {
        const char* const other = *one == 'a' ? "b" : "a";
        const Outcome right = run(fmt::format("et-inspect info {0}.pte {0}.ptd {0}.etrecord", one));
        EXPECT_THAT(right.out, ContainsRegex("verdict: +match")) << one;
        EXPECT_EQ(right.err, "");
        const Outcome alone = run(fmt::format("et-inspect info {}.pte {}.ptd", one, other));
        EXPECT_THAT(alone.out, ContainsRegex(fmt::format("verdict: +{}", GetParam().verdict)));
        const Outcome wrong = run(fmt::format("et-inspect info {0}.pte {1}.ptd {0}.etrecord", one, other));
        EXPECT_THAT(wrong.out, ContainsRegex("verdict: +mismatch"));
        EXPECT_THAT(wrong.err, HasSubstr("belongs to another export"));
        EXPECT_EQ(run(fmt::format("et-inspect verify {0}.bpte --data {0}.ptd", one)).code, 0) << one;
        const Outcome failed = run(fmt::format("et-inspect verify {}.bpte --data {}.ptd", one, other));
        EXPECT_NE(failed.code, 0);
        EXPECT_THAT(failed.out, HasSubstr(fmt::format("{}.ptd belongs to another export", other)));
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, RealPairFilesTest,
                         testing::Values(PairCase{"cuda_hash_keys", "mismatch"},
                                         PairCase{"cuda_method_keys", "unverified"},
                                         PairCase{"portable_same_sizes", "unverified"},
                                         PairCase{"same_keys_same_shapes", "unverified"}),
                         [](const auto& pair) { return std::string(pair.param.folder); });

}  // namespace
}  // namespace et::test
