#include "app/samples/sample_set.h"

#include "app/samples/conv_net/record.h"
#include "app/samples/conv_net/trace.h"
#include "app/samples/conv_net/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <utility>

namespace et::samples {
namespace {

constexpr std::array samples{
    SampleFacts{.name = "conv_net",
                .description = "convolution, relu, a delegated gate, linear, softmax: 10 runs, debug data; "
                               "times made up, not measured"},
};

core::Result<> writeFile(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
        return core::fail(core::ErrorCode::Io, "cannot write the file",
                          {.file = path.string(), .field = {}, .offset = {}});
    }
    return {};
}

}  // namespace

std::span<const SampleFacts> sampleFacts() {
    return samples;
}

std::vector<std::string_view> sampleNames() {
    std::vector<std::string_view> names(samples.size());
    std::ranges::transform(samples, names.begin(), &SampleFacts::name);
    return names;
}

core::Result<std::vector<SampleFile>> makeSampleSet(std::string_view name) {
    if (std::ranges::find(samples, name, &SampleFacts::name) == samples.end()) {
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("no sample \"{}\": there is {}", name, fmt::join(sampleNames(), ", ")));
    }
    ET_ASSIGN(conv_net::TraceFiles traced, conv_net::makeTrace(conv_net::computeValues()));
    ET_ASSIGN(std::vector<std::byte> record, conv_net::makeRecord());
    std::vector<SampleFile> files;
    files.push_back({.name = fmt::format("{}.etdp", name), .bytes = std::move(traced.trace)});
    files.push_back({.name = fmt::format("{}_debug.bin", name), .bytes = std::move(traced.debugBuffer)});
    files.push_back({.name = fmt::format("{}.etrecord", name), .bytes = std::move(record)});
    return files;
}

core::Result<std::vector<std::filesystem::path>> writeSampleSet(std::string_view name,
                                                                const std::filesystem::path& directory) {
    ET_ASSIGN(const std::vector<SampleFile> files, makeSampleSet(name));
    std::error_code refused;
    std::filesystem::create_directories(directory, refused);
    if (refused) {
        return core::fail(core::ErrorCode::Io, fmt::format("cannot make the folder: {}", refused.message()),
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
