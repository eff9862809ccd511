#include "app/tasks/rewrite/part_weights.h"

#include "backends/leading_block.h"
#include "backends/reference/archived_tensors.h"
#include "etrecord/torch_writer.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace et::tasks {

using core::Result;

namespace {

/// Maximum bytes of the weights of one part.
constexpr std::uint64_t mostWeightBytes = std::uint64_t{8} << 30U;

/// Copies the elements of a weight with the smallest indices.
Result<backends::reference::ReferenceTensor> shrunkWeight(const backends::reference::ReferenceTensor& weight,
                                                          const SizeChanges& constants) {
    const std::vector<std::int64_t> before(weight.view.sizes().begin(), weight.view.sizes().end());
    const std::vector<std::int64_t> after = backends::changedSizes(before, constants);
    if (before == after) {
        return weight;
    }
    ET_ASSIGN(backends::reference::ReferenceTensor dense, inspector::rowMajorCopy(weight.view));
    ET_ASSIGN(auto block, backends::leadingBlock({dense.view.raw(), dense.view.bytes()},
                                                 dense.view.elementSize(), before, after));
    auto bytes = std::make_shared<std::vector<std::byte>>(std::move(block));
    ET_ASSIGN(dense.view, core::Tensor::make(dense.view.dtype(), after, bytes->data()));
    dense.owner = std::move(bytes);
    return dense;
}

void setDenseSizes(etrecord::TensorMeta& meta, const SizeChanges& constants) {
    std::int64_t stride = 1;
    for (std::size_t d = std::min(meta.sizes.size(), meta.strides.size()); d-- > 0;) {
        const auto found = constants.find(meta.sizes[d].value);
        meta.sizes[d].value = found == constants.end() ? meta.sizes[d].value : found->second;
        meta.strides[d] = {.value = stride, .expression = {}};
        stride *= meta.sizes[d].value;
    }
}

}  // namespace

Result<ByteVector> weightsOf(const etrecord::ExportedGraph& graph, const etrecord::Record& record,
                             const std::string& archive, const SizeChanges& constants) {
    using backends::reference::ArchivedTensors;
    ET_ASSIGN(auto tensors, ArchivedTensors::open(record, {archive}, mostWeightBytes));
    etrecord::ArchiveValue::Dict entries;
    std::vector<backends::reference::ReferenceTensor> kept;
    kept.reserve(graph.inputSpecs.size());
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (inspector::isUserInput(spec)) {
            continue;
        }
        ET_ASSIGN(auto found, tensors.find(spec.target));
        if (!found) {
            continue;
        }
        ET_ASSIGN(auto shrunk, shrunkWeight(*found, constants));
        const auto& tensor = kept.emplace_back(std::move(shrunk));
        entries.push_back(
            {spec.target,
             {etrecord::TensorToArchive{.dtype = tensor.view.dtype(),
                                        .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
                                        .elements = {tensor.view.raw(), tensor.view.bytes()},
                                        .parameter = spec.kind == "parameter"}}});
    }
    return etrecord::writeTorchArchive({std::move(entries)});
}

void shrinkWeights(etrecord::ExportedGraph& graph, const SizeChanges& constants) {
    changeGroups(graph, constants);
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        const auto meta = graph.tensors.find(spec.value);
        if (!constants.empty() && !inspector::isUserInput(spec) && meta != graph.tensors.end()) {
            setDenseSizes(meta->second, constants);
        }
    }
}

}  // namespace et::tasks
