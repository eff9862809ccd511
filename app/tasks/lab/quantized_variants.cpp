#include "app/tasks/lab/quantized_variants.h"

#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace et::app {

using backends::reference::Interpreter;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::SiteChoice;
using core::Result;

QuantizedVariants::QuantizedVariants(const VariantSettings& given, std::string of)
    : settings(given),
      method(std::move(of)),
      options{.kernels = kernels::builtin(), .threads = single, .cancel = given.cancel} {
}

Result<std::unique_ptr<QuantizedVariants>> QuantizedVariants::open(const etrecord::Record& record,
                                                                   const std::string& method,
                                                                   const VariantSettings& settings) {
    std::unique_ptr<QuantizedVariants> made(new QuantizedVariants(settings, method));
    ET_ASSIGN(made->prepared, PreparedModel::make(record, method));
    ET_ASSIGN(made->reports, siteReports(*made->prepared, settings.keep));
    const auto& graph = made->prepared->method().graph();
    ET_ASSIGN(made->calibrationCases, readCases(settings.calibration, method, graph, settings.maxCases));
    const auto& path = settings.evaluation.empty() ? settings.calibration : settings.evaluation;
    ET_ASSIGN(made->evaluationCases, readCases(path, method, graph, settings.maxCases));
    return made;
}

Result<std::unique_ptr<Interpreter>> QuantizedVariants::floatInterpreter() const {
    return Interpreter::edge(prepared->record(), method, options);
}

Result<> QuantizedVariants::runFloat(const backends::reference::NodeObserver& observer) {
    ET_ASSIGN(const auto interpreter, floatInterpreter());
    for (const CalibrationCase& each : evaluationCases) {
        ET_ASSIGN(auto outputs, interpreter->run(each, observer));
        floatOutputs.push_back(std::move(outputs));
    }
    return {};
}

QuantizedVariants::Annotation QuantizedVariants::annotate(std::span<const SiteChoice> choices) const {
    return backends::xnnpack::annotate(prepared->method(), prepared->operators(), prepared->sites(), choices);
}

Result<> QuantizedVariants::calibrate(std::span<const Annotation> annotations) {
    return prepared->calibrate(calibrationCases, annotations, settings.observer, options, observed);
}

Result<std::shared_ptr<const etrecord::Record>> QuantizedVariants::record(
    const Annotation& annotation) const {
    ET_ASSIGN(const auto numbers, PreparedModel::numbersOf(annotation, observed));
    ET_ASSIGN(auto bytes, prepared->quantized(annotation, numbers));
    return etrecord::Record::parse(core::MappedFile::fromMemory(std::move(bytes), settings.record.string()));
}

Result<Closeness> QuantizedVariants::measure(const Annotation& annotation) const {
    ET_ASSIGN(const auto variant, record(annotation));
    // Made for each variant, which takes far longer: between them processes can be forked.
    const kernels::ThreadPool workers(settings.threads);
    const std::size_t count = evaluationCases.size();
    const std::size_t parts = std::min(workers.threads(), count);
    std::vector<std::unique_ptr<Interpreter>> interpreters;
    for (std::size_t i = 0; i < parts; ++i) {
        ET_ASSIGN(auto interpreter, Interpreter::edge(*variant, method, options));
        interpreters.push_back(std::move(interpreter));
    }
    std::vector<CaseOutputs> outputs(count);
    std::vector<Result<>> ends(parts);
    const auto runPart = [&](std::size_t part) -> Result<> {
        for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
            ET_ASSIGN(outputs[i], interpreters[part]->run(evaluationCases[i]));
        }
        return {};
    };
    workers.parallelFor(parts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            ends[part] = runPart(part);
        }
    });
    for (Result<>& each : ends) {
        ET_TRY(std::move(each));
    }
    return closenessOf(floatOutputs, outputs);
}

}  // namespace et::app
