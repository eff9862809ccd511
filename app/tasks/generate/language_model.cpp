#include "app/tasks/generate/language_model.h"

#include "inspector/generate/weight_bytes.h"
#include "inspector/memory/memory_timeline.h"

#include <utility>

namespace et::tasks {
namespace {

using core::Result;

}  // namespace

Result<std::unique_ptr<LanguageModel>> LanguageModel::open(const std::filesystem::path& path,
                                                           const ModelOptions& options,
                                                           core::EventTracer* tracer) {
    auto opened = std::make_unique<LanguageModel>();
    opened->loadStart = core::EventTracer::now();
    ET_ASSIGN(opened->model, Model::prepare(path, options));
    opened->metadata = inspector::languageMetadata(*opened->model->program);
    ET_ASSIGN(opened->form, inspector::languageForm(*opened->model->program, opened->metadata));
    opened->module.emplace(opened->model->newModule(tracer));
    auto run = inspector::LanguageRun::load(*opened->module, opened->form);
    if (!run) {
        return std::unexpected(opened->programError(std::move(run).error()));
    }
    opened->run.emplace(std::move(*run));
    opened->loadEnd = core::EventTracer::now();
    return opened;
}

Result<> LanguageModel::reset() {
    run.reset();
    module.emplace(model->newModule(nullptr));
    auto loaded = inspector::LanguageRun::load(*module, form);
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
    ET_ASSIGN(const auto timeline,
              inspector::MemoryTimeline::build(*form.decode.method, model->program->namedData));
    return inspector::cacheTensors(timeline, form.context);
}

std::uint64_t LanguageModel::weightBytesPerToken() const {
    return inspector::weightBytesOfCall(*form.decode.method, *model->program);
}

}  // namespace et::tasks
