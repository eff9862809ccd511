#include "app/samples/training.h"

#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"
#include "app/samples/nets/nets.h"
#include "app/samples/random.h"
#include "inspector/tensor_files/npy.h"
#include "runtime/archive/zip_writer.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace et::samples {
namespace {

constexpr std::int64_t dataRows = 64;
constexpr std::int64_t dataColumns = 2;

core::Result<std::vector<std::byte>> npyOf(std::vector<float>& numbers, std::int64_t columns) {
    const std::vector<std::int64_t> sizes{dataRows, columns};
    ET_ASSIGN(const core::Tensor view, core::Tensor::make(core::ScalarType::Float, sizes,
                                                          std::as_writable_bytes(std::span(numbers)).data()));
    return inspector::writeNpy(view);
}

/// target = x0 x1 + 0.5 sin(3 x0)
core::Result<std::vector<std::byte>> trainingData() {
    constexpr std::uint64_t seed = 7;
    Random random(seed);
    std::vector<float> x;
    std::vector<float> target;
    for (std::int64_t row = 0; row < dataRows; ++row) {
        const float first = random.uniform(-1, 1);
        const float second = random.uniform(-1, 1);
        x.insert(x.end(), {first, second});
        target.push_back((first * second) + (0.5F * std::sin(3 * first)));
    }
    ET_ASSIGN(const auto inputs, npyOf(x, dataColumns));
    ET_ASSIGN(const auto targets, npyOf(target, 1));
    archive::Entries entries;
    entries.emplace_back("x.npy", core::FileContent(inputs));
    entries.emplace_back("target.npy", core::FileContent(targets));
    ET_ASSIGN(const core::FileContent zip, archive::storeEntries(entries));
    return zip.joined();
}

}  // namespace

core::Result<std::vector<SampleFile>> makeTraining() {
    constexpr int cases = 2;
    const Net net = twoLayersNet();
    ET_ASSIGN(std::vector<std::byte> program, makeProgram(net));
    ET_ASSIGN(const NetRun run, runNet(net, program, {.cases = cases}));
    ET_ASSIGN(std::vector<std::byte> record, makeRecord(net, run.cases));
    ET_ASSIGN(std::vector<std::byte> data, trainingData());
    std::vector<SampleFile> files;
    files.push_back({.name = "train.pte", .bytes = std::move(program)});
    files.push_back({.name = "train.etrecord", .bytes = std::move(record)});
    files.push_back({.name = "train_data.npz", .bytes = std::move(data)});
    return files;
}

}  // namespace et::samples
