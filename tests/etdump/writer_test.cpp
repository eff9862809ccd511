#include "etdump/writer.h"

#include "tests/etdump/rewritten_trace.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <memory>

namespace et::etdump {
namespace {

std::shared_ptr<const Trace> parsed(std::vector<std::byte> bytes) {
    auto trace = Trace::parse(core::MappedFile::fromMemory(std::move(bytes)));
    EXPECT_TRUE(trace) << trace.error().toString();
    return trace ? *trace : nullptr;
}

TEST(TraceWriter, WritesARunOfItsOwnForEventsBeforeAny) {
    TraceWriter writer;
    writer.profile("x", {}, 1, 2);
    const auto trace = parsed(writer.finish().value());
    ASSERT_EQ(trace->runs().size(), 1U);
    EXPECT_EQ(trace->text(trace->runs()[0].name), "Default");
    EXPECT_EQ(trace->eventCount(), 1U);
}

TEST(TraceWriter, IsEmptyAfterwards) {
    TraceWriter writer;
    writer.profile("x", {}, 1, 2);
    ASSERT_TRUE(writer.finish());
    const auto trace = parsed(writer.finish().value());
    EXPECT_EQ(trace->runs().size(), 0U);
    EXPECT_EQ(trace->eventCount(), 0U);
}

TEST(TraceWriter, WritesEqualStringsOnceOrEach) {
    std::vector<std::size_t> sizes;
    for (const SharedStrings shared : {SharedStrings::Yes, SharedStrings::No}) {
        TraceWriter writer(shared);
        for (int i = 0; i < 100; ++i) {
            writer.profile("a name of some length", {.instruction = i}, 1, 2);
        }
        const std::vector<std::byte> bytes = writer.finish().value();
        EXPECT_EQ(parsed(bytes)->eventCount(), 100U);
        sizes.push_back(bytes.size());
    }
    EXPECT_GT(sizes[1], sizes[0] + 99 * 20);
}

TEST(TraceWriter, ReportsFullFlatbuffer) {
    constexpr std::size_t tooMuch = std::size_t{1} << 31;
    const auto untouched = std::make_unique_for_overwrite<std::byte[]>(tooMuch);  // address space only
    TraceWriter writer;
    writer.profile("x", {}, 1, 2, {untouched.get(), tooMuch});
    writer.profile("y", {}, 1, 2);
    const auto full = writer.finish();
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, core::ErrorCode::Limit);
    EXPECT_TRUE(writer.finish());
}

TEST(TraceWriter, RewritesRealTracesWithoutLoss) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : test::sharedFiles("traces", ".etdp")) {
        SCOPED_TRACE(path);
        const auto original = Trace::open(path).value();
        const auto copy = parsed(test::rewrite(*original));
        test::expectEqualTraces(*original, *copy);
    }
}

}  // namespace
}  // namespace et::etdump
