// Fuzzes recordings of the debugger: the input is the file.
#include "app/tasks/debug/recording_file.h"
#include "app/tasks/debug/timeline.h"
#include "app/tasks/model/model.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace {

namespace fs = std::filesystem;
namespace tasks = et::tasks;
using et::fuzz::require;

fs::path scratchFile(std::string_view name) {
    static const et::test::ScratchFolder folder;
    return folder.path() / name;
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::unique_ptr<tasks::Model> openModel() {
    static const fs::path program = [] {
        fs::path path = scratchFile("recorded.pte");
        write(path, et::test::writeProgram(et::test::addProgram()));
        return path;
    }();
    auto model = tasks::Model::open(program, {}, nullptr);
    require(model.has_value());
    return std::move(*model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fs::path file = scratchFile("recording");
    write(file, std::as_bytes(std::span(data, size)));
    constexpr std::uint64_t budget = std::uint64_t{16} << 20U;
    auto opened = tasks::RecordingFile::open(file, openModel(), {.budgetBytes = budget});
    if (!opened) {
        std::ignore = opened.error().toString();
        return 0;
    }
    tasks::Timeline& timeline = **opened;
    std::ignore = tasks::RecordingFile::limitations(timeline);
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < std::min(most, timeline.executionCount()); ++i) {
        std::ignore = timeline.execution(i);
        std::ignore = timeline.jump({.execution = i, .step = 1, .node = {}});
        for (const tasks::DebugValue& value : timeline.values()) {
            std::ignore = value.name;
        }
    }
    require(!tasks::RecordingFile::encode(timeline).empty());
    return 0;
}
