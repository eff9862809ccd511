#include "inspector/generate/encoder_run.h"

#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

}  // namespace

Result<Embeddings> convertedTo(core::ScalarType type, const Embeddings& from,
                               std::vector<std::byte>& storage) {
    if (type == from.dtype) {
        return from;
    }
    ET_ASSIGN(const auto conversion, kernels::Conversion::between(from.dtype, type));
    const std::size_t count = from.rows * from.size;
    const std::size_t width = core::elementBytes(type);
    storage.resize(std::max(storage.size(), count * width));
    conversion.run(from.data.data(), static_cast<std::int64_t>(core::elementBytes(from.dtype)),
                   storage.data(), static_cast<std::int64_t>(width), static_cast<std::int64_t>(count));
    return Embeddings{.dtype = type,
                      .rows = from.rows,
                      .size = from.size,
                      .data = core::Bytes(storage).first(count * width)};
}

Result<EncoderRun> EncoderRun::load(executor::Module& module, const EncoderMethod& encoder) {
    EncoderRun run;
    run.shape = &encoder;
    ET_ASSIGN(run.loaded, module.load(encoder.method->name));
    ET_TRY(run.loaded->prepare());
    return run;
}

Result<Embeddings> EncoderRun::run(const executor::TensorInput& input) {
    ET_TRY(loaded->setInput(0, input));
    ET_TRY(loaded->execute());
    const auto* tensor = loaded->output(0).as<core::Tensor>();
    if (tensor == nullptr || tensor->dim() < 2 || tensor->numel() <= 0 || !tensor->isContiguous() ||
        tensor->dtype() != shape->outputType ||
        tensor->size(tensor->dim() - 1) != static_cast<std::int64_t>(shape->outputSize)) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected embeddings of {} numbers, got {}", shape->outputSize,
                                tensor != nullptr ? describe(*tensor) : "no tensor"),
                    {.file = {}, .field = std::string(shape->method->name), .offset = {}});
    }
    const auto count = static_cast<std::size_t>(tensor->numel());
    return Embeddings{.dtype = tensor->dtype(),
                      .rows = count / shape->outputSize,
                      .size = shape->outputSize,
                      .data = {tensor->raw(), count * static_cast<std::size_t>(tensor->elementSize())}};
}

/// A method of fixed length gets zeros after the tokens; their embeddings are dropped.
Result<Embeddings> EncoderRun::embedOnce(std::span<const std::uint32_t> tokens) {
    const std::size_t rank = shape->inputSizes.size();
    const auto longest = static_cast<std::size_t>(shape->inputSizes.back());
    numbers.assign(tokens.begin(), tokens.end());
    numbers.resize(shape->isDynamic ? tokens.size() : longest, 0);
    core::Bytes bytes = std::as_bytes(std::span(numbers));
    if (shape->inputType == core::ScalarType::Int) {
        ints.assign(numbers.begin(), numbers.end());
        bytes = std::as_bytes(std::span(ints));
    }
    const std::array sizes{std::int64_t{1}, static_cast<std::int64_t>(numbers.size())};
    ET_ASSIGN(Embeddings rows, run({.dtype = shape->inputType,
                                    .sizes = std::span(sizes).last(std::min<std::size_t>(rank, 2)),
                                    .data = bytes}));
    if (rows.rows < tokens.size()) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("returns {} embeddings for {} tokens", rows.rows, tokens.size()),
                    {.file = {}, .field = std::string(shape->method->name), .offset = {}});
    }
    return rows.part(0, tokens.size());
}

Result<Embeddings> EncoderRun::embed(std::span<const std::uint32_t> tokens) {
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(shape->inputSizes.back()));
    if (tokens.size() <= most) {
        return embedOnce(tokens);
    }
    collected.clear();
    Embeddings all{.dtype = shape->outputType, .rows = tokens.size(), .size = shape->outputSize, .data = {}};
    while (!tokens.empty()) {
        const std::size_t count = std::min(most, tokens.size());
        ET_ASSIGN(const Embeddings rows, embedOnce(tokens.first(count)));
        collected.insert(collected.end(), rows.data.begin(), rows.data.end());
        tokens = tokens.subspan(count);
    }
    all.data = collected;
    return all;
}

}  // namespace et::inspector
