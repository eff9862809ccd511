#include "inspector/names/phase_mark.h"

#include <gtest/gtest.h>

namespace et::test {
namespace {

using inspector::parsePhaseMark;
using inspector::PhaseMark;
using inspector::phaseMarkName;

TEST(PhaseMark, NamesReadBack) {
    for (const PhaseMark& mark : {PhaseMark{.phase = "prefill", .call = 0, .position = 0, .tokens = 12},
                                  PhaseMark{.phase = "decode", .call = 7, .position = 19, .tokens = 1},
                                  PhaseMark{.phase = "sample", .call = 7, .position = 20}}) {
        EXPECT_EQ(parsePhaseMark(phaseMarkName(mark)), mark);
    }
    EXPECT_EQ(phaseMarkName({.phase = "decode", .call = 7, .position = 19, .tokens = 1}),
              "decode 7: position 19, 1 token");
}

TEST(PhaseMark, OtherNamesAreNotMarks) {
    for (const char* name : {"", "decode", "decode 7", "decode 7: position", "decode 7: position 1, 2 token",
                             "decode 7: position 1, 1 tokens", "decode 7: position 1, 0 tokens",
                             "De 7: position 1", "decode 7: position 1, 2 tokens ", " 7: position 1",
                             "decode x: position 1", "decode 99999999999999999999999: position 1"}) {
        EXPECT_FALSE(parsePhaseMark(name)) << name;
    }
}

}  // namespace
}  // namespace et::test
