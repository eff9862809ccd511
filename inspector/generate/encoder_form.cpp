#include "inspector/generate/encoder_form.h"

#include "runtime/program/constant_method.h"

#include <fmt/format.h>

#include <string>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

/// Sizes from a file must not determine allocations.
constexpr std::int64_t maxEmbeddingSize = std::int64_t{1} << 24;

bool isRealNumber(ScalarType type) {
    return type == ScalarType::Float || type == ScalarType::Half || type == ScalarType::BFloat16 ||
           type == ScalarType::Double;
}

const program::TensorInfo* encoderTensor(const program::Method& method,
                                         const std::vector<program::ValueId>& ids) {
    return ids.empty() ? nullptr : method.value(ids.front()).as<program::TensorInfo>();
}

Result<EncoderMethod> readEncoder(const program::Program& program, const program::Method& method) {
    const program::TensorInfo* input = encoderTensor(method, method.inputs);
    const program::TensorInfo* output = encoderTensor(method, method.outputs);
    const core::Where place{
        .file = program.file->name(), .field = core::printable(method.name), .offset = {}};
    if (input == nullptr || method.inputs.size() != 1) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("expected a tensor as the only input of an encoder, got {} inputs",
                                method.inputs.size()),
                    place);
    }
    if (output == nullptr || output->sizes.size() < 2 || output->sizes.size() > 3 ||
        output->sizes.back() < 1 || output->sizes.back() > maxEmbeddingSize ||
        !isRealNumber(static_cast<ScalarType>(output->scalarType))) {
        return fail(ErrorCode::Unsupported,
                    "expected embeddings as the first output, floats of shape [1, T, D]", place);
    }
    return EncoderMethod{.program = &program,
                         .method = &method,
                         .inputType = static_cast<ScalarType>(input->scalarType),
                         .inputSizes = {input->sizes.begin(), input->sizes.end()},
                         .isDynamic = input->dynamism != program::ShapeDynamism::Static,
                         .outputType = static_cast<ScalarType>(output->scalarType),
                         .outputSize = static_cast<std::size_t>(output->sizes.back())};
}

/// The method with this name in `other`, or its only one; without `other`, that of the model if it has one.
Result<std::optional<EncoderMethod>> findEncoder(const program::Program& model, const program::Program* other,
                                                 std::string_view name) {
    const program::Program& program = other == nullptr ? model : *other;
    const program::Method* method = program.findMethod(name);
    if (method == nullptr && other != nullptr) {
        method = onlyMethod(program);
        if (method == nullptr) {
            return fail(ErrorCode::Unsupported, fmt::format("expected the method {}", name),
                        {.file = program.file->name(), .field = {}, .offset = {}});
        }
    }
    if (method == nullptr) {
        return std::nullopt;
    }
    return readEncoder(program, *method);
}

}  // namespace

std::string_view modalityName(Modality modality) {
    return modality == Modality::Image ? "image" : "audio";
}

const program::Method* onlyMethod(const program::Program& program) {
    const program::Method* found = nullptr;
    for (const program::Method& method : program.methods) {
        if (!program::isConstantMethod(method)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &method;
        }
    }
    return found;
}

Result<Encoders> findEncoders(const program::Program& model, const EncoderPrograms& others) {
    Encoders found;
    ET_ASSIGN(found.tokenEmbedding, findEncoder(model, others.tokenEmbedding, "token_embedding"));
    ET_ASSIGN(found.vision, findEncoder(model, others.vision, "vision_encoder"));
    ET_ASSIGN(found.audio, findEncoder(model, others.audio, "audio_encoder"));
    const program::Method* single = model.findMethod("encoder");
    if (single != nullptr) {
        ET_ASSIGN(EncoderMethod encoder, readEncoder(model, *single));
        constexpr std::size_t imageRank = 4;
        auto& place = encoder.inputSizes.size() == imageRank ? found.vision : found.audio;
        if (!place && isRealNumber(encoder.inputType)) {
            place = std::move(encoder);
        }
    }
    return found;
}

}  // namespace et::inspector
