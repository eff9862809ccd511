// Tests that damaged and hostile files yield a result or a one-line error.
#include "etdump/trace.h"
#include "tests/etdump/example_traces.h"
#include "tests/support/shared_data.h"
#include "tests/support/touch_trace.h"

#include <gtest/gtest.h>
#include <simdjson.h>

namespace et::etdump {
namespace {

/// Parses and reads everything. An error must be one line that names the file. Returns whether it was
/// accepted.
bool readsOrSaysWhy(const test::FileBytes& bytes) {
    const auto trace = Trace::parse(core::MappedFile::fromMemory(bytes, "damaged.etdp"));
    if (trace) {
        test::TraceToucher(**trace).touch();
        return true;
    }
    const std::string line = trace.error().toString();
    EXPECT_TRUE(line.starts_with("damaged.etdp: ")) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return false;
}

void expectEveryTruncationRefused(const test::FileBytes& whole) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(readsOrSaysWhy({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}))
            << "cut to " << size << " of " << whole.size() << " bytes";
    }
}

void flipEveryByte(test::FileBytes bytes) {
    for (std::byte& byte : bytes) {
        for (const std::byte pattern : {std::byte{0xFF}, std::byte{0x01}}) {
            byte ^= pattern;
            readsOrSaysWhy(bytes);
            byte ^= pattern;
        }
    }
    EXPECT_TRUE(readsOrSaysWhy(bytes));
}

TEST(DamagedTrace, EveryTruncationOfOurTraces) {
    expectEveryTruncationRefused(test::everyKindOfEvent());
}

TEST(DamagedTrace, EveryFlippedByteOfOurTraces) {
    flipEveryByte(test::everyKindOfEvent());
    flipEveryByte(test::plainWithMissingFields());
}

/// Small real files with diverse contents: tensors of a delegate and of kernels; delegated events.
class DamagedRealTrace : public testing::TestWithParam<const char*> {};

TEST_P(DamagedRealTrace, EveryTruncation) {
    ET_NEEDS_SHARED_DATA();
    expectEveryTruncationRefused(test::readBytes(test::sharedData() / "traces" / GetParam() / "trace.etdp"));
}

TEST_P(DamagedRealTrace, EveryFlippedByte) {
    ET_NEEDS_SHARED_DATA();
    flipEveryByte(test::readBytes(test::sharedData() / "traces" / GetParam() / "trace.etdp"));
}

INSTANTIATE_TEST_SUITE_P(Shared, DamagedRealTrace,
                         testing::Values("simple_portable_debug", "simple_xnnpack_debug",
                                         "multi_method_mixed"),
                         [](const auto& trace) { return std::string(trace.param); });

TEST(DamagedTrace, BrokenFilesGetTheVerdictOfTheirManifest) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "broken";
    simdjson::dom::parser parser;
    std::size_t traces = 0;
    for (const simdjson::dom::element entry : parser.load((folder / "manifest.json").string()).get_array()) {
        const std::string_view file = entry["file"];
        if (!file.ends_with(".etdp")) {
            continue;
        }
        SCOPED_TRACE(file);
        ++traces;
        const bool read = readsOrSaysWhy(test::readBytes(folder / file));
        const std::string_view verdict = entry["verdict"];
        EXPECT_TRUE(verdict == "any" || (verdict == "error" && !read)) << verdict;
    }
    EXPECT_GT(traces, 0U);
}

}  // namespace
}  // namespace et::etdump
