// Fuzzes modified baseline stores: listing and reading. Saved data must load unchanged.
#include "inspector/store/baseline_store.h"
#include "tests/fuzz/support/store_changes.h"
#include "tests/support/scratch_folder.h"

#include <tuple>

namespace {

using et::fuzz::ByteSource;
using et::fuzz::require;
using et::inspector::Measurement;
using et::inspector::store::BaselineStore;
namespace store = et::inspector::store;

std::vector<double> samplesOf(ByteSource& source) {
    std::vector<double> samples(1 + source.below(6));
    for (double& sample : samples) {
        sample = source.take<std::uint16_t>();
    }
    return samples;
}

Measurement measurementOf(ByteSource& source) {
    Measurement measurement{.source = et::inspector::MeasurementSource::Baseline};
    measurement.name = "one";
    for (std::size_t methods = 1 + source.below(2); methods > 0; --methods) {
        et::inspector::MethodTimes times{.method = "m" + std::to_string(methods),
                                         .total = samplesOf(source),
                                         .totalMeasured = source.oneIn(2)};
        for (std::size_t count = source.below(3); count > 0; --count) {
            times.operators.push_back(
                {.name = std::string(source.text(6)) + ".out",
                 .kind = source.oneOf(et::inspector::operatorKinds).kind,
                 .backend = source.oneIn(2) ? "XnnpackBackend" : "",
                 .chain = source.take<std::int8_t>(),
                 // -1: no instruction; a store accepts nothing lower.
                 .instruction = et::core::InstructionId{static_cast<std::int32_t>(source.below(100)) - 1},
                 .handles = {et::core::DebugHandle{static_cast<std::int64_t>(source.below(9))}},
                 .nodes = {"aten.add.Tensor"},
                 .module = "layer",
                 .samples = samplesOf(source)});
        }
        measurement.methods.push_back(std::move(times));
    }
    measurement.outputs.push_back({.method = "forward", .type = "float32 [1]", .minimum = 0.5});
    measurement.machine = {.cpu = "cpu", .cores = 2, .system = "system"};
    measurement.settings = {
        .method = "forward", .threads = 2, .iterations = 9, .inputs = "random", .seed = 7};
    measurement.program = {.sha256 = "00", .bytes = 784, .plannedBytes = 48, .instructions = 1};
    measurement.warnings = {"few runs"};
    return measurement;
}

std::filesystem::path soundStore(const std::filesystem::path& folder) {
    constexpr std::uint8_t seed[] = {1, 0, 2, 0, 3, 0, 9, 0, 7, 0, 1, 0, 5, 0, 2, 0, 4, 0, 3, 0, 8, 0};
    ByteSource source(seed, sizeof seed);
    auto opened = BaselineStore::open(folder / "sound.db");
    std::ignore = BaselineStore::defaultPath();
    require(opened && opened->save("one", measurementOf(source)) &&
            opened->save("two", measurementOf(source)));
    return folder / "sound.db";
}

/// For a damaged store, only termination is checked.
void saveAndLoad(const std::filesystem::path& path, ByteSource& source, bool isSound) {
    auto opened = BaselineStore::open(path, {.mode = store::OpenMode::Existing});
    const Measurement measurement = measurementOf(source);
    const bool isSaved = opened && opened->save("saved", measurement, store::Existing::Replace);
    require(isSaved || !isSound);
    if (!isSaved) {
        return;
    }
    const auto loaded = opened->load("saved");
    const auto removed = opened->remove("saved");
    if (!isSound) {
        return;
    }
    require(loaded && loaded->methods == measurement.methods && loaded->outputs == measurement.outputs &&
            loaded->settings == measurement.settings && loaded->program == measurement.program);
    require(removed && !opened->load("saved"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const et::test::ScratchFolder folder;
    static et::fuzz::ChangedDatabase database(soundStore(folder.path()));
    ByteSource source(data, size);
    const bool isWritten = source.oneIn(8);
    const std::filesystem::path& path = database.change(source);
    if (const auto opened = BaselineStore::open(path, {.mode = store::OpenMode::Reading})) {
        const auto entries = opened->list();
        for (const auto& entry : entries ? *entries : std::vector<store::BaselineEntry>()) {
            std::ignore = opened->load(entry.name);
        }
        std::ignore = opened->load("none");
    } else {
        std::ignore = opened.error().toString();
    }
    if (isWritten) {
        const bool isSound = source.oneIn(2);
        saveAndLoad(isSound ? database.restore() : path, source, isSound);
    }
    return 0;
}
