#include "app/tasks/lab/lower_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/lab/lower_program.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "backends/xnnpack/lower/partitioner.h"
#include "etrecord/writer.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using backends::lowering::EmittedMethod;
using backends::lowering::LoweredMethod;
using core::DebugHandle;
using core::Result;

std::vector<DebugHandle> handlesOf(const LoweredMethod& method, const EmittedMethod::Origin& origin) {
    if (const auto* node = std::get_if<const etrecord::Node*>(&origin)) {
        return (*node)->debugHandles;
    }
    std::set<DebugHandle> handles;
    for (const auto node : method.partition.parts[std::get<std::size_t>(origin)].nodes) {
        const auto& own = method.graph->nodes[node].debugHandles;
        handles.insert(own.begin(), own.end());
    }
    return {handles.begin(), handles.end()};
}

/// Returns the maps of the new program's record for its instructions.
etrecord::MethodMaps mapsOf(const LoweredMethod& method) {
    etrecord::MethodMaps maps;
    for (const auto& [instruction, origin] : method.emitted.origins) {
        const auto* part = std::get_if<std::size_t>(&origin);
        const auto handles = handlesOf(method, origin);
        if (part != nullptr || !handles.empty()) {
            maps.debugHandles[instruction] = {.handles = handles,
                                              .list = part != nullptr || handles.size() > 1};
        }
        if (part != nullptr) {
            maps.delegates[instruction] = {.backend = method.partition.parts[*part].backend,
                                           .identifiers = {}};
        } else {
            const auto& node = *std::get<const etrecord::Node*>(origin);
            maps.outputCounts[instruction] = static_cast<std::int64_t>(node.outputs.size());
        }
    }
    return maps;
}

}  // namespace

Result<LowerResult> lower(const LowerSettings& settings) {
    for (const auto& output : {settings.output, settings.recordOutput}) {
        if (!output.empty()) {
            ET_TRY(refuseToReplace(output, {settings.record}));
        }
    }
    ET_ASSIGN(auto file, core::MappedFile::open(settings.record));
    constexpr std::string_view zip = "PK";
    if (!std::string_view(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size())
             .starts_with(zip)) {
        return lowerProgram(std::move(file), settings);
    }
    ET_ASSIGN(auto record, etrecord::Record::parse(std::move(file)));
    return lowerOpened(std::move(record), settings);
}

Result<LowerResult> lowerOpened(std::shared_ptr<const etrecord::Record> record,
                                const LowerSettings& settings) {
    LowerResult result;
    result.record = std::move(record);
    backends::lowering::LowerOptions options{
        .kernels = kernels::builtin(), .partitioner = {}, .except = settings.except, .only = settings.only};
    if (settings.backend == LowerBackend::Xnnpack) {
        options.partitioner = backends::xnnpack::makePartitioner();
    }
    const auto named = [&](core::Error error) {
        for (const std::string& method : result.record->methods()) {
            error = withPythonLine(std::move(error), *result.record, method);
        }
        return std::move(error).in(settings.record.string());
    };
    ET_ASSIGN(result.lowered,
              backends::lowering::lowerRecord(*result.record, options).transform_error(named));
    ET_ASSIGN(result.program, program::Program::parse(core::MappedFile::fromMemory(
                                  result.lowered.file, settings.output.string())));
    ET_TRY(writeLowered(settings, result));
    return result;
}

Result<> writeLowered(const LowerSettings& settings, const LowerResult& result) {
    if (!settings.recordOutput.empty()) {
        std::map<std::string, etrecord::MethodMaps, std::less<>> maps;
        for (const LoweredMethod& method : result.lowered.methods) {
            maps.emplace(method.name, mapsOf(method));
        }
        ET_ASSIGN(const ByteVector record, etrecord::replaceMaps(*result.record, maps));
        ET_TRY(writeFile(settings.recordOutput, producerOf(textOf(record))));
    }
    return settings.output.empty() ? Result<>()
                                   : writeFile(settings.output, producerOf(textOf(result.lowered.file)));
}

}  // namespace et::tasks
