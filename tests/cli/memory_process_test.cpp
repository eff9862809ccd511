// Tests the memory report of a real program, from the run to the commands that print it.

#include "tests/cli/transcript.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class MemoryProcessTest : public testing::Test {
  protected:
    void SetUp() override { ET_NEEDS_SHARED_DATA(); }

    std::string ask(const std::string& command) {
        const Outcome answer = replay(
            {.comment = {}, .command = "et-inspect " + command, .setup = {}, .expected = {}}, folder.path());
        EXPECT_EQ(answer.code, 0) << answer.err;
        return answer.out;
    }
    std::string record(const std::string& options) {
        return ask(fmt::format("run {}.bpte --iterations 3 --etdump t.etdp {} --format json", model.string(),
                               options));
    }
    /// Returns the number at a JSON pointer.
    static std::uint64_t number(const std::string& json, std::string_view pointer) {
        simdjson::dom::parser parser;
        std::uint64_t value = 0;
        EXPECT_EQ(parser.parse(json).at_pointer(pointer).get(value), simdjson::SUCCESS) << pointer << json;
        return value;
    }

    ScratchFolder folder;
    std::filesystem::path model = sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack_q8";
};

TEST_F(MemoryProcessTest, TraceMatchesTheReportedMemory) {
    const std::string run = record("--allocations");
    const std::string shown =
        ask(fmt::format("memory {}.bpte --etdump t.etdp --format json", model.string()));
    const std::string delegates =
        ask(fmt::format("delegates {}.bpte --etdump t.etdp --format json", model.string()));
    const std::uint64_t packed = number(run, "/memory/delegates/0/packed_weights");
    const std::uint64_t workspace = number(run, "/memory/delegates/0/workspace");
    EXPECT_GT(packed, 100'000U);
    EXPECT_GT(workspace, 10'000U);
    EXPECT_EQ(number(run, "/memory/packed_weights"), packed);
    EXPECT_EQ(number(run, "/memory/workspace"), workspace);
    EXPECT_EQ(number(shown, "/methods/0/delegates/0/packed_weights"), packed);
    EXPECT_EQ(number(shown, "/methods/0/delegates/0/workspace"), workspace);
    EXPECT_EQ(number(delegates, "/methods/0/delegates/0/packed_weights_bytes"), packed);
    EXPECT_EQ(number(delegates, "/methods/0/delegates/0/workspace_bytes"), workspace);
    EXPECT_THAT(shown, HasSubstr("\"what\": \"peak resident memory\""));
    const std::string sums = ask(fmt::format(
        "sql {}.bpte t.etdp --format csv \"SELECT allocator, sum(bytes) AS bytes FROM allocations GROUP BY "
        "allocator\"",
        model.string()));
    EXPECT_THAT(sums, HasSubstr(fmt::format("forward: packed weights of delegate 0,{}\n", packed)));
    EXPECT_THAT(sums, HasSubstr(fmt::format("forward: workspace of delegate 0,{}\n", workspace)));
    ask(fmt::format("report {}.bpte t.etdp -o page.html", model.string()));
    const std::string page = readText(folder.path() / "page.html");
    EXPECT_THAT(page, HasSubstr("workspace of delegate 0"));
    EXPECT_THAT(page, HasSubstr("packed weights"));
}

TEST_F(MemoryProcessTest, TraceHasNoAllocationsByDefault) {
    record("");
    EXPECT_THAT(ask("info t.etdp"), Not(HasSubstr("workspace")));
}

TEST_F(MemoryProcessTest, BenchShowsTheCostOfEachXnnpackOption) {
    const std::string file = model.string() + ".bpte";
    const std::string json =
        ask(fmt::format("bench {0} {0} --xnnpack-options --iterations 2 --warmup 0 --format json", file));
    const auto row = [&](std::size_t index, const char* key) {
        return number(json, fmt::format("/xnnpack_options/{}/{}", index, key));
    };
    simdjson::dom::parser parser;
    std::vector<std::string> names;
    for (const simdjson::dom::element each : parser.parse(json)["xnnpack_options"].get_array()) {
        names.push_back(fmt::format("{} {}", std::string_view(each["workspace_sharing_mode"]),
                                    std::string_view(each["weight_cache"])));
    }
    EXPECT_THAT(names, testing::ElementsAre("per-model on", "per-model off", "disabled on", "disabled off",
                                            "global on", "global off"));
    EXPECT_EQ(row(2, "workspace"), row(0, "workspace")) << "each model has one delegate";
    EXPECT_EQ(2 * row(4, "workspace"), row(0, "workspace")) << "both models share it";
    EXPECT_GE(row(1, "packed_weights"), row(0, "packed_weights"));
    EXPECT_THAT(ask(fmt::format("bench {} --xnnpack-options --iterations 1 --warmup 0", file)),
                testing::AllOf(HasSubstr("memory ratio"), HasSubstr("disabled")));
}

TEST_F(MemoryProcessTest, OptionsOfXnnpackDoNotChangeOutputs) {
    for (const char* options :
         {"--workspace-sharing-mode disabled", "--workspace-sharing-mode global --weight-cache off"}) {
        EXPECT_THAT(ask(fmt::format("verify {}.bpte {}", model.string(), options)),
                    HasSubstr("1 file: 1 pass, 0 fail"));
    }
}

}  // namespace
}  // namespace et::test
