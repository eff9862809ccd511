#include "runtime/core/strong_id.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace et::core {
namespace {

static_assert(!std::is_convertible_v<int, InstructionId>, "numbers do not become ids by themselves");
static_assert(!std::is_convertible_v<InstructionId, int>);
static_assert(!std::is_convertible_v<InstructionId, DebugHandle>);
static_assert(std::is_trivially_copyable_v<DebugHandle>);

TEST(StrongIdTest, ComparesByValue) {
    EXPECT_EQ(InstructionId(3), InstructionId(3));
    EXPECT_LT(InstructionId(-1), InstructionId());
}

TEST(StrongIdTest, HashEqualsTheHashOfItsValue) {
    const std::unordered_set<DebugHandle> handles{DebugHandle(1), DebugHandle(2), DebugHandle(1)};
    EXPECT_EQ(handles.size(), 2U);
    EXPECT_TRUE(handles.contains(DebugHandle(2)));
}

}  // namespace
}  // namespace et::core
