#include "inspector/trend/moment.h"

#include <gtest/gtest.h>

#include <string>

namespace et::inspector {
namespace {

TEST(Moment, DatesAndMomentsAreUtc) {
    EXPECT_EQ(*utcText("2026-11-25"), "2026-11-25T00:00:00Z");
    EXPECT_EQ(*utcText("2026-11-25T22:14:53Z"), "2026-11-25T22:14:53Z");
    EXPECT_EQ(*utcText("2026-11-25T22:14:53+01:00"), "2026-11-25T21:14:53Z");
    EXPECT_EQ(*utcText("2026-12-31T22:14:53-02:30"), "2027-01-01T00:44:53Z");
    EXPECT_EQ(*utcText("2024-02-29"), "2024-02-29T00:00:00Z");
    EXPECT_EQ(utcText(std::chrono::sys_seconds(std::chrono::seconds(86'400))), "1970-01-02T00:00:00Z");
}

TEST(Moment, AnythingElseIsRefused) {
    for (const char* wrong : {"", "yesterday", "2026-1-2", "2026-13-01", "2026-02-30", "2026-11-25 22:14:53",
                              "2026-11-25T22:14:53", "2026-11-25T24:00:00Z", "2026-11-25T22:14Z",
                              "2026-11-25T22:14:53+0100", "2026-11-25x", "-026-11-25", "1969-12-31",
                              "1970-01-01T00:00:00+01:00", "2026-11-25T22:14:53Zx", "2026-11--5"}) {
        const auto text = utcText(wrong);
        ASSERT_FALSE(text) << wrong << " is " << *text;
        EXPECT_EQ(text.error().code, core::ErrorCode::InvalidArgument);
    }
}

}  // namespace
}  // namespace et::inspector
