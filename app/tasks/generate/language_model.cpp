#include "app/tasks/generate/language_model.h"

#include "backends/host_caches.h"
#include "inspector/generate/weight_bytes.h"
#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

/// A given capacity of caches outside the program limits its context.
void limitContext(const executor::KvCachePlan& caches, const core::KvCacheSettings& given,
                  inspector::LanguageMetadata& metadata) {
    if (!caches.layers.empty() && given.capacity > 0) {
        metadata.maxContext = std::min(metadata.maxContext.value_or(given.capacity), given.capacity);
    }
}

Result<EncoderPart> openPart(const std::filesystem::path& file, const ModelOptions& options) {
    EncoderPart part;
    if (!file.empty()) {
        ET_ASSIGN(part.model, Model::prepare(file, options));
    }
    return part;
}

}  // namespace

Result<EncoderParts> EncoderParts::open(const EncoderFiles& files, const ModelOptions& options) {
    EncoderParts parts;
    ET_ASSIGN(parts.tokenEmbedding, openPart(files.tokenEmbedding, options));
    ET_ASSIGN(parts.vision, openPart(files.vision, options));
    ET_ASSIGN(parts.audio, openPart(files.audio, options));
    return parts;
}

void EncoderParts::makeModules(core::EventTracer* tracer) {
    for (EncoderPart* part : {&tokenEmbedding, &vision, &audio}) {
        part->module.reset();
        if (part->model != nullptr) {
            part->module.emplace(part->model->newModule(tracer));
        }
    }
}

Result<std::unique_ptr<LanguageModel>> LanguageModel::open(const std::filesystem::path& path,
                                                           const ModelOptions& options,
                                                           core::EventTracer* tracer) {
    const std::uint64_t start = core::EventTracer::now();
    ET_ASSIGN(auto model, Model::prepare(path, options));
    return load(std::move(model), options.caches, tracer, start);
}

Result<std::unique_ptr<LanguageModel>> LanguageModel::load(std::unique_ptr<Model> prepared,
                                                           const core::KvCacheSettings& caches,
                                                           core::EventTracer* tracer, std::uint64_t loadStart,
                                                           EncoderParts encoders) {
    auto opened = std::make_unique<LanguageModel>();
    opened->loadStart = loadStart;
    opened->model = std::move(prepared);
    opened->encoders = std::move(encoders);
    opened->metadata = inspector::languageMetadata(*opened->model->program);
    opened->hostCaches = backends::hostCachePlan(*opened->model->program, caches);
    limitContext(opened->hostCaches, caches, opened->metadata);
    ET_ASSIGN(opened->form, inspector::languageForm(*opened->model->program, opened->metadata,
                                                    opened->encoders.programs()));
    if (!opened->hostCaches.layers.empty()) {
        opened->model->caches.capacity = static_cast<std::int64_t>(opened->form.context);
    }
    opened->tracer = tracer;
    opened->module.emplace(opened->model->newModule(tracer));
    opened->encoders.makeModules(tracer);
    auto run = inspector::LanguageRun::load(*opened->module, opened->form, opened->encoders.modules());
    if (!run) {
        return std::unexpected(opened->programError(std::move(run).error()));
    }
    opened->run.emplace(std::move(*run));
    opened->loadEnd = core::EventTracer::now();
    return opened;
}

/// Runs each encoder on zeros.
Result<> LanguageModel::warmUpEncoders() {
    for (const inspector::Modality modality : {inspector::Modality::Image, inspector::Modality::Audio}) {
        inspector::EncoderRun* encoder = run->encoder(modality);
        if (encoder == nullptr) {
            continue;
        }
        const inspector::EncoderMethod& input = encoder->form();
        const auto bytes = core::tensorBytes(static_cast<std::int64_t>(input.inputType), input.inputSizes);
        const std::vector<std::byte> zeros(static_cast<std::size_t>(bytes.value_or(0)));
        auto encoded = encoder->run({.dtype = input.inputType, .sizes = input.inputSizes, .data = zeros});
        if (encoded && form.decode.encodedInput) {
            auto kept = run->prefillEncoded(*encoded);
            encoded = kept ? std::move(encoded) : std::unexpected(std::move(kept).error());
        }
        if (!encoded) {
            return std::unexpected(programError(std::move(encoded).error()));
        }
    }
    return {};
}

Result<> LanguageModel::warmUp() {
    ET_ASSIGN(const auto before, module->saveState());
    run->setTracer(nullptr);
    ET_TRY(warmUpEncoders());
    const std::array<std::uint32_t, 1> anyToken{0};
    auto done = run->prefill(anyToken);
    if (done && form.context > 1) {
        done = run->decode(anyToken[0]);
    }
    if (!done) {
        return std::unexpected(programError(std::move(done).error()));
    }
    run->setTracer(tracer);
    run->setPosition(0);
    return module->restoreState(*before);
}

Result<> LanguageModel::reset() {
    run.reset();
    module.emplace(model->newModule(tracer));
    encoders.makeModules(tracer);
    auto loaded = inspector::LanguageRun::load(*module, form, encoders.modules());
    if (!loaded) {
        return std::unexpected(programError(std::move(loaded).error()));
    }
    run.emplace(std::move(*loaded));
    return {};
}

core::Error LanguageModel::programError(core::Error error) const {
    return errorOfProgram(std::move(error), *model->program);
}

Result<std::vector<inspector::CacheTensor>> LanguageModel::caches() const {
    ET_ASSIGN(const auto timeline, inspector::MemoryTimeline::build(*model->program, *form.decode.method));
    return inspector::cacheTensors(timeline, form.context);
}

Result<inspector::CacheBytes> LanguageModel::cacheBytes() const {
    ET_ASSIGN(const auto inside, caches());
    inspector::CacheBytes bytes = inspector::cacheBytes(inside);
    executor::KvCachePlan outside = hostCaches;
    if (outside.capacity <= 0 || outside.capacitySource == "length") {
        outside.capacity = static_cast<std::int64_t>(form.context);
    }
    bytes.reserved += outside.reservedBytes();
    bytes.perToken += outside.bytesPerPosition();
    return bytes;
}

Result<std::uint64_t> LanguageModel::usedCacheBytes(std::uint64_t positions) const {
    ET_ASSIGN(const auto inside, caches());
    const inspector::CacheBytes bytes = inspector::cacheBytes(inside);
    std::uint64_t used = std::min(bytes.reserved, bytes.perToken * positions);
    for (const core::KvCacheLayer& layer : hostCaches.layers) {
        const std::int64_t window = hostCaches.windowOf(layer.layer);
        const std::int64_t reached =
            core::reservedPositions(static_cast<std::int64_t>(positions), window, layer.maxStep);
        used += layer.bytesPerPosition() * static_cast<std::uint64_t>(reached);
    }
    return used;
}

std::uint64_t LanguageModel::weightBytesPerToken() const {
    return inspector::weightBytesOfCall(*form.decode.method, *model->program);
}

}  // namespace et::tasks
