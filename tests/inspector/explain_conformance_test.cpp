// Explanations of the real logs of the shared data.
#include "inspector/explain/explanation.h"
#include "tests/inspector/explained_log.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace et::inspector {
namespace {

// Real logs with confirmed causes: words of the cause and of the remedy.
struct SharedCase {
    std::string_view id;
    std::string_view cause;
    std::string_view remedy;
};
constexpr SharedCase sharedCases[] = {
    {"01", "without the XNNPACK backend", "EXECUTORCH_BUILD_XNNPACK=ON"},
    {"02", "linker dropped its registration", "-force_load"},
    {"04", "linker dropped its registration", "--whole-archive"},
    {"06", "random numbers", "pass the noise as an input"},
    {"07", "does not register this overload", "newer"},
    {"09", "optimized kernel library", "Link the optimized kernels"},
    {"10", "not in the core ATen set", "IR check"},
    {"12", "second copy of the runtime", "runtime of the Python extension"},
    {"13", "was not built in this installation", "Python preset"},
    {"15", "training mode", "model.eval()"},
    {"16", "training mode", "model.eval()"},
    {"18", "ceil_mode=True", "ceil_mode=False"},
    {"19", "fixed at 1", "one token at a time"},
    {"21", "fixed at 27", "dynamic_shapes"},
    {"22", "reduces the rank", "contiguous format"},
    {"24", "channels-last", ".contiguous()"},
    {"25", "scalar tensor", "shape [1]"},
    {"27", "half precision", "float32"},
    {"28", "different scales or zero points", "share the parameters"},
    {"29", "per-channel weights", "is_per_channel=True"},
    {"30", "SME kernels", "XNNPACK_ENABLE_ARM_SME2=OFF"},
    {"32", "not at this path", "Push the file"},
    {"34", "memlock", "plain mmap"},
    {"35", "incompatible revisions", "same revision"},
    {"36", "memory planned", "Ignore it"},
    {"38", "method pool is too small", "Enlarge the method allocator pool"},
    {"39", "too small for the memory plan", "Enlarge the runner's pool"},
    {"41", ".got", ".init_array"},
    {"42", "another chipset", "device's own chipset"},
    {"44", "libc++", "LD_LIBRARY_PATH"},
    {"45", "no shader variant", "outside of the delegate"},
    {"47", "more than four dimensions", "5-D"},
    {"48", "iOS 16", "deployment target"},
    {"50", "falls back to 128", "Export the model again"},
    {"51", "linker dropped", "regex_lookahead"},
    {"53", "different NDKs", "26.x"},
    {"56", "cannot be loaded", "by hand"},
    {"57", "not lowered to a delegate", "import executorch.kernels.quantized"},
    {"59", "cannot be fused", "after the convolution"},
    {"60", "Metal device", "Apple silicon"},
};

std::string logOf(const std::filesystem::path& file) {
    simdjson::dom::parser parser;
    const std::string text = test::readText(file);
    const simdjson::dom::element document = parser.parse(text);
    return std::string(std::string_view(document["log"]));
}

TEST(ExplainConformance, RealLogsGetTheConfirmedCause) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "logs";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "SKIPPED: no logs";
    }
    std::size_t found = 0;
    for (const SharedCase& each : sharedCases) {
        const std::string name = std::string(each.id) + ".json";
        const auto nested = folder / "cases" / name;
        const auto file = std::filesystem::exists(nested) ? nested : folder / name;
        const Explanation answer = explained(logOf(file));
        const std::size_t rank = rankOf(answer, each.cause, each.remedy);
        EXPECT_TRUE(rank == 1 || rank == 2) << each.id << ": " << rank << '\n' << listed(answer);
        EXPECT_TRUE(rank == 1 || answer.causes.front().confidence != Confidence::Certain) << each.id;
        found += rank == 1 || rank == 2 ? 1 : 0;
    }
    EXPECT_EQ(found, std::size(sharedCases));
}

/// Every message that the shared list of patterns has is known.
TEST(ExplainConformance, ListedMessagesAreKnown) {
    ET_NEEDS_SHARED_DATA();
    const auto file = test::sharedData() / "logs" / "patterns.json";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << "SKIPPED: no logs";
    }
    simdjson::dom::parser parser;
    const std::string text = test::readText(file);
    const simdjson::dom::element document = parser.parse(text);
    const simdjson::dom::array patterns = document;
    std::string unknown;
    for (const simdjson::dom::element each : patterns) {
        const std::string_view example = each["example"];
        if (scanLog(example).sightings.empty()) {
            unknown += std::string(std::string_view(each["id"])) + ": " + std::string(example) + '\n';
        }
    }
    EXPECT_EQ(unknown, "");
}

}  // namespace
}  // namespace et::inspector
