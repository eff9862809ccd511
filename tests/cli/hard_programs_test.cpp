// Tests that programs of the shared data known to be difficult run and match PyTorch.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace et::test {
namespace {

/// Includes a transformer whose attention mask is added with a scale 3,900 times that of its scores.
TEST(HardPrograms, MatchPyTorch) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const auto folder = sharedData() / "programs2";
    ASSERT_TRUE(std::filesystem::exists(folder / "bert_small/xnnpack_q8.bpte"));
    const Outcome outcome = runShell("et-inspect verify " + folder.string(),
                                     {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const std::string passed = std::to_string(sharedFiles(folder, ".bpte").size()) + " pass";
    EXPECT_TRUE(outcome.out.contains(passed)) << outcome.out;
}

}  // namespace
}  // namespace et::test
