#include "inspector/generate/language_form.h"

#include "inspector/memory/cache_tensors.h"
#include "runtime/core/tensor_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

/// Contexts have at most some million tokens; larger values from a file must not determine allocations.
constexpr std::int64_t maxContextTokens = std::int64_t{1} << 24;
constexpr std::int64_t maxVocabularyTokens = std::int64_t{1} << 24;
constexpr std::string_view textDecoder = "text_decoder";  // of ExecuTorch's multimodal runner

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

void readLength(const program::TensorInfo& input, std::int64_t length, std::int64_t most, StepMethod& step) {
    const bool isStatic = input.dynamism == program::ShapeDynamism::Static;
    const std::int64_t longest = input.dynamism == program::ShapeDynamism::Unbounded ? most : length;
    step.maxTokens = static_cast<std::size_t>(std::min(longest, maxContextTokens));
    step.minTokens = isStatic ? step.maxTokens : 1;
}

/// Embeddings [1, T, D] or [T, D].
bool isEmbeddings(const program::TensorInfo* input) {
    return input != nullptr && isLogits(input->scalarType) &&
           (input->sizes.size() == 2 || (input->sizes.size() == 3 && input->sizes[0] == 1)) &&
           *(input->sizes.end() - 2) >= 1 && input->sizes.back() >= 1 &&
           input->sizes.back() <= maxVocabularyTokens;
}

Result<> readTokens(const program::Method& method, StepMethod& step, std::int64_t most, bool mayEmbed) {
    const program::TensorInfo* tokens = method.inputs.empty() ? nullptr : tensorOf(method, method.inputs[0]);
    if (mayEmbed && isEmbeddings(tokens)) {
        step.takesEmbeddings = true;
        step.tokensHaveBatch = tokens->sizes.size() == 3;
        step.embeddingType = static_cast<ScalarType>(tokens->scalarType);
        step.embeddingSize = static_cast<std::size_t>(tokens->sizes.back());
        readLength(*tokens, *(tokens->sizes.end() - 2), most, step);
        return {};
    }
    const auto length = tokens == nullptr ? std::nullopt : rowLength(*tokens);
    if (!length || *length < 1 || !isInteger(tokens->scalarType) || tokens->sizes.size() > 2) {
        return refuse(method,
                      "expected tokens as the first input, integers of shape [1, T], as in language models");
    }
    step.tokenType = static_cast<ScalarType>(tokens->scalarType);
    step.tokensHaveBatch = tokens->sizes.size() == 2;
    readLength(*tokens, *length, most, step);
    return {};
}

/// The encoder's output as the second input of a sequence-to-sequence decoder: floats [1, T, D].
void readEncoded(const program::Method& method, StepMethod& step) {
    const program::TensorInfo* input =
        method.inputs.size() < 2 ? nullptr : tensorOf(method, method.inputs[1]);
    if (input != nullptr && isLogits(input->scalarType) && input->sizes.size() >= 2) {
        step.encodedInput = 1;
        step.positionInput = 2;
    }
}

Result<> readPosition(const program::Method& method, StepMethod& step) {
    readEncoded(method, step);
    const std::size_t at = step.positionInput;
    if (method.inputs.size() == at) {
        step.position = cachePositions(method) ? PositionInput::InState : PositionInput::None;
        return {};
    }
    const program::TensorInfo* position =
        at < method.inputs.size() ? tensorOf(method, method.inputs[at]) : nullptr;
    const std::size_t rank = position == nullptr ? 0 : position->sizes.size();
    step.positionsAreRows = rank == 2 && position->sizes[1] == 1;
    if (method.inputs.size() != at + 1 || (rank != 1 && !step.positionsAreRows) ||
        !isInteger(position->scalarType)) {
        return refuse(method, fmt::format("expected the position as the {} and last input, integers of "
                                          "shape [1], [T] or [T, 1]; the method has {} inputs",
                                          at == 1 ? "second" : "third", method.inputs.size()));
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

/// `mayEmbed`: the method may take embeddings instead of tokens.
Result<StepMethod> readStep(const program::Method& method, std::int64_t most, bool mayEmbed) {
    StepMethod step{.method = &method};
    ET_TRY(readTokens(method, step, most, mayEmbed));
    ET_TRY(readPosition(method, step));
    ET_TRY(readLogits(method, step));
    if (step.takesEmbeddings && (step.position == PositionInput::None || step.encodedInput)) {
        return refuse(method, "expected embeddings and the position as the inputs");
    }
    return step;
}

/// Finds the encoders of a text decoder, and checks that it takes their embeddings.
Result<> readEncoders(const program::Program& program, const EncoderPrograms& others, LanguageForm& form) {
    const StepMethod& step = form.decode;
    if (!step.takesEmbeddings && !step.encodedInput) {
        return {};
    }
    ET_ASSIGN(form.encoders, findEncoders(program, others));
    if (!step.takesEmbeddings) {
        return {};
    }
    if (!form.encoders.tokenEmbedding) {
        return refuse(*step.method,
                      "the method takes embeddings: expected the method token_embedding, in this "
                      "program or in that of --token-embedding");
    }
    for (const auto* encoder : {&form.encoders.tokenEmbedding, &form.encoders.vision, &form.encoders.audio}) {
        if (*encoder && (*encoder)->outputSize != step.embeddingSize) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("{} returns embeddings of {} numbers, {} takes {}",
                                    core::printable((*encoder)->method->name), (*encoder)->outputSize,
                                    core::printable(step.method->name), step.embeddingSize));
        }
    }
    return {};
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

/// The methods for the prompt and for single tokens.
struct StepMethods {
    const program::Method* prefill = nullptr;
    const program::Method* decode = nullptr;
};

StepMethods stepMethods(const program::Program& program) {
    const StepMethods separate{.prefill = program.findMethod("prefill"),
                               .decode = program.findMethod("decode")};
    if (separate.prefill != nullptr && separate.decode != nullptr) {
        return separate;
    }
    const program::Method* single = program.findMethod(textDecoder);
    single = single != nullptr ? single : program.findMethod("forward");
    single = single != nullptr ? single : onlyMethod(program);
    return {.prefill = single, .decode = single};
}

Result<LanguageForm> readForm(const program::Program& program, const LanguageMetadata& metadata,
                              const EncoderPrograms& others) {
    const auto [prefill, decode] = stepMethods(program);
    if (decode == nullptr) {
        return fail(ErrorCode::Unsupported,
                    "expected the methods prefill and decode, text_decoder, or forward");
    }
    LanguageForm form{.prefill = {}, .decode = {}, .separateMethods = prefill != decode};
    ET_ASSIGN(const std::int64_t sequence, lengthOf(metadata.maxSequence, "get_max_seq_len", 0));
    ET_ASSIGN(const std::int64_t context, lengthOf(metadata.maxContext, "get_max_context_len", sequence));
    const std::int64_t most = context > 0 ? context : maxContextTokens;
    const bool mayEmbed = others.tokenEmbedding != nullptr || decode->name == textDecoder ||
                          program.findMethod("token_embedding") != nullptr;
    ET_ASSIGN(form.prefill, readStep(*prefill, most, mayEmbed));
    ET_ASSIGN(form.decode, readStep(*decode, most, mayEmbed));
    ET_TRY(readEncoders(program, others, form));
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

Result<LanguageForm> languageForm(const program::Program& program, const LanguageMetadata& metadata,
                                  const EncoderPrograms& others) {
    auto form = readForm(program, metadata, others);
    if (!form) {
        return std::unexpected(std::move(form).error().in(program.file->name()));
    }
    return form;
}

bool isLanguageModel(const program::Program& program) {
    return languageForm(program, languageMetadata(program)).has_value();
}

}  // namespace et::inspector
