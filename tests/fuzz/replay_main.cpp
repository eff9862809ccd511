// Runs a fuzz target over files, as an ordinary test: each file unchanged, truncated, and with bytes flipped
// by a seeded generator. A finding is a crash, a sanitizer report or a time-out. `--rounds N` before the
// folders sets how often each file is truncated and flipped.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

int rounds = 40;

void run(const Input& input) {
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

/// Runs a bounded number of truncations and flips, the same in every run.
void runMutations(const Input& input, std::mt19937& random) {
    constexpr std::size_t maxMutatedBytes = std::size_t{1} << 20;
    if (input.empty() || input.size() > maxMutatedBytes) {
        return;
    }
    std::uniform_int_distribution<std::size_t> position(0, input.size() - 1);
    for (int round = 0; round < rounds; ++round) {
        Input mutated = input;
        mutated.resize(position(random));
        run(mutated);
        mutated = input;
        mutated[position(random)] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        run(mutated);
    }
}

std::size_t runFolder(const std::filesystem::path& folder) {
    std::size_t count = 0;
    std::mt19937 random(20261120);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) {
            continue;
        }
        std::ifstream stream(entry.path(), std::ios::binary);
        const Input input{std::istreambuf_iterator<char>(stream), {}};
        run(input);
        runMutations(input, random);
        ++count;
    }
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t count = 0;
    int first = 1;
    if (argc > 2 && std::string_view(argv[1]) == "--rounds") {
        rounds = std::atoi(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; ++i) {
        if (std::filesystem::is_directory(argv[i])) {
            count += runFolder(argv[i]);
        } else {
            std::printf("SKIPPED: no folder %s\n", argv[i]);
        }
    }
    std::printf("replayed %zu files\n", count);
    return count > 0 ? 0 : 1;
}
