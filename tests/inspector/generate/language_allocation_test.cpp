// Tests that decoding allocates no memory after warm-up.

#include "inspector/generate/sampler.h"
#include "tests/inspector/generate/real_language.h"
#include "tests/support/allocation_count.h"

#include <cstdint>
#include <vector>

namespace et::test {
namespace {

TEST(LanguageAllocation, DecodingDoesNotAllocate) {
    ET_NEEDS_SHARED_DATA();
    for (const char* variant : {"xnnpack_fp32", "portable_fp32", "xnnpack_2method", "xnnpack_nosdpa_t1"}) {
        RealLanguage language(variant);
        ASSERT_TRUE(language.run.prefill(std::vector<std::uint32_t>(20, 5)));
        inspector::Sampler sampler({.temperature = 0.8, .topP = 0.9}, language.form.vocabulary);
        std::uint32_t id = 5;
        const auto step = [&] { id = sampler.choose(language.run.decode(id)->last()); };
        step();
        step();
        const AllocationCount counted;
        for (int i = 0; i < 50; ++i) {
            step();
        }
        EXPECT_EQ(counted.count(), 0U) << variant;
    }
}

}  // namespace
}  // namespace et::test
