// Tests of et-inspect verify on correct quantized programs, and on the same with wrong scales in one layer.
#include "bundled_program/bundle.h"
#include "runtime/core/mapped_file.h"
#include "runtime/program/program.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;

Outcome verify(const fs::path& file, const fs::path& folder, const std::string& options = "") {
    return runShell(fmt::format("et-inspect verify {} '{}'", options, file.string()),
                    {.folder = folder, .environment = {}, .terminalColumns = {}});
}

std::vector<std::byte> contentOf(const fs::path& path) {
    const auto file = core::MappedFile::open(path).value();
    return {file->bytes().begin(), file->bytes().end()};
}

struct Place {
    std::size_t offset = 0;  ///< offset in the file
    std::size_t count = 0;   ///< of floats
};

/// Finds named data that can only be scales: a few small positive floats.
std::vector<Place> scalesIn(const fs::path& path) {
    const auto bundle = bundled_program::Bundle::open(path).value();
    const auto program = program::Program::parse(bundle->file, bundle->program).value();
    std::vector<Place> places;
    for (const program::Segment& segment : program->segments) {
        const std::size_t count = segment.data.size() / sizeof(float);
        std::vector<float> numbers(count);
        std::memcpy(numbers.data(), segment.data.data(), count * sizeof(float));
        const bool scales = count >= 4 && segment.data.size() % sizeof(float) == 0 &&
                            std::ranges::all_of(numbers, [](float x) { return x > 1e-7F && x < 10; });
        if (scales) {
            places.push_back({segment.offset, count});
        }
    }
    return places;
}

fs::path scaled(const fs::path& folder, std::vector<std::byte> content, const Place& place, float factor) {
    for (std::size_t i = 0; i < place.count; ++i) {
        float number = 0;
        std::byte* const at = content.data() + place.offset + i * sizeof(float);
        std::memcpy(&number, at, sizeof(number));
        number *= factor;
        std::memcpy(at, &number, sizeof(number));
    }
    const fs::path path = folder / "fault.bpte";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
    return path;
}

std::string table(const Outcome& outcome) {
    return outcome.out.substr(0, outcome.out.rfind('\n', outcome.out.size() - 2));
}

TEST(VerifyQuantized, HealthyProgramsPassWithDefaults) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    std::size_t checked = 0;
    for (const char* const folder : {"quant", "programs", "programs2", "llm"}) {
        for (const auto& entry : fs::recursive_directory_iterator(sharedData() / folder)) {
            const std::string name = entry.path().filename().string();
            const bool quantized = name.contains("q8") || name.contains("qd8") || name.contains("8da4w");
            if (entry.path().extension() == ".bpte" && quantized) {
                const Outcome outcome = verify(entry.path(), scratch.path());
                if (outcome.out.contains("no support for scales")) {
                    continue;  // not supported by this version of XNNPACK (docs/explanation/performance.md)
                }
                EXPECT_EQ(outcome.code, 0) << entry.path() << "\n" << outcome.out << outcome.err;
                ++checked;
            }
        }
    }
    EXPECT_GE(checked, 16U);
}

TEST(VerifyQuantized, WrongScalesOfOneLayerFail) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    for (const char* const name : {"resnet8/q8.bpte", "encoder2/qd8.bpte"}) {
        const fs::path path = sharedData() / "quant" / name;
        const std::vector<std::byte> content = contentOf(path);
        const Place nowhere;
        const std::string healthy =
            table(verify(scaled(scratch.path(), content, nowhere, 1), scratch.path()));
        std::size_t layers = 0;
        for (const Place& place : scalesIn(path)) {
            const Outcome outcome = verify(scaled(scratch.path(), content, place, 1.5F), scratch.path());
            if (table(outcome) == healthy) {
                continue;  // scales of a bias, which are unused
            }
            EXPECT_EQ(outcome.code, 1) << name << " at " << place.offset << "\n" << outcome.out;
            ++layers;
        }
        EXPECT_GE(layers, 10U) << name;
    }
}

TEST(VerifyQuantized, OwnTolerancesAndLimitsReplaceTheDefault) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const fs::path path = sharedData() / "quant/resnet8/q8.bpte";
    EXPECT_EQ(verify(path, scratch.path(), "--rtol 1e-3").code, 1);
    EXPECT_EQ(verify(path, scratch.path(), "--steps 1").code, 0);
    EXPECT_EQ(verify(path, scratch.path(), "--steps 0.5").code, 1);
    EXPECT_EQ(verify(path, scratch.path(), "--sqnr 35 --cosine 0.999 --top1").code, 0);
    EXPECT_EQ(verify(path, scratch.path(), "--sqnr 35 --in-process").code, 0);
    EXPECT_EQ(verify(path, scratch.path(), "--sqnr 45").code, 1);
    EXPECT_EQ(verify(path, scratch.path(), "--cosine 2").code, 2);
}

}  // namespace
}  // namespace et::test
