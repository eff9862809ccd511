#include "inspector/generate/language_run.h"

#include "runtime/core/element_types.h"
#include "runtime/core/event_tracer.h"
#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::EventTracer;
using core::fail;
using core::Result;

template <class T>
core::Bytes bytesOf(const std::vector<T>& numbers) {
    return std::as_bytes(std::span(numbers));
}

/// Converts the numbers to the dtype that the program requires.
Result<core::Bytes> asType(const std::vector<std::int64_t>& numbers, std::vector<std::int32_t>& narrow,
                           core::ScalarType type) {
    if (type == core::ScalarType::Long) {
        return bytesOf(numbers);
    }
    narrow.clear();
    for (const std::int64_t number : numbers) {
        if (number > std::numeric_limits<std::int32_t>::max()) {
            return fail(ErrorCode::InvalidArgument, fmt::format("{} does not fit int32", number));
        }
        narrow.push_back(static_cast<std::int32_t>(number));
    }
    return bytesOf(narrow);
}

}  // namespace

Result<LanguageRun> LanguageRun::load(executor::Module& module, const LanguageForm& form,
                                      const EncoderModules& encoders) {
    LanguageRun run;
    run.shape = &form;
    ET_ASSIGN(run.prefillMethod, module.load(form.prefill.method->name));
    ET_ASSIGN(run.decodeMethod, module.load(form.decode.method->name));
    // Otherwise preparation would count towards the first tokens.
    ET_TRY(run.prefillMethod->prepare());
    ET_TRY(run.decodeMethod->prepare());
    const auto loadEncoder = [&](const std::optional<EncoderMethod>& from, executor::Module* other,
                                 std::optional<EncoderRun>& to) -> Result<> {
        if (from) {
            ET_ASSIGN(to, EncoderRun::load(other == nullptr ? module : *other, *from));
        }
        return {};
    };
    ET_TRY(loadEncoder(form.encoders.tokenEmbedding, encoders.tokenEmbedding, run.embedding));
    ET_TRY(loadEncoder(form.encoders.vision, encoders.vision, run.vision));
    ET_TRY(loadEncoder(form.encoders.audio, encoders.audio, run.audio));
    return run;
}

void LanguageRun::setTracer(core::EventTracer* tracer) {
    prefillMethod->setTracer(tracer);
    decodeMethod->setTracer(tracer);
    for (std::optional<EncoderRun>* encoder : {&embedding, &vision, &audio}) {
        if (*encoder) {
            (*encoder)->method().setTracer(tracer);
        }
    }
}

EncoderRun* LanguageRun::encoder(Modality modality) {
    std::optional<EncoderRun>& found = modality == Modality::Image ? vision : audio;
    return found ? &*found : nullptr;
}

void LanguageRun::setPosition(std::size_t position) {
    next = position;
    past.resize(std::min(past.size(), position));
}

Result<> LanguageRun::setTokens(executor::Method& method, const StepMethod& step,
                                std::span<const std::uint32_t> tokens) {
    if (step.takesEmbeddings) {
        ET_ASSIGN(const Embeddings rows, embedding->embed(tokens));
        return setEmbeddings(method, step, rows);
    }
    tokenNumbers.assign(tokens.begin(), tokens.end());
    ET_ASSIGN(const core::Bytes tokenBytes, asType(tokenNumbers, tokenInts, step.tokenType));
    const std::array sizes{std::int64_t{1}, static_cast<std::int64_t>(tokens.size())};
    const std::span<const std::int64_t> tokenSizes = std::span(sizes).subspan(step.tokensHaveBatch ? 0 : 1);
    return method.setInput(
        0, executor::TensorInput{.dtype = step.tokenType, .sizes = tokenSizes, .data = tokenBytes});
}

Result<> LanguageRun::setEmbeddings(executor::Method& method, const StepMethod& step,
                                    const Embeddings& rows) {
    ET_ASSIGN(const Embeddings given, convertedTo(step.embeddingType, rows, converted));
    const std::array sizes{std::int64_t{1}, static_cast<std::int64_t>(given.rows),
                           static_cast<std::int64_t>(given.size)};
    return method.setInput(
        0, executor::TensorInput{.dtype = given.dtype,
                                 .sizes = std::span(sizes).subspan(step.tokensHaveBatch ? 0 : 1),
                                 .data = given.data});
}

/// Sets the inputs after the tokens or embeddings.
Result<> LanguageRun::setFurtherInputs(executor::Method& method, const StepMethod& step, std::size_t tokens,
                                       std::size_t position) {
    if (step.encodedInput) {
        if (encodedForAll.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        "the decoder takes the output of an encoder: give an image or audio before the text");
        }
        const auto encoded =
            step.method->value(step.method->inputs[*step.encodedInput]).as<program::TensorInfo>();
        ET_TRY(
            method.setInput(*step.encodedInput,
                            executor::TensorInput{.dtype = static_cast<core::ScalarType>(encoded->scalarType),
                                                  .sizes = encodedSizes,
                                                  .data = encodedForAll}));
    }
    if (step.position == PositionInput::None || step.position == PositionInput::InState) {
        return {};
    }
    positionNumbers.resize(step.position == PositionInput::First ? 1 : tokens);
    std::iota(positionNumbers.begin(), positionNumbers.end(), static_cast<std::int64_t>(position));
    ET_ASSIGN(const core::Bytes positionBytes, asType(positionNumbers, positionInts, step.positionType));
    const std::array positions{static_cast<std::int64_t>(positionNumbers.size()), std::int64_t{1}};
    return method.setInput(
        step.positionInput,
        executor::TensorInput{.dtype = step.positionType,
                              .sizes = std::span(positions).first(step.positionsAreRows ? 2 : 1),
                              .data = positionBytes});
}

Result<Logits> LanguageRun::logitsOf(executor::Method& method, const StepMethod& step) {
    const auto* tensor = method.output(0).as<core::Tensor>();
    if (tensor == nullptr || tensor->dim() == 0 || tensor->numel() <= 0 ||
        tensor->size(tensor->dim() - 1) != static_cast<std::int64_t>(step.vocabulary) ||
        !tensor->isContiguous()) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected logits of {} tokens, got {}", step.vocabulary,
                                tensor != nullptr ? describe(*tensor) : "no tensor"),
                    {.file = {}, .field = std::string(step.method->name), .offset = {}});
    }
    const auto count = static_cast<std::size_t>(tensor->numel());
    const std::size_t rows = count / step.vocabulary;
    if (tensor->dtype() == core::ScalarType::Float) {
        return Logits{.values = {tensor->data<float>(), count}, .rows = rows};
    }
    ET_ASSIGN(const auto conversion, kernels::Conversion::between(tensor->dtype(), core::ScalarType::Float));
    floats.resize(std::max(floats.size(), count));
    conversion.run(tensor->raw(), static_cast<std::int64_t>(tensor->elementSize()),
                   std::as_writable_bytes(std::span(floats)).data(), sizeof(float), tensor->numel());
    return Logits{.values = std::span(floats).first(count), .rows = rows};
}

Result<Logits> LanguageRun::execute(executor::Method& method, const StepMethod& step) {
    ET_TRY(method.execute());
    call.executionEnd = EventTracer::now();
    call.end = call.executionEnd;
    return logitsOf(method, step);
}

Result<Logits> LanguageRun::callAt(LanguagePhase phase, std::span<const std::uint32_t> tokens,
                                   std::size_t position) {
    executor::Method& target = method(phase);
    const StepMethod& step = phase == LanguagePhase::Prefill ? shape->prefill : shape->decode;
    call = {.phase = phase, .position = position, .tokens = tokens.size(), .start = EventTracer::now()};
    call.executionStart = call.start;  // of the token embedding
    ET_TRY(setTokens(target, step, tokens));
    ET_TRY(setFurtherInputs(target, step, tokens.size(), position));
    if (!step.takesEmbeddings) {
        call.executionStart = EventTracer::now();
    }
    return execute(target, step);
}

/// Without a cache the program gets all tokens again.
Result<Logits> LanguageRun::advance(LanguagePhase phase, std::span<const std::uint32_t> tokens) {
    const std::size_t first = next;
    if (shape->hasCache()) {
        ET_ASSIGN(const Logits logits, callAt(phase, tokens, first));
        next = first + tokens.size();
        return logits;
    }
    past.insert(past.end(), tokens.begin(), tokens.end());
    auto logits = callWithPast(phase);
    if (!logits) {
        past.resize(first);
        return logits;
    }
    call.position = first;
    call.tokens = tokens.size();
    next = past.size();
    return logits;
}

/// A program of fixed length gets zeros after the tokens, which do not affect earlier ones.
Result<Logits> LanguageRun::callWithPast(LanguagePhase phase) {
    const std::size_t known = past.size();
    past.resize(std::max(known, shape->decode.minTokens), 0);
    auto logits = callAt(phase, past, 0);
    const bool isPadded = past.size() > known;
    past.resize(known);
    if (!logits || !isPadded) {
        return logits;
    }
    if (logits->rows < known) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("a method of {} tokens without a cache must return logits for each",
                                shape->decode.minTokens));
    }
    logits->values = logits->values.first(known * shape->vocabulary);
    logits->rows = known;
    return logits;
}

/// Number of tokens in the next call, and the method to call.
std::size_t LanguageRun::callLength(std::size_t left, std::size_t chunk, LanguagePhase& phase) const {
    if (!shape->hasCache()) {
        return left;
    }
    const std::size_t most = std::min({left, shape->chunk, chunk == 0 ? left : chunk});
    // Tokens that do not fill a prefill method of fixed length go to the decode method.
    const bool fits = shape->prefill.takes(most);
    phase = fits ? LanguagePhase::Prefill : LanguagePhase::Decode;
    return fits ? most : 1;
}

Result<> LanguageRun::checkRoom(std::size_t positions) const {
    if (next > shape->context || positions > shape->context - next) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} tokens at position {} do not fit the context of {} tokens", positions,
                                next, shape->context));
    }
    return {};
}

Result<Logits> LanguageRun::prefillEncoded(const Embeddings& encoded, std::size_t chunk,
                                           const std::function<void(const StepCall&, const Logits&)>& each) {
    const StepMethod& step = shape->decode;
    if (step.encodedInput) {
        const auto* input =
            step.method->value(step.method->inputs[*step.encodedInput]).as<program::TensorInfo>();
        ET_ASSIGN(const Embeddings kept,
                  convertedTo(static_cast<core::ScalarType>(input->scalarType), encoded, converted));
        encodedForAll.assign(kept.data.begin(), kept.data.end());
        encodedSizes.assign(input->sizes.size(), 1);
        encodedSizes.back() = static_cast<std::int64_t>(kept.size);
        *(encodedSizes.end() - 2) = static_cast<std::int64_t>(kept.rows);
        return Logits();
    }
    if (!step.takesEmbeddings) {
        return fail(ErrorCode::Unsupported, "the model takes tokens, not embeddings");
    }
    ET_TRY(checkRoom(encoded.rows));
    Logits logits;
    for (std::size_t done = 0; done < encoded.rows; done += call.tokens) {
        LanguagePhase phase = LanguagePhase::Prefill;
        const std::size_t count = callLength(encoded.rows - done, chunk, phase);
        executor::Method& target = method(phase);
        const StepMethod& used = phase == LanguagePhase::Prefill ? shape->prefill : shape->decode;
        call = {
            .phase = LanguagePhase::Prefill, .position = next, .tokens = count, .start = EventTracer::now()};
        ET_TRY(setEmbeddings(target, used, encoded.part(done, count)));
        ET_TRY(setFurtherInputs(target, used, count, next));
        call.executionStart = EventTracer::now();
        ET_ASSIGN(logits, execute(target, used));
        next += count;
        if (each) {
            each(call, logits);
        }
    }
    return logits;
}

Result<Logits> LanguageRun::prefill(std::span<const std::uint32_t> tokens, std::size_t chunk,
                                    const std::function<void(const StepCall&, const Logits&)>& each) {
    if (tokens.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected at least one token");
    }
    ET_TRY(checkRoom(tokens.size()));
    Logits logits;
    while (!tokens.empty()) {
        LanguagePhase phase = LanguagePhase::Prefill;
        const std::size_t count = callLength(tokens.size(), chunk, phase);
        ET_ASSIGN(logits, advance(phase, tokens.first(count)));
        call.phase = LanguagePhase::Prefill;
        if (each) {
            each(call, logits);
        }
        tokens = tokens.subspan(count);
    }
    return logits;
}

Result<Logits> LanguageRun::decode(std::uint32_t token) {
    if (next >= shape->context) {
        return fail(ErrorCode::Limit,
                    fmt::format("position {} is beyond the context of {} tokens", next, shape->context));
    }
    return advance(LanguagePhase::Decode, std::span(&token, 1));
}

}  // namespace et::inspector
