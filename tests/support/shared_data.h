#pragma once

#include "runtime/core/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace et::test {

/// Folder of real ExecuTorch files, optional, next to the checkout.
[[nodiscard]] std::filesystem::path sharedData();
[[nodiscard]] bool hasSharedData();

/// Files below `folder` of the shared data with this extension (".etdp"), sorted.
[[nodiscard]] std::vector<std::filesystem::path> sharedFiles(const std::filesystem::path& folder,
                                                             const std::string& extension);

/// Content of a file; fails the test and returns "" if it cannot be read.
[[nodiscard]] std::string readText(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::byte> readBytes(const std::filesystem::path& path);

}  // namespace et::test

/// First line of a test on real files: skips the test with a message only if the whole folder is missing.
#define ET_NEEDS_SHARED_DATA()                                                             \
    if (!et::test::hasSharedData()) {                                                      \
        GTEST_SKIP() << "SKIPPED: no real ExecuTorch files at " << et::test::sharedData(); \
    }
