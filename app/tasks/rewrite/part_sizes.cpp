#include "app/tasks/rewrite/part_sizes.h"

#include "app/tasks/model/inputs.h"
#include "app/tasks/rewrite/part_maker.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "runtime/core/tensor_shape.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using bundled_program::BundledTensor;
using core::ErrorCode;
using core::fail;
using core::Result;
using program::InitialData;
using program::ShapeDynamism;
using program::TensorInfo;

constexpr std::string_view unchanged = "-";

/// Whether its sizes may change with those of the inputs.
bool mayResize(const TensorInfo& tensor) {
    return tensor.initialData == InitialData::None;
}

void setSizes(TensorInfo& tensor, std::span<const std::int64_t> sizes) {
    tensor.sizes = core::SizeList(sizes);
    tensor.byteSize = core::tensorBytes(tensor.scalarType, tensor.sizes);
}

/// Copies the elements with the smallest indices.
Result<std::vector<std::byte>> leadingBlock(const kernels::ThreadPool& threads, const BundledTensor& tensor,
                                            const std::vector<std::int64_t>& sizes) {
    ET_ASSIGN(const core::Tensor whole, bundled_program::tensorOver(tensor));
    const bool fits = sizes.size() == whole.dim() &&
                      std::ranges::equal(sizes, whole.sizes(), [](std::int64_t less, std::int64_t more) {
                          return 1 <= less && less <= more;
                      });
    if (!fits) {
        return fail(ErrorCode::InvalidArgument, "an input can only be made smaller");
    }
    kernels::ReadView view = kernels::viewOf(whole);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        view.narrow(d, 0, sizes[d]);
    }
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(core::tensorBytes(tensor.scalarType, sizes).value_or(0)));
    ET_ASSIGN(core::Tensor target, core::Tensor::make(whole.dtype(), sizes, bytes.data(), tensor.dimOrder));
    ET_TRY(kernels::copyElements(threads, view, kernels::viewOf(target)));
    return bytes;
}

/// Shrinks the inputs of the cases.
Result<> takeLeadingBlocks(const kernels::ThreadPool& threads, const PartSizes& sizes,
                           bundled_program::TestSuite& suite, std::deque<ByteVector>& blocks) {
    for (bundled_program::TestCase& each : suite.cases) {
        for (std::size_t i = 0; i < each.inputs.size() && i < sizes.size(); ++i) {
            auto* const tensor = std::get_if<BundledTensor>(&each.inputs[i]);
            if (tensor == nullptr || !sizes[i]) {
                continue;
            }
            ET_ASSIGN(auto bytes, leadingBlock(threads, *tensor, *sizes[i]));
            tensor->data = blocks.emplace_back(std::move(bytes));
            tensor->sizes.assign(sizes[i]->begin(), sizes[i]->end());
        }
    }
    return {};
}

}  // namespace

std::string partSizesText(const PartSizes& sizes) {
    std::string text;
    for (const auto& each : sizes) {
        text += text.empty() ? "" : ",";
        text += each ? sizesWord(*each) : std::string(unchanged);
    }
    return text;
}

Result<PartSizes> parsePartSizes(std::string_view text) {
    PartSizes all;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        auto sizes = word == unchanged ? std::nullopt : sizesOf(word);
        if (!sizes && word != unchanged) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected sizes such as 1x17,-,4, got \"{}\"", core::printable(text)));
        }
        all.push_back(std::move(sizes));
        at = end + 1;
    }
    return all;
}

PartSizes inputSizes(const inspector::MethodPart& part) {
    PartSizes sizes;
    for (const program::ValueId id : part.inputs) {
        const auto* const tensor = part.method.value(id).as<TensorInfo>();
        sizes.push_back(tensor == nullptr ? std::nullopt : std::optional(tensor->sizes));
    }
    return sizes;
}

Result<> PartMaker::shrink(const PartShrink& smaller, SizesFrom from) {
    ET_TRY(takeLeadingBlocks(model->threads, smaller.inputs, suite, blocks));
    program::Method& made = taken->method;
    changes =
        Shrunk{.asked = sizeChanges(inputSizes(*taken), smaller.inputs), .constants = smaller.constants};
    for (std::size_t i = 0; i < made.inputs.size() && i < smaller.inputs.size(); ++i) {
        auto* const tensor = made.values[made.inputs[i].value].as<TensorInfo>();
        if (tensor != nullptr && smaller.inputs[i]) {
            setSizes(*tensor, *smaller.inputs[i]);
        }
    }
    changeAskedSizes(made, changes->asked);
    const executor::ModuleData named(*model->program, model->tensorData);
    ET_TRY(shrinkConstants(made, changes->asked, changes->constants, named, blocks));
    std::vector<std::pair<std::uint32_t, ShapeDynamism>> before;
    for (std::uint32_t i = 0; i < made.values.size(); ++i) {
        auto* const tensor = made.values[i].as<TensorInfo>();
        if (tensor != nullptr && mayResize(*tensor) && tensor->dynamism == ShapeDynamism::Static) {
            before.emplace_back(i, tensor->dynamism);
            tensor->dynamism = ShapeDynamism::Bounded;
        }
    }
    ET_ASSIGN(written, write(made));
    if (from == SizesFrom::Inputs) {
        return {};
    }
    ET_ASSIGN(const ProgramPiece piece, load(written, nullptr));
    ET_TRY(piece.execute(inputsOfCase(0)));
    for (const auto& [index, dynamism] : before) {
        auto& tensor = *made.values[index].as<TensorInfo>();
        const auto* const actual = piece.method->value(program::ValueId(index)).as<core::Tensor>();
        if (actual != nullptr) {
            setSizes(tensor, actual->sizes());
        }
        tensor.dynamism = dynamism;
    }
    ET_ASSIGN(written, write(made));
    return {};
}

}  // namespace et::tasks
