#include "app/tasks/machine/cache_sizes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace et::tasks {
namespace {

constexpr std::uint64_t kibibyte = 1024;
constexpr int mostLevels = 8;

std::string lineIn(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Parses a size such as "48K" to bytes.
std::uint64_t sizeIn(const std::string& text) {
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text.c_str(), &end, 10);
    return *end == 'K' ? number * kibibyte : *end == 'M' ? number * kibibyte * kibibyte : number;
}

std::vector<DataCache> cachesOfSystem() {
    std::vector<DataCache> caches;
    for (int i = 0; i < mostLevels; ++i) {
        const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
        const std::string level = lineIn(folder + "level");
        const std::uint64_t bytes = sizeIn(lineIn(folder + "size"));
        if (!level.empty() && bytes > 0 && lineIn(folder + "type") != "Instruction") {
            caches.push_back({.level = "L" + level, .bytes = bytes, .shared = level >= "3"});
        }
    }
    return caches;
}

/// Cache sizes from the C library, for systems without the sysfs folder.
std::vector<DataCache> cachesOfLibrary() {
    std::vector<DataCache> caches;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    const std::pair<int, const char*> levels[] = {
        {_SC_LEVEL1_DCACHE_SIZE, "L1"}, {_SC_LEVEL2_CACHE_SIZE, "L2"}, {_SC_LEVEL3_CACHE_SIZE, "L3"}};
    for (const auto& [name, level] : levels) {
        if (const long bytes = ::sysconf(name); bytes > 0) {
            caches.push_back({.level = level,
                              .bytes = static_cast<std::uint64_t>(bytes),
                              .shared = name == _SC_LEVEL3_CACHE_SIZE});
        }
    }
#endif
    return caches;
}

}  // namespace

std::vector<DataCache> dataCaches() {
    std::vector<DataCache> caches = cachesOfSystem();
    if (caches.empty()) {
        caches = cachesOfLibrary();
    }
    if (caches.empty()) {
        caches = {{.level = "L1", .bytes = 32 * kibibyte}, {.level = "L2", .bytes = 256 * kibibyte}};
    }
    std::ranges::sort(caches, {}, &DataCache::bytes);
    return caches;
}

}  // namespace et::tasks
