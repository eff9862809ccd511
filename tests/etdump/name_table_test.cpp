#include "etdump/detail/name_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace et::etdump::detail {
namespace {

constexpr std::uint64_t plenty = 1'000'000;

TEST(NameTable, CountsIdsInOrderOfFirstAppearance) {
    ContentBudget budget(plenty);
    NameTable names(budget);
    EXPECT_EQ(names.intern("b"), NameId(0));
    EXPECT_EQ(names.intern(""), NameId(1));
    EXPECT_EQ(names.intern("a"), NameId(2));
    EXPECT_EQ(names.intern(std::string("b")), NameId(0));
    EXPECT_EQ(std::move(names).take(), (std::vector<std::string_view>{"b", "", "a"}));
}

TEST(NameTable, KeepsIdsWhileItGrows) {
    constexpr std::uint32_t count = 20'000;
    std::vector<std::string> texts;
    for (std::uint32_t i = 0; i < count; ++i) {
        texts.push_back("name " + std::to_string(i));
    }
    ContentBudget budget(plenty);
    NameTable names(budget);
    for (int pass = 0; pass < 2; ++pass) {
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_EQ(names.intern(texts[i]), NameId(i));
        }
    }
}

/// Returns strings of two-word blocks with identical hashes: a difference in the top bit of the first word is
/// preserved by multiplication, and the second word cancels it.
std::vector<std::string> collidingStrings(unsigned blocks) {
    std::vector<std::string> texts;
    for (unsigned choice = 0; choice < 1U << blocks; ++choice) {
        std::string text;
        for (unsigned block = 0; block < blocks; ++block) {
            std::string words(16, 'a');
            if ((choice >> block & 1U) != 0) {
                words[7] = static_cast<char>(words[7] ^ 0x80);    // bit 63 of the first word
                words[15] = static_cast<char>(words[15] ^ 0x80);  // bit 63 of the second
                words[12] = static_cast<char>(words[12] ^ 0x04);  // bit 34 = 63 - 29, the fold
            }
            text += words;
        }
        texts.push_back(text);
    }
    return texts;
}

TEST(NameTable, TellsCollidingStringsApart) {
    const std::vector<std::string> texts = collidingStrings(12);
    ContentBudget budget(plenty);
    NameTable names(budget);
    for (int pass = 0; pass < 2; ++pass) {
        for (std::uint32_t i = 0; i < texts.size(); ++i) {
            ASSERT_EQ(names.intern(texts[i]), NameId(i));
        }
    }
}

TEST(NameTable, ChargesALongStringOnceForEachPlace) {
    const std::string text(1'000, 'x');
    const std::string copy = text;
    const std::string other(1'000, 'y');
    ContentBudget budget(500);  // enough to hash four times
    NameTable names(budget);
    const NameId id = names.intern(text);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(names.intern(text), id);
    }
    EXPECT_EQ(names.intern(copy), id);
    EXPECT_FALSE(budget.exceeded());
    EXPECT_EQ(names.intern(other), noName);
    EXPECT_TRUE(budget.exceeded());
}

}  // namespace
}  // namespace et::etdump::detail
