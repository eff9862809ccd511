#include "app/samples/multimodal.h"

#include "app/samples/llama_builder.h"
#include "app/samples/media_files.h"
#include "app/samples/multimodal_manifests.h"
#include "app/samples/word_tokenizer.h"
#include "runtime/builder/program_builder.h"

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace et::samples {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t imageSize = 32;
constexpr std::int64_t patchSize = 8;
constexpr std::int64_t patches = (imageSize / patchSize) * (imageSize / patchSize);
constexpr std::int64_t mels = 80;
constexpr std::int64_t melFrames = 100;
constexpr std::uint32_t soundRate = 16000;
constexpr std::int64_t hopLength = 160;

/// A constant method with a result for each number.
void addReals(builder::ProgramBuilder& program, std::string_view name,
              std::initializer_list<double> numbers) {
    builder::MethodBuilder& method = program.method(name);
    for (const double number : numbers) {
        method.output(method.real(number));
    }
}

void addNumber(builder::ProgramBuilder& program, std::string_view name, std::int64_t number) {
    builder::MethodBuilder& method = program.method(name);
    method.output(method.integer(number));
}

/// Convolution as exporters write it; `sizes` of the result.
GraphTensor convolution(StatefulGraph& graph, std::string_view name, const GraphTensor& x, Sizes kernel,
                        std::int64_t stride, std::int64_t padding, Sizes sizes) {
    const StatefulGraph::Module module(graph, name, "torch.nn.modules.conv.Conv");
    std::int64_t count = 1;
    for (const std::int64_t size : kernel) {
        count *= size;
    }
    Random random(static_cast<std::uint64_t>(count));
    const float range = std::sqrt(3.0F * static_cast<float>(kernel[0]) / static_cast<float>(count));
    std::vector<float> weights(static_cast<std::size_t>(count));
    for (float& weight : weights) {
        weight = random.uniform(-range, range);
    }
    const std::size_t dimensions = kernel.size() - 2;
    const GraphTensor weight = graph.parameter("weight", std::move(kernel), std::move(weights));
    return graph.call("aten.convolution.default", "aten::convolution.out",
                      {{"input", x},
                       {"weight", weight},
                       {"bias", std::monostate()},
                       {"stride", Sizes(dimensions, stride)},
                       {"padding", Sizes(dimensions, padding)},
                       {"dilation", Sizes(dimensions, 1)},
                       {"transposed", false},
                       {"output_padding", Sizes(dimensions, 0)},
                       {"groups", std::int64_t{1}}},
                      std::move(sizes));
}

/// [1, D, N] as rows [1, N, D], mapped by a linear layer.
GraphTensor asRows(StatefulGraph& graph, const GraphTensor& x, std::int64_t rows, const LlamaShape& shape) {
    const GraphTensor columns = graph.view(x, {shape.dim, rows});
    const GraphTensor turned = graph.call("aten.permute_copy.default", "aten::permute_copy.out",
                                          {{"self", columns}, {"dims", Sizes{1, 0}}}, {rows, shape.dim});
    return graph.view(LlamaBuilder(graph, shape).projected("projector", turned, shape.dim),
                      {1, rows, shape.dim});
}

void buildVision(StatefulGraph& graph, const LlamaShape& shape) {
    const GraphTensor image = graph.input("image", {1, 3, imageSize, imageSize}, core::ScalarType::Float);
    const std::int64_t side = imageSize / patchSize;
    const GraphTensor x = convolution(graph, "patch_embedding", image, {shape.dim, 3, patchSize, patchSize},
                                      patchSize, 0, {1, shape.dim, side, side});
    graph.output(asRows(graph, x, patches, shape));
}

void buildAudio(StatefulGraph& graph, const LlamaShape& shape) {
    const GraphTensor mel = graph.input("mel", {1, mels, melFrames}, core::ScalarType::Float);
    const GraphTensor x =
        convolution(graph, "conv", mel, {shape.dim, mels, 3}, 2, 1, {1, shape.dim, melFrames / 2});
    graph.output(asRows(graph, x, melFrames / 2, shape));
}

/// Adds PREFIX.pte and PREFIX.etrecord.
core::Result<> addProgram(std::vector<SampleFile>& files, const std::string& prefix,
                          builder::ProgramBuilder& program, const std::vector<StatefulGraph*>& graphs) {
    ET_ASSIGN(std::vector<std::byte> bytes, program.finish());
    files.push_back({.name = prefix + ".pte", .bytes = std::move(bytes)});
    ET_ASSIGN(std::vector<std::byte> record, recordOf(graphs));
    files.push_back({.name = prefix + ".etrecord", .bytes = std::move(record)});
    return {};
}

}  // namespace

core::Result<std::vector<SampleFile>> makeVlm() {
    const LlamaShape shape;
    builder::ProgramBuilder model;
    StatefulGraph embedding(model.method("token_embedding"), "token_embedding");
    LlamaBuilder(embedding, shape).runEmbedding();
    StatefulGraph decoder(model.method("text_decoder"), "text_decoder");
    LlamaBuilder(decoder, shape).runOnEmbeddings();
    addLanguageConstants(model, shape);

    builder::ProgramBuilder visionProgram;
    StatefulGraph vision(visionProgram.method("vision_encoder"), "vision_encoder");
    buildVision(vision, shape);
    addReals(visionProgram, "get_image_mean", {0.5, 0.45, 0.4});
    addReals(visionProgram, "get_image_std", {0.25, 0.25, 0.5});
    addReals(visionProgram, "get_image_rescale", {1.0 / 255});

    std::vector<SampleFile> files;
    ET_TRY(addProgram(files, "vlm", model, {&embedding, &decoder}));
    ET_TRY(addProgram(files, "vlm_vision", visionProgram, {&vision}));
    files.push_back({.name = "vlm_tokenizer.bin", .bytes = wordTokenizer()});
    constexpr std::uint32_t width = 48;
    constexpr std::uint32_t height = 40;
    files.push_back(
        {.name = "vlm_image.png", .bytes = pngFile(gradientPixels(width, height), width, height)});
    files.push_back(textFile("vlm.toml", vlmManifest()));
    return files;
}

core::Result<std::vector<SampleFile>> makeWhisper() {
    const LlamaShape shape;
    builder::ProgramBuilder model;
    StatefulGraph encoder(model.method("encoder"), "encoder");
    buildAudio(encoder, shape);
    StatefulGraph decoder(model.method("text_decoder"), "text_decoder");
    LlamaBuilder(decoder, shape).runOnEncoded(melFrames / 2);
    addLanguageConstants(model, shape);
    addNumber(model, "get_sample_rate", soundRate);
    addNumber(model, "get_n_fft", 400);
    addNumber(model, "get_hop_length", hopLength);

    std::vector<SampleFile> files;
    ET_TRY(addProgram(files, "whisper", model, {&encoder, &decoder}));
    files.push_back({.name = "whisper_tokenizer.bin", .bytes = wordTokenizer()});
    files.push_back(
        {.name = "whisper_audio.wav", .bytes = wavFile(toneSamples(soundRate, soundRate), soundRate)});
    files.push_back(textFile("whisper.toml", whisperManifest()));
    return files;
}

}  // namespace et::samples
