#pragma once

#include "app/tasks/model/model.h"
#include "app/tasks/model/model_options.h"
#include "etdump/recorder.h"
#include "inspector/generate/language_form.h"
#include "inspector/generate/language_metadata.h"
#include "inspector/generate/language_run.h"
#include "inspector/memory/cache_tensors.h"
#include "runtime/core/result.h"
#include "runtime/executor/kv_cache_plan.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace et::tasks {

/// Further programs with methods of a multimodal model; empty: methods of the model's own program.
struct EncoderFiles {
    std::filesystem::path tokenEmbedding;
    std::filesystem::path vision;
    std::filesystem::path audio;
};

/// A further program of a multimodal model.
struct EncoderPart {
    std::unique_ptr<Model> model;  ///< null: none
    std::optional<executor::Module> module;

    [[nodiscard]] const program::Program* program() const {
        return model == nullptr ? nullptr : model->program.get();
    }
    [[nodiscard]] executor::Module* loaded() { return module ? &*module : nullptr; }
};

/// The further programs of a multimodal model.
struct EncoderParts {
    EncoderPart tokenEmbedding, vision, audio;

    /// Opens the files. Errors: those of Model::prepare().
    [[nodiscard]] static core::Result<EncoderParts> open(const EncoderFiles& files,
                                                         const ModelOptions& options);
    [[nodiscard]] inspector::EncoderPrograms programs() const {
        return {
            .tokenEmbedding = tokenEmbedding.program(), .vision = vision.program(), .audio = audio.program()};
    }
    /// Makes new modules without state.
    void makeModules(core::EventTracer* tracer);
    [[nodiscard]] inspector::EncoderModules modules() {
        return {
            .tokenEmbedding = tokenEmbedding.loaded(), .vision = vision.loaded(), .audio = audio.loaded()};
    }
};

/// A loaded language model with an empty cache.
struct LanguageModel {
    std::unique_ptr<Model> model;
    inspector::LanguageMetadata metadata;
    executor::KvCachePlan hostCaches;  ///< KV caches outside the program
    inspector::LanguageForm form;
    core::EventTracer* tracer = nullptr;  ///< of the first module
    EncoderParts encoders;
    std::optional<executor::Module> module;
    std::optional<inspector::LanguageRun> run;
    std::uint64_t loadStart = 0;  ///< of core::EventTracer::now()
    std::uint64_t loadEnd = 0;

    /// Errors: those of Model::prepare(), languageForm() and of loading the methods.
    [[nodiscard]] static core::Result<std::unique_ptr<LanguageModel>> open(const std::filesystem::path& path,
                                                                           const ModelOptions& options,
                                                                           core::EventTracer* tracer);
    /// The same for a prepared model, whose files were opened from `loadStart` on.
    [[nodiscard]] static core::Result<std::unique_ptr<LanguageModel>> load(
        std::unique_ptr<Model> prepared, const core::KvCacheSettings& caches, core::EventTracer* tracer,
        std::uint64_t loadStart, EncoderParts encoders = {});
    /// Runs prefill and decode once without a trace, and restores the state.
    [[nodiscard]] core::Result<> warmUp();
    [[nodiscard]] core::Result<> warmUpEncoders();
    /// Reloads the methods, to discard all state.
    [[nodiscard]] core::Result<> reset();

    /// Marks an error of a call as an error of the program, which no command line option can fix; Cancelled
    /// and Limit are not changed.
    [[nodiscard]] core::Error programError(core::Error error) const;

    /// State that the decode method keeps between calls.
    [[nodiscard]] core::Result<std::vector<inspector::CacheTensor>> caches() const;
    /// Caches inside the program, and those outside with the capacity of the form if the program states none.
    [[nodiscard]] core::Result<inspector::CacheBytes> cacheBytes() const;
    /// Bytes of them with keys and values of the first `positions`.
    [[nodiscard]] core::Result<std::uint64_t> usedCacheBytes(std::uint64_t positions) const;
    /// Bytes of constants read by one decode step: everything used by instructions, but only one row of
    /// tables from which rows are selected (embeddings, angles of positions).
    [[nodiscard]] std::uint64_t weightBytesPerToken() const;
};

}  // namespace et::tasks
