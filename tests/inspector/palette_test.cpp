// Tests that palette colours are distinguishable from the background and from each other, and that text on
// them is readable.
#include "inspector/format/palette.h"

#include <gtest/gtest.h>

namespace et::inspector::format {
namespace {

constexpr Rgb lightGround = 0xffffff;
constexpr Rgb darkGround = 0x1e2023;

TEST(Palette, ContrastIsThatOfWcag) {
    EXPECT_NEAR(contrast(0x000000, 0xffffff), 21, 1e-9);
    EXPECT_NEAR(contrast(0x777777, 0xffffff), 4.48, 0.005) << "the well-known grey that just fails";
    EXPECT_EQ(contrast(0x123456, 0x654321), contrast(0x654321, 0x123456));
}

TEST(Palette, MeaningsStandOutAndTheirLettersAreReadable) {
    Meaning expected = Meaning::Kernel;
    for (const MeaningInfo& each : meanings()) {
        EXPECT_EQ(each.meaning, expected) << each.id;
        expected = static_cast<Meaning>(static_cast<int>(expected) + 1);
        EXPECT_GE(contrast(each.light, lightGround), 3) << each.id << ": WCAG 1.4.11";
        EXPECT_GE(contrast(each.dark, darkGround), 3) << each.id;
        for (const Rgb ground : {each.light, each.dark}) {
            EXPECT_GE(contrast(inkOn(ground), ground), 4.5) << each.id << " " << hexText(ground);
        }
    }
}

TEST(Palette, EveryGroundHasAReadableInk) {
    for (Rgb ground = 0; ground <= 0xffffff; ground += 0x010307) {
        EXPECT_GE(contrast(inkOn(ground), ground), 4.5) << hexText(ground);
    }
}

}  // namespace
}  // namespace et::inspector::format
