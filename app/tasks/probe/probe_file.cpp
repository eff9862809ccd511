#include "app/tasks/probe/probe_file.h"

#include "app/tasks/base/output_file.h"
#include "bundled_program/bundle.h"
#include "bundled_program/writer.h"
#include "etrecord/record_maker.h"
#include "etrecord/root_call.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Result;
using etrecord::ArchiveValue;
using etrecord::TensorToArchive;

/// Row-major copies of values.
Result<std::vector<ReferenceTensor>> tensorsOf(const std::vector<std::string>& names,
                                               const inspector::GraphValues& values) {
    std::vector<ReferenceTensor> tensors;
    for (const std::string& name : names) {
        const ReferenceTensor* const tensor = inspector::tensorIn(values, name);
        if (tensor == nullptr) {
            return core::fail(core::ErrorCode::Unsupported,
                              fmt::format("{} is not a tensor", core::printable(name)));
        }
        ET_ASSIGN(ReferenceTensor copy, inspector::rowMajorCopy(tensor->view));
        tensors.push_back(std::move(copy));
    }
    return tensors;
}

TensorToArchive archived(const ReferenceTensor& tensor, bool isParameter) {
    return {.dtype = tensor.view.dtype(),
            .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
            .elements = {tensor.view.raw(), tensor.view.bytes()},
            .parameter = isParameter};
}

BundledValue bundled(const ReferenceTensor& tensor) {
    BundledTensor made{.scalarType = std::to_underlying(tensor.view.dtype()),
                       .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
                       .dimOrder = {},
                       .data = {tensor.view.raw(), tensor.view.bytes()}};
    for (std::size_t d = 0; d < made.sizes.size(); ++d) {
        made.dimOrder.push_back(static_cast<std::uint8_t>(d));
    }
    return made;
}

etrecord::MethodContent contentOf(const ProbeGraph& probe) {
    etrecord::MethodContent content{.method = probeMethod, .graph = probe.graph};
    content.graph.moduleCallGraph =
        etrecord::rootCall(inputNames(probe).size(), probe.graph.outputSpecs.size());
    for (const etrecord::InputSpec& spec : content.graph.inputSpecs) {
        const ReferenceTensor* const tensor = inspector::tensorIn(probe.given, spec.value);
        if (!inspector::isUserInput(spec) && tensor != nullptr) {
            content.tensors.insert_or_assign(spec.target, archived(*tensor, spec.kind == "parameter"));
        }
    }
    return content;
}

ArchiveValue::List listOf(const std::vector<ReferenceTensor>& tensors) {
    ArchiveValue::List list;
    for (const ReferenceTensor& tensor : tensors) {
        list.push_back({archived(tensor, false)});
    }
    return list;
}

/// The ETRecord with inputs and expected outputs.
Result<> writeRecord(const etrecord::MethodContent& content, const std::vector<ReferenceTensor>& inputs,
                     const std::vector<ReferenceTensor>& outputs, const std::filesystem::path& path) {
    ArchiveValue::Dict state;
    ArchiveValue::Dict constants;
    for (const etrecord::InputSpec& spec : content.graph.inputSpecs) {
        if (const auto found = content.tensors.find(spec.target); found != content.tensors.end()) {
            const bool isLasting = spec.kind == "parameter" || (spec.kind == "buffer" && spec.persistent);
            (isLasting ? state : constants).push_back({spec.target, {found->second}});
        }
    }
    const std::string entry = fmt::format("edge_dialect_exported_program/{}", probeMethod);
    etrecord::RecordWriter writer;
    writer.addEdgeGraph(probeMethod, content.graph);
    ET_ASSIGN(auto stateArchive, etrecord::torchArchiveFile({std::move(state)}));
    ET_ASSIGN(auto constantArchive, etrecord::torchArchiveFile({std::move(constants)}));
    const ArchiveValue positional{ArchiveValue::Tuple{listOf(inputs)}};
    ET_ASSIGN(auto example,
              etrecord::torchArchiveFile({ArchiveValue::Tuple{{positional, {ArchiveValue::Dict{}}}}}));
    ET_ASSIGN(auto representative, etrecord::torchArchiveFile({listOf(inputs)}));
    ET_ASSIGN(auto reference, etrecord::torchArchiveFile({ArchiveValue::Dict{
                                  {probeMethod, {ArchiveValue::List{{listOf(outputs)}}}}}}));
    writer.addArchive(entry + "_state_dict", std::move(stateArchive));
    writer.addArchive(entry + "_constants", std::move(constantArchive));
    writer.addArchive(entry + "_example_inputs", std::move(example));
    writer.addArchive("reference_outputs", std::move(reference));
    writer.addArchive("representative_inputs", std::move(representative));
    ET_ASSIGN(const core::FileContent file, writer.finishInPieces());
    return writeFile(path, file);
}

}  // namespace

Result<bool> writeProbe(const ProbeGraph& probe, LowerBackend backend, const std::filesystem::path& file) {
    ET_ASSIGN(const auto inputs, tensorsOf(inputNames(probe), probe.given));
    ET_ASSIGN(const auto outputs, tensorsOf(outputNames(probe), probe.computed));
    const std::array contents{contentOf(probe)};
    ET_ASSIGN(auto record, etrecord::makeRecord(contents, file.filename().string(), {}));
    ET_ASSIGN(
        const LowerResult lowered,
        lowerOpened(std::move(record), {.record = {}, .output = {}, .backend = backend, .inPieces = true}));
    bundled_program::TestSuite suite{.method = probeMethod, .cases = {1, bundled_program::TestCase()}};
    for (const ReferenceTensor& each : inputs) {
        suite.cases[0].inputs.push_back(bundled(each));
    }
    for (const ReferenceTensor& each : outputs) {
        suite.cases[0].expectedOutputs.push_back(bundled(each));
    }
    ET_ASSIGN(const core::FileContent content, bundled_program::bundleFile(lowered.lowered.file, {{suite}}));
    ET_TRY(writeFile(file, content));
    if (backend == LowerBackend::None) {
        ET_TRY(writeRecord(contents[0], inputs, outputs,
                           std::filesystem::path(file).replace_extension(".etrecord")));
    }
    return !lowered.lowered.methods.front().partition.parts.empty();
}

}  // namespace et::tasks
