#include "app/tasks/gap/short_inputs.h"

#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::Result;
using etrecord::ExportedGraph;

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t typicalSize = 32;

bool isSymbol(std::string_view expression) {
    return std::ranges::all_of(
        expression, [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
}

/// The size for a symbol whose value is `given`.
std::int64_t shortSize(const ExportedGraph& graph, const std::string& symbol, std::int64_t given) {
    const auto range = graph.rangeConstraints.find(symbol);
    const std::int64_t minimum =
        range == graph.rangeConstraints.end() ? 0 : range->second.minimum.value_or(0);
    return std::min(given, std::max(typicalSize, minimum));
}

/// The sizes after cutting; nothing if a size is computed from symbols.
std::optional<Sizes> shortSizes(const ExportedGraph& graph, const etrecord::TensorMeta& meta,
                                const core::Tensor& given) {
    Sizes sizes(given.sizes().begin(), given.sizes().end());
    for (std::size_t dim = 0; dim < sizes.size() && dim < meta.sizes.size(); ++dim) {
        const std::string& expression = meta.sizes[dim].expression;
        if (!isSymbol(expression)) {
            return std::nullopt;
        }
        sizes[dim] = expression.empty() ? sizes[dim] : shortSize(graph, expression, sizes[dim]);
    }
    return sizes;
}

/// The first elements in each dimension.
Result<ReferenceTensor> cut(const ReferenceTensor& tensor, const Sizes& sizes) {
    ET_ASSIGN(const ReferenceTensor whole, inspector::rowMajorCopy(tensor.view));
    const core::Tensor& from = whole.view;
    const std::size_t width = core::elementBytes(from.dtype());
    const std::size_t rowBytes = static_cast<std::size_t>(sizes.back()) * width;
    std::int64_t rows = 1;
    for (std::size_t dim = 0; dim + 1 < sizes.size(); ++dim) {
        rows *= sizes[dim];
    }
    auto memory = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(rows) * rowBytes);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t source = 0;  // row number in the whole tensor
        std::int64_t rest = row;
        std::int64_t stride = 1;
        for (std::size_t dim = sizes.size() - 1; dim-- > 0;) {
            source += rest % sizes[dim] * stride;
            rest /= sizes[dim];
            stride *= from.size(dim);
        }
        const auto offset = static_cast<std::size_t>(source * from.size(sizes.size() - 1)) * width;
        std::memcpy(memory->data() + static_cast<std::size_t>(row) * rowBytes,
                    from.rawBytes().data() + offset, rowBytes);
    }
    ET_ASSIGN(const core::Tensor view, core::Tensor::make(from.dtype(), sizes, memory->data()));
    return ReferenceTensor{.view = view, .owner = std::move(memory)};
}

}  // namespace

Result<std::string> shortenInputs(const ExportedGraph& graph, GapInputSet& set) {
    std::vector<std::string> changes;
    std::vector<std::pair<std::size_t, Sizes>> cuts;
    std::size_t next = 0;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (!inspector::isUserInput(spec) || next >= set.values.size()) {
            continue;
        }
        const std::size_t input = next++;
        const auto* tensor = set.values[input].as<ReferenceTensor>();
        const auto meta = graph.tensors.find(spec.value);
        if (tensor == nullptr || meta == graph.tensors.end()) {
            continue;
        }
        const auto sizes = shortSizes(graph, meta->second, tensor->view);
        if (!sizes) {
            return std::string();  // sizes of several inputs may depend on the same symbol
        }
        if (!std::ranges::equal(*sizes, tensor->view.sizes())) {
            changes.push_back(fmt::format("{} {} to [{}]", core::printable(spec.value),
                                          core::sizesText(tensor->view.sizes()), fmt::join(*sizes, ", ")));
            cuts.emplace_back(input, *sizes);
        }
    }
    for (const auto& [input, sizes] : cuts) {
        ET_ASSIGN(ReferenceTensor shorter, cut(*set.values[input].as<ReferenceTensor>(), sizes));
        set.values[input] = ReferenceValue{std::move(shorter)};
    }
    return fmt::format("{}", fmt::join(changes, ", "));
}

}  // namespace et::tasks
