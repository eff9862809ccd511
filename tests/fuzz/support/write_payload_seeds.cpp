// Writes each sample payload to a separate file: xnnpack_seeds FOLDER

#include "backends/xnnpack/format/write_payload.h"
#include "tests/fuzz/support/sample_payloads.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: xnnpack_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    std::filesystem::create_directories(folder);
    for (const et::fuzz::SamplePayload& sample : et::fuzz::samplePayloads()) {
        const auto bytes = et::backends::xnnpack::writePayload(sample.payload);
        std::ofstream file(folder / (sample.name + ".xnn"), std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    return 0;
}
