#include "app/samples/sample_set.h"

#include "app/samples/faults.h"
#include "app/samples/llama.h"
#include "app/samples/multimodal.h"
#include "app/samples/native_package.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"
#include "app/samples/nets/nets.h"
#include "app/samples/pipelines.h"
#include "app/samples/training.h"
#include "runtime/core/file_replacement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <system_error>
#include <utility>

namespace et::samples {
namespace {

/// Source of a sample set.
struct Sample {
    SampleInfo info;
    Net (*net)();
    RunOptions run;
};

constexpr std::int64_t smallClasses = 10;
constexpr std::int64_t smallSize = 96;
constexpr double smallWidth = 0.35;

constexpr std::array samples{
    Sample{.info = {.name = "add_mul", .description = "a @ x + b * x on 4x4 matrices"},
           .net = &addMulNet,
           .run = {}},
    Sample{.info = {.name = "conv_net",
                    .description =
                        "two convolutions with batch norm, pooling, linear, softmax: 3x16x16 to 10 classes"},
           .net = &convNet,
           .run = {}},
    Sample{
        .info = {.name = "mobilenet_v2_small",
                 .description = "MobileNetV2 of width 0.35: 3x96x96 to 10 classes"},
        .net = [] { return mobileNetV2({.width = smallWidth, .size = smallSize, .classes = smallClasses}); },
        .run = {.executions = 3}},  // each execution logs six megabytes
    // The intermediate values of one execution would take a hundred megabytes.
    Sample{.info = {.name = "mobilenet_v2", .description = "MobileNetV2: 3x224x224 to 1000 classes"},
           .net = [] { return mobileNetV2({}); },
           .run = {.cases = 2, .debugLevel = core::DebugLevel::Outputs}},
};

/// A set that is not made from one net.
struct FurtherSet {
    SampleInfo info;
    core::Result<std::vector<SampleFile>> (*make)();
};
constexpr std::array furtherSets{
    FurtherSet{.info = llamaInfo, .make = [] { return makeLlama(); }},
    FurtherSet{.info = vlmInfo, .make = &makeVlm},
    FurtherSet{.info = whisperInfo, .make = &makeWhisper},
    FurtherSet{.info = faultsInfo, .make = &makeFaults},
    FurtherSet{.info = nativeInfo, .make = &makeNative},
    FurtherSet{.info = trainingInfo, .make = &makeTraining},
    FurtherSet{.info = diffusionInfo, .make = &makeDiffusion},
    FurtherSet{.info = transducerInfo, .make = &makeTransducer},
    FurtherSet{.info = speculativeInfo, .make = &makeSpeculative},
};

constexpr auto infoOfAll = [] {
    std::array<SampleInfo, samples.size() + furtherSets.size()> info;
    const auto further = std::ranges::transform(samples, info.begin(), &Sample::info).out;
    std::ranges::transform(furtherSets, further, &FurtherSet::info);
    return info;
}();

core::Result<> writeFile(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    ET_TRY(file.write(bytes));
    return file.finish();
}

}  // namespace

SampleFile textFile(std::string name, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {.name = std::move(name), .bytes = {bytes.begin(), bytes.end()}};
}

std::span<const SampleInfo> sampleInfos() {
    return infoOfAll;
}

std::vector<std::string_view> netSampleNames() {
    std::vector<std::string_view> names;
    for (const Sample& sample : samples) {
        names.push_back(sample.info.name);
    }
    return names;
}

core::Result<std::vector<SampleFile>> makeSampleSet(std::string_view name) {
    for (const FurtherSet& set : furtherSets) {
        if (name == set.info.name) {
            return set.make();
        }
    }
    const auto nameOf = [](const Sample& sample) { return sample.info.name; };
    const auto* const sample = std::ranges::find(samples, name, nameOf);
    if (sample == samples.end()) {
        const auto names = infoOfAll | std::views::transform(&SampleInfo::name);
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("no sample \"{}\"; available: {}", name, fmt::join(names, ", ")));
    }
    const Net net = sample->net();
    ET_ASSIGN(std::vector<std::byte> program, makeProgram(net));
    ET_ASSIGN(NetRun run, runNet(net, program, sample->run));
    ET_ASSIGN(std::vector<std::byte> bundle, makeBundle(net, program, run.cases));
    ET_ASSIGN(std::vector<std::byte> record, makeRecord(net, run.cases));
    std::vector<SampleFile> files;
    files.push_back({.name = fmt::format("{}.pte", name), .bytes = std::move(program)});
    files.push_back({.name = fmt::format("{}.bpte", name), .bytes = std::move(bundle)});
    files.push_back({.name = fmt::format("{}.etrecord", name), .bytes = std::move(record)});
    files.push_back({.name = fmt::format("{}.etdp", name), .bytes = std::move(run.trace)});
    files.push_back({.name = fmt::format("{}_debug.bin", name), .bytes = std::move(run.debugBuffer)});
    return files;
}

core::Result<std::vector<std::filesystem::path>> writeSampleSet(std::string_view name,
                                                                const std::filesystem::path& directory) {
    ET_ASSIGN(const std::vector<SampleFile> files, makeSampleSet(name));
    std::error_code refused;
    std::filesystem::create_directories(directory, refused);
    if (refused) {
        return core::fail(core::ErrorCode::Io, fmt::format("cannot create the folder: {}", refused.message()),
                          {.file = directory.string(), .field = {}, .offset = {}});
    }
    std::vector<std::filesystem::path> paths;
    for (const SampleFile& file : files) {
        paths.push_back(directory / file.name);
        ET_TRY(writeFile(paths.back(), file.bytes));
    }
    return paths;
}

}  // namespace et::samples
