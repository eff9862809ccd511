// Writes the fuzzer's seed files: etdump_seeds FOLDER
#include "tests/etdump/example_traces.h"
#include "tests/support/generated_trace.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: etdump_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::pair<const char*, et::test::FileBytes> seeds[]{
        {"every_kind_of_event", et::test::everyKindOfEvent()},
        {"misaligned_sizes", et::test::misalignedSizes()},
        {"overlapping_names", et::test::overlappingNames()},
        {"plain_with_missing_fields", et::test::plainWithMissingFields()},
        {"shared_huge_tensor", et::test::sharedHugeTensor()},
        {"shared_runs", et::test::sharedRuns()},
        {"two_runs", et::test::makeTrace(2, 25)},
    };
    for (const auto& [name, bytes] : seeds) {
        std::ofstream stream(std::filesystem::path(argv[1]) / name, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    return 0;
}
