#pragma once

#include "runtime/core/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// Folder of real ExecuTorch files that the checkout may have beside it.
[[nodiscard]] std::filesystem::path sharedData();
[[nodiscard]] bool hasSharedData();

/// Files below `folder` of the shared data with this extension (".etdp"), sorted.
[[nodiscard]] std::vector<std::filesystem::path> sharedFiles(const std::filesystem::path& folder,
                                                             const std::string& extension);

/// Whole content of a file; a test failure and "" when it cannot be read.
[[nodiscard]] std::string readText(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::byte> readBytes(const std::filesystem::path& path);

}  // namespace et::test

/// First line of a test on real files: skips, saying so, only where the whole folder is missing.
#define ET_NEEDS_SHARED_DATA()                                                             \
    if (!et::test::hasSharedData()) {                                                      \
        GTEST_SKIP() << "SKIPPED: no real ExecuTorch files at " << et::test::sharedData(); \
    }
