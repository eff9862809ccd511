#include "app/tasks/language/language_model.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace et::app {
namespace {

using core::Result;

/// Operators that take a few rows of their first argument.
constexpr std::array<std::string_view, 8> rowTakers{"aten::embedding",
                                                    "aten::index",
                                                    "aten::index_select",
                                                    "aten::select_copy",
                                                    "aten::slice_copy",
                                                    "aten::select_scatter",
                                                    "quantized_decomposed::embedding",
                                                    "aten::gather"};

bool takesRows(std::string_view name) {
    return std::ranges::any_of(rowTakers, [&](std::string_view each) { return name.starts_with(each); });
}

std::uint64_t bytesReadOf(const program::TensorInfo& tensor, bool rowsOnly) {
    const auto bytes = static_cast<std::uint64_t>(tensor.byteSize.value_or(0));
    const bool hasRows = tensor.sizes.size() > 1 && tensor.sizes.front() > 0;
    return rowsOnly && hasRows ? bytes / static_cast<std::uint64_t>(tensor.sizes.front()) : bytes;
}

/// Of the constants that the method's own operators use.
std::uint64_t kernelBytes(const program::Method& method) {
    std::uint64_t sum = 0;
    std::set<std::uint32_t> counted;
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            const auto* call = std::get_if<program::KernelCall>(&instruction);
            for (std::size_t i = 0; call != nullptr && i < call->args.size(); ++i) {
                const auto* tensor = std::get_if<program::TensorInfo>(&method.value(call->args[i]));
                const bool isConstant = tensor != nullptr && !tensor->allocation &&
                                        tensor->initialData != program::InitialData::None;
                if (isConstant && counted.insert(call->args[i].value).second) {
                    sum += bytesReadOf(*tensor, takesRows(method.op(call->op).name));
                }
            }
        }
    }
    return sum;
}

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
    std::uint64_t sum = kernelBytes(*form.decode.method);
    if (auto timeline = inspector::MemoryTimeline::build(*form.decode.method, model->program->namedData)) {
        sum += timeline->delegateBytes();
    }
    return sum;
}

}  // namespace et::app
