#include "inspector/generate/language_form.h"

#include "inspector/memory/cache_tensors.h"
#include "runtime/core/tensor_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

/// Contexts have at most some million tokens; larger values from a file must not determine allocations.
constexpr std::int64_t maxContextTokens = std::int64_t{1} << 24;
constexpr std::int64_t maxVocabularyTokens = std::int64_t{1} << 24;

bool isInteger(std::int8_t type) {
    return static_cast<ScalarType>(type) == ScalarType::Long ||
           static_cast<ScalarType>(type) == ScalarType::Int;
}

bool isLogits(std::int8_t type) {
    const auto dtype = static_cast<ScalarType>(type);
    return dtype == ScalarType::Float || dtype == ScalarType::Half || dtype == ScalarType::BFloat16 ||
           dtype == ScalarType::Double;
}

std::unexpected<core::Error> refuse(const program::Method& method, std::string message) {
    return fail(ErrorCode::Unsupported, std::move(message),
                {.file = {}, .field = core::printable(method.name), .offset = {}});
}

const program::TensorInfo* tensorOf(const program::Method& method, program::ValueId id) {
    return method.value(id).as<program::TensorInfo>();
}

/// The last size of [N], [1, N], ..., if all sizes before it are 1.
std::optional<std::int64_t> rowLength(const program::TensorInfo& tensor) {
    if (tensor.sizes.empty()) {
        return std::nullopt;
    }
    const bool isRow =
        std::all_of(tensor.sizes.begin(), tensor.sizes.end() - 1, [](auto size) { return size == 1; });
    return isRow ? std::optional(tensor.sizes.back()) : std::nullopt;
}

Result<> readTokens(const program::Method& method, StepMethod& step, std::int64_t most) {
    const program::TensorInfo* tokens = method.inputs.empty() ? nullptr : tensorOf(method, method.inputs[0]);
    const auto length = tokens == nullptr ? std::nullopt : rowLength(*tokens);
    if (!length || *length < 1 || !isInteger(tokens->scalarType) || tokens->sizes.size() > 2) {
        return refuse(method,
                      "expected tokens as the first input, integers of shape [1, T], as in language models");
    }
    step.tokenType = static_cast<ScalarType>(tokens->scalarType);
    step.tokensHaveBatch = tokens->sizes.size() == 2;
    const bool isStatic = tokens->dynamism == program::ShapeDynamism::Static;
    const std::int64_t longest = tokens->dynamism == program::ShapeDynamism::Unbounded ? most : *length;
    step.maxTokens = static_cast<std::size_t>(std::min(longest, maxContextTokens));
    step.minTokens = isStatic ? step.maxTokens : 1;
    return {};
}

Result<> readPosition(const program::Method& method, StepMethod& step) {
    if (method.inputs.size() == 1) {
        step.position = cachePositions(method) ? PositionInput::InState : PositionInput::None;
        return {};
    }
    const program::TensorInfo* position = tensorOf(method, method.inputs[1]);
    const std::size_t rank = position == nullptr ? 0 : position->sizes.size();
    step.positionsAreRows = rank == 2 && position->sizes[1] == 1;
    if (method.inputs.size() != 2 || (rank != 1 && !step.positionsAreRows) ||
        !isInteger(position->scalarType)) {
        return refuse(method, fmt::format("expected the position as the second and last input, integers of "
                                          "shape [1], [T] or [T, 1]; the method has {} inputs",
                                          method.inputs.size()));
    }
    const std::int64_t length = position->sizes[0];
    step.positionType = static_cast<ScalarType>(position->scalarType);
    const bool perToken =
        length != 1 || step.positionsAreRows || position->dynamism != program::ShapeDynamism::Static;
    step.position = perToken ? PositionInput::EachToken : PositionInput::First;
    if (perToken && length < static_cast<std::int64_t>(step.maxTokens)) {
        step.maxTokens = static_cast<std::size_t>(length);
    }
    return {};
}

Result<> readLogits(const program::Method& method, StepMethod& step) {
    const program::TensorInfo* logits =
        method.outputs.empty() ? nullptr : tensorOf(method, method.outputs[0]);
    if (logits == nullptr || !isLogits(logits->scalarType) || logits->sizes.empty() ||
        logits->sizes.size() > 3 || logits->sizes.back() < 1 || logits->sizes.back() > maxVocabularyTokens) {
        return refuse(method, "expected logits as the first output, floats of shape [1, V] or [1, T, V]");
    }
    step.vocabulary = static_cast<std::size_t>(logits->sizes.back());
    return {};
}

Result<StepMethod> readStep(const program::Method& method, std::int64_t most) {
    StepMethod step{.method = &method};
    ET_TRY(readTokens(method, step, most));
    ET_TRY(readPosition(method, step));
    ET_TRY(readLogits(method, step));
    return step;
}

const program::Method* onlyMethod(const program::Program& program) {
    const program::Method* found = nullptr;
    for (const program::Method& method : program.methods) {
        if (!isConstantMethod(method)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &method;
        }
    }
    return found;
}

Result<std::int64_t> lengthOf(const std::optional<std::int64_t>& value, std::string_view key,
                              std::int64_t otherwise) {
    if (value && (*value < 1 || *value > maxContextTokens)) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected 1 to {} tokens, got {}", maxContextTokens, *value),
                    {.file = {}, .field = std::string(key), .offset = {}});
    }
    return value.value_or(otherwise);
}

Result<LanguageForm> readForm(const program::Program& program, const LanguageMetadata& metadata) {
    const program::Method* prefill = program.findMethod("prefill");
    const program::Method* decode = program.findMethod("decode");
    LanguageForm form{
        .prefill = {}, .decode = {}, .separateMethods = prefill != nullptr && decode != nullptr};
    if (!form.separateMethods) {
        decode = program.findMethod("forward");
        decode = decode != nullptr ? decode : onlyMethod(program);
        prefill = decode;
    }
    if (decode == nullptr) {
        return fail(ErrorCode::Unsupported, "expected the methods prefill and decode, or forward");
    }
    ET_ASSIGN(const std::int64_t sequence, lengthOf(metadata.maxSequence, "get_max_seq_len", 0));
    ET_ASSIGN(const std::int64_t context, lengthOf(metadata.maxContext, "get_max_context_len", sequence));
    const std::int64_t most = context > 0 ? context : maxContextTokens;
    ET_ASSIGN(form.prefill, readStep(*prefill, most));
    ET_ASSIGN(form.decode, readStep(*decode, most));
    if (form.prefill.position == PositionInput::None && form.takesPositions()) {
        return refuse(*prefill, "expected a second input, the position, as in the method decode");
    }
    // Programs that do not specify a context length are limited by their caches or inputs.
    const std::uint64_t cached =
        std::min<std::uint64_t>(cachePositions(*decode).value_or(form.prefill.maxTokens), maxContextTokens);
    form.context = context > 0 ? static_cast<std::size_t>(context) : static_cast<std::size_t>(cached);
    form.chunk = std::min(form.prefill.maxTokens,
                          sequence > 0 ? static_cast<std::size_t>(sequence) : form.prefill.maxTokens);
    form.vocabulary = form.decode.vocabulary;
    if (form.hasCache() && !form.decode.takes(1)) {
        return refuse(*decode, fmt::format("expected a method that accepts one token, got at least {}",
                                           form.decode.minTokens));
    }
    if (form.prefill.vocabulary != form.decode.vocabulary) {
        return fail(ErrorCode::Mismatch, fmt::format("prefill returns {} logits, decode {}",
                                                     form.prefill.vocabulary, form.decode.vocabulary));
    }
    return form;
}

}  // namespace

Result<LanguageForm> languageForm(const program::Program& program, const LanguageMetadata& metadata) {
    auto form = readForm(program, metadata);
    if (!form) {
        return std::unexpected(std::move(form).error().in(program.file->name()));
    }
    return form;
}

bool isLanguageModel(const program::Program& program) {
    return languageForm(program, languageMetadata(program)).has_value();
}

}  // namespace et::inspector
