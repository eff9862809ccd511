#include "tests/support/shared_data.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace et::test {

std::filesystem::path sharedData() {
    return ET_SHARED_DATA_PATH;
}

bool hasSharedData() {
    return std::filesystem::is_directory(sharedData());
}

std::vector<std::filesystem::path> sharedFiles(const std::filesystem::path& folder,
                                               const std::string& extension) {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sharedData() / folder)) {
        if (entry.path().extension() == extension) {
            found.push_back(entry.path());
        }
    }
    std::ranges::sort(found);
    return found;
}

std::string readText(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    EXPECT_TRUE(stream.good()) << "cannot read " << path;
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::byte> readBytes(const std::filesystem::path& path) {
    const std::string text = readText(path);
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

}  // namespace et::test
