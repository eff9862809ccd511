#pragma once

#include "app/tasks/run/model.h"
#include "app/tasks/run/model_options.h"
#include "etdump/recorder.h"
#include "inspector/generation/language_form.h"
#include "inspector/generation/language_metadata.h"
#include "inspector/generation/language_run.h"
#include "inspector/memory/cache_tensors.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace et::app {

/// A language model that is loaded, with an empty cache.
struct LanguageModel {
    std::unique_ptr<Model> model;
    inspector::LanguageMetadata metadata;
    inspector::LanguageForm form;
    std::optional<executor::Module> module;
    std::optional<inspector::LanguageRun> run;
    std::uint64_t loadStart = 0;  ///< of core::EventTracer::now()
    std::uint64_t loadEnd = 0;

    /// Errors: those of Model::prepare(), languageForm() and of loading the methods.
    [[nodiscard]] static core::Result<std::unique_ptr<LanguageModel>> open(const std::filesystem::path& path,
                                                                           const ModelOptions& options,
                                                                           core::EventTracer* tracer);
    /// Loads the methods anew, so that nothing is left of what was given before.
    [[nodiscard]] core::Result<> reset();

    /// An error of a call as one of the program, which no option of the command line can mend; Cancelled and
    /// Limit stay.
    [[nodiscard]] core::Error programError(core::Error error) const;

    /// What the decode method keeps from call to call.
    [[nodiscard]] core::Result<std::vector<inspector::CacheTensor>> caches() const;
    /// Constants that one decode step reads: all that instructions use, and of tables of which it takes rows
    /// (embeddings, angles of positions) one row.
    [[nodiscard]] std::uint64_t weightBytesPerToken() const;
};

}  // namespace et::app
