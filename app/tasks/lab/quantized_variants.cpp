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
    ET_TRY(made->prepare(record));
    ET_ASSIGN(made->reports, siteReports(*made->prepared, settings.keep));
    if (made->recorded) {
        for (std::size_t i = 0; i < made->reports.size(); ++i) {
            std::string& rule = made->reports[i].rule;
            rule = rule.empty() ? made->recorded->ruleOf(made->prepared->sites()[i]) : rule;
        }
    }
    ET_TRY(made->readAllCases());
    return made;
}

/// The float graph, and the quantizers that are recorded.
Result<> QuantizedVariants::prepare(const etrecord::Record& record) {
    ET_ASSIGN(const bool isQuantized, backends::xnnpack::hasQuantizers(record, method));
    if (isQuantized && !settings.quantized.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "the graph is quantized already, as that of the other record is to be: give the "
                          "record of the float model first");
    }
    if (isQuantized) {
        ET_ASSIGN(const auto removed, backends::xnnpack::removeQuantizers(record, method, options));
        ET_ASSIGN(prepared, PreparedModel::make(*removed.record, method));
        ET_ASSIGN(recorded, RecordedQuantizers::match(removed, *prepared));
        return {};
    }
    ET_ASSIGN(prepared, PreparedModel::make(record, method));
    if (!settings.quantized.empty()) {
        ET_ASSIGN(const auto other, etrecord::Record::open(settings.quantized));
        const auto named = [&](core::Error error) {
            return std::move(error).in(settings.quantized.string());
        };
        ET_ASSIGN(const auto removed,
                  backends::xnnpack::removeQuantizers(*other, method, options).transform_error(named));
        ET_ASSIGN(recorded, RecordedQuantizers::match(removed, *prepared).transform_error(named));
    }
    return {};
}

Result<> QuantizedVariants::readAllCases() {
    const auto& graph = prepared->method().graph();
    if (settings.calibration.empty() && (!recorded || settings.evaluation.empty())) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          recorded ? "there are no inputs to compare outputs on: give --evaluate"
                                   : "the graph has no quantizers: give inputs to choose ranges from with "
                                     "--calibrate");
    }
    if (!settings.calibration.empty()) {
        ET_ASSIGN(calibrationCases, readCases(settings.calibration, method, graph, settings.maxCases));
    }
    const auto& path = settings.evaluation.empty() ? settings.calibration : settings.evaluation;
    ET_ASSIGN(evaluationCases, readCases(path, method, graph, settings.maxCases));
    return {};
}

QuantizerSource QuantizedVariants::source() const {
    return !recorded                    ? QuantizerSource::Calibration
           : settings.quantized.empty() ? QuantizerSource::Record
                                        : QuantizerSource::Both;
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

QuantizedVariants::Annotation QuantizedVariants::annotate(std::span<const SiteChoice> choices,
                                                          bool others) const {
    Annotation made =
        backends::xnnpack::annotate(prepared->method(), prepared->operators(), prepared->sites(), choices);
    if (recorded) {
        recorded->restrict(made, others);
    }
    return made;
}

Result<> QuantizedVariants::calibrate(std::span<const Annotation> annotations) {
    if (calibrationCases.empty()) {
        return {};
    }
    if (!recorded) {
        return prepared->calibrate(calibrationCases, annotations, settings.observer, options, observed);
    }
    std::vector<Annotation> unknown(annotations.begin(), annotations.end());
    for (Annotation& each : unknown) {
        std::erase_if(each.scales, [&](const auto& values) { return recorded->numbersOf(values); });
    }
    return prepared->calibrate(calibrationCases, unknown, settings.observer, options, observed);
}

Result<QuantizedVariants::Numbers> QuantizedVariants::numbersOf(const Annotation& annotation) const {
    if (!recorded) {
        return PreparedModel::numbersOf(annotation, observed);
    }
    Numbers numbers;
    for (const auto& values : annotation.scales) {
        auto known = recorded->numbersOf(values);
        if (const auto seen = observed.find(values); !known && seen != observed.end()) {
            ET_ASSIGN(const Numbers found,
                      PreparedModel::numbersOf(
                          {.values = {}, .scales = {values}, .scheme = {}, .weights = {}}, observed));
            known = found.front();
        }
        numbers.push_back(known ? *known : recorded->nearestNumbers(values));
    }
    return numbers;
}

QuantizedVariants::Ranges QuantizedVariants::ranges(const std::vector<std::string_view>& values) const {
    if (const auto known = recorded ? recorded->numbersOf(values) : std::nullopt) {
        return {.used = backends::xnnpack::rangeOf(*known, backends::xnnpack::activationIntegers)};
    }
    const auto found = observed.find(values);
    return found == observed.end()
               ? Ranges()
               : Ranges{.used = found->second->range(), .calibrated = found->second->seen()};
}

Result<std::shared_ptr<const etrecord::Record>> QuantizedVariants::record(
    const Annotation& annotation) const {
    ET_ASSIGN(const auto numbers, numbersOf(annotation));
    std::vector<backends::xnnpack::ConstantChange> weights;
    Annotation activations = annotation;
    if (recorded) {
        weights = recorded->weights(annotation);
        activations.weights.clear();
    }
    ET_ASSIGN(auto bytes, prepared->quantized(activations, numbers, weights));
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
