#include "inspector/store/baseline_store.h"

#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;

TEST(BaselineStore, DefaultsToTheUserDataFolder) {
    ASSERT_EQ(setenv("XDG_DATA_HOME", "/data", 1), 0);
    EXPECT_EQ(*BaselineStore::defaultPath(), "/data/et-inspect/baselines.db");
    ASSERT_EQ(setenv("XDG_DATA_HOME", "not/absolute", 1), 0);
    ASSERT_EQ(setenv("HOME", "/home/me", 1), 0);
    EXPECT_EQ(*BaselineStore::defaultPath(), "/home/me/.local/share/et-inspect/baselines.db");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    EXPECT_EQ(BaselineStore::defaultPath().error().code, core::ErrorCode::NotFound);
}

TEST(BaselineStore, OpensOnlyExistingStoresWhenRequested) {
    const test::ScratchFolder folder;
    const auto missing = BaselineStore::open(folder.path() / "s.db", {.mode = OpenMode::Existing});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, core::ErrorCode::NotFound);
    EXPECT_FALSE(fs::exists(folder.path() / "s.db"));
    EXPECT_EQ(BaselineStore::open(folder.path()).error().code, core::ErrorCode::Format);
    EXPECT_EQ(BaselineStore::open("/proc/self/nowhere/s.db").error().code, core::ErrorCode::Io);
}

}  // namespace
}  // namespace et::inspector::store
