// Damaged packages whose checksums are right: each is read, or refused in one line.
#include "app/samples/native_package.h"
#include "runtime/native/writer.h"
#include "tests/fuzz/support/drive_package.h"
#include "tests/fuzz/support/mutate_zip.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace et::native {
namespace {

/// Flips bits, replaces numbers by extreme ones, and removes or repeats a part.
void mutate(std::string& content, std::mt19937_64& random) {
    const auto position = [&] { return static_cast<std::size_t>(random() % content.size()); };
    for (std::size_t count = 1 + random() % 4; count > 0 && !content.empty(); --count) {
        const std::size_t at = position();
        switch (random() % 5) {
            case 0:
                content[at] = static_cast<char>(random());
                break;
            case 1:
                content[at] = static_cast<char>(content[at] ^ (1 << (random() % 8)));
                break;
            case 2:
                content.replace(at, 4, std::string(4, random() % 2 == 0 ? '\xff' : '\0'));
                break;
            case 3:
                content.erase(at, 1 + random() % 16);
                break;
            default:
                content.insert(at, content.substr(position(), 1 + random() % 16));
        }
    }
}

std::size_t mutantCount() {
    const char* const asked = std::getenv("ET_MUTANTS");  // NOLINT(concurrency-mt-unsafe): no other threads
    constexpr std::size_t usual = 1000;
    return asked == nullptr ? usual : static_cast<std::size_t>(std::atoll(asked));
}

/// Drives this many mutants of the packages in turn; returns how many are valid.
std::size_t driveMutants(const std::vector<std::vector<std::byte>>& packages, std::size_t count) {
    constexpr std::uint64_t seed = 48;
    std::mt19937_64 random(seed);
    std::size_t valid = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto mutant = fuzz::mutateZip(packages[i % packages.size()], random,
                                            [&](std::string& content) { mutate(content, random); });
        valid += fuzz::drivePackage(mutant) ? 1 : 0;
    }
    return valid;
}

TEST(NativeMutants, OfOwnPackage) {
    const samples::PackageContent content = samples::nativeContent();
    const std::vector<std::byte> package = writePackage(content.program, content.tensors).value().joined();
    EXPECT_TRUE(fuzz::drivePackage(package));
    EXPECT_LT(driveMutants({package}, mutantCount()), mutantCount());
}

TEST(NativeMutants, OfRealPackages) {
    ET_NEEDS_SHARED_DATA();
    std::vector<std::vector<std::byte>> packages;
    for (const auto& path : test::sharedFiles("ptn", ".ptn")) {
        packages.push_back(test::readBytes(path));
        EXPECT_TRUE(fuzz::drivePackage(packages.back())) << path;
    }
    EXPECT_LT(driveMutants(packages, mutantCount()), mutantCount());
}

}  // namespace
}  // namespace et::native
