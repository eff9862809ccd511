#include "app/tasks/pipeline/pipeline_tensors.h"

#include "inspector/media/wav_file.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using inspector::HostTensor;

constexpr std::uint64_t mostTensorBytes = std::uint64_t{4} << 30U;

/// Reads a WAV file as samples [N].
Result<HostTensor> soundFrom(core::Bytes bytes) {
    ET_ASSIGN(const inspector::Sound sound, inspector::decodeWav(bytes));
    const core::Bytes elements = std::as_bytes(std::span(sound.samples));
    return HostTensor{.dtype = ScalarType::Float,
                      .sizes = {static_cast<std::int64_t>(sound.samples.size())},
                      .dimOrder = {},
                      .data = {elements.begin(), elements.end()}};
}

Result<ReferenceTensor> fromFile(const PipelineInput& input, std::uint64_t maxBytes) {
    const inspector::RawLayout raw{.dtype = input.dtype, .sizes = input.sizes};
    std::vector<HostTensor> tensors;
    ET_ASSIGN(const auto file, core::MappedFile::open(input.file));
    if (inspector::isWav(file->bytes())) {
        auto sound = soundFrom(file->bytes());
        if (!sound) {
            return std::unexpected(std::move(sound).error().in(input.file.string()));
        }
        tensors.push_back(*std::move(sound));
    } else {
        ET_ASSIGN(tensors,
                  inspector::readTensorFile(
                      input.file, input.sizes.empty() ? std::nullopt : std::optional(raw), maxBytes));
    }
    if (tensors.size() != 1) {
        return fail(ErrorCode::Mismatch, fmt::format("expected one tensor, got {}", tensors.size()),
                    {.file = input.file.string(), .field = {}, .offset = {}});
    }
    HostTensor& tensor = tensors.front();
    if (tensor.dtype != input.dtype || (!input.sizes.empty() && tensor.sizes != input.sizes)) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected {} {}, got {} {}", core::scalarTypeName(input.dtype),
                                input.sizes.empty() ? "of any sizes" : core::sizesText(input.sizes),
                                core::scalarTypeName(tensor.dtype), core::sizesText(tensor.sizes)),
                    {.file = input.file.string(), .field = {}, .offset = {}});
    }
    return tensorFrom(std::move(tensor));
}

}  // namespace

Result<ReferenceTensor> newTensor(ScalarType dtype, std::span<const std::int64_t> sizes) {
    const auto bytes = core::tensorBytes(static_cast<std::int64_t>(dtype), sizes);
    if (!bytes || static_cast<std::uint64_t>(*bytes) > mostTensorBytes) {
        return fail(ErrorCode::Limit, fmt::format("expected a tensor of at most 4 GiB, got {} {}",
                                                  core::scalarTypeName(dtype), core::sizesText(sizes)));
    }
    auto memory = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(*bytes));
    ET_ASSIGN(core::Tensor view, core::Tensor::make(dtype, sizes, memory->data()));
    return ReferenceTensor{.view = view, .owner = std::move(memory)};
}

Result<ReferenceTensor> tensorFrom(HostTensor tensor) {
    const auto kept = std::make_shared<const HostTensor>(std::move(tensor));
    ET_ASSIGN(const core::Tensor view, inspector::viewOf(*kept));
    if (!kept->dimOrder.empty() && !view.isContiguous()) {
        return inspector::rowMajorCopy(view);
    }
    return ReferenceTensor{.view = view, .owner = kept};
}

Result<ReferenceTensor> tensorOf(std::span<const double> numbers, ScalarType dtype,
                                 std::span<const std::int64_t> sizes) {
    ET_ASSIGN(const ReferenceTensor whole, newTensor(ScalarType::Double, sizes));
    if (static_cast<std::size_t>(whole.view.numel()) != numbers.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected {} elements for sizes {}, got {}", whole.view.numel(),
                                core::sizesText(sizes), numbers.size()));
    }
    std::ranges::copy(std::as_bytes(numbers), whole.view.raw());
    return inspector::converted(whole.view, dtype);
}

Result<ReferenceTensor> reshaped(const ReferenceTensor& tensor, std::span<const std::int64_t> sizes) {
    std::vector<std::int64_t> wanted(sizes.begin(), sizes.end());
    const auto open = std::ranges::find(wanted, -1);
    if (open != wanted.end()) {
        *open = 1;
        const std::int64_t others =
            core::tensorBytes(static_cast<std::int64_t>(ScalarType::Byte), wanted).value_or(0);
        *open = others == 0 ? 0 : tensor.view.numel() / others;
    }
    if (core::tensorBytes(static_cast<std::int64_t>(ScalarType::Byte), wanted) != tensor.view.numel()) {
        return fail(ErrorCode::InvalidArgument, fmt::format("expected sizes with {} elements, got {}",
                                                            tensor.view.numel(), core::sizesText(sizes)));
    }
    ET_ASSIGN(const core::Tensor view, core::Tensor::make(tensor.view.dtype(), wanted, tensor.view.raw()));
    return ReferenceTensor{.view = view, .owner = tensor.owner};
}

std::vector<std::int64_t> sizesOf(const ReferenceTensor& tensor) {
    return {tensor.view.sizes().begin(), tensor.view.sizes().end()};
}

Result<ReferenceTensor> makeInput(const PipelineInput& input, std::uint64_t maxBytes) {
    if (!input.file.empty()) {
        return fromFile(input, maxBytes);
    }
    if (!input.fill) {
        return tensorOf(input.numbers, input.dtype, input.sizes);
    }
    const ElementFill* const element = elementFill(input.dtype);
    if (element == nullptr) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("expected a dtype with numbers, got {}", core::scalarTypeName(input.dtype)));
    }
    ET_ASSIGN(const ReferenceTensor zeros, newTensor(input.dtype, input.sizes));
    HostTensor filled{.dtype = input.dtype,
                      .sizes = input.sizes,
                      .dimOrder = {},
                      .data = std::vector<std::byte>(zeros.view.bytes())};
    element->fill(filled, *input.fill, input.seed);
    return tensorFrom(std::move(filled));
}

}  // namespace et::tasks
