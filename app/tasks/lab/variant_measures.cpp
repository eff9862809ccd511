#include "app/tasks/lab/variant_measures.h"

#include "app/tasks/lab/program_outputs.h"

#include <utility>

namespace et::tasks {

using backends::xnnpack::SiteChoice;
using core::ErrorCode;
using core::Result;

QuantizedVariants::Annotation VariantMeasures::makeAnnotation(const SiteSchemes& choice) const {
    std::vector<SiteChoice> choices;
    for (const SiteScheme& each : choice) {
        const auto scheme = each.value_or(backends::xnnpack::QuantizationScheme());
        choices.push_back({.weight = each.has_value(), .activations = each.has_value(), .scheme = scheme});
    }
    return variants.annotate(choices);
}

bool VariantMeasures::isOver() const {
    return (cancel != nullptr && *cancel) || std::chrono::steady_clock::now() >= end;
}

Result<std::vector<double>> VariantMeasures::noises(std::span<const SiteSchemes> choices) {
    std::vector<QuantizedVariants::Annotation> annotations;
    for (const SiteSchemes& each : choices) {
        annotations.push_back(makeAnnotation(each));
    }
    std::vector<double> noises;
    const auto isInterrupted = [](const auto& result) {
        return !result && result.error().code == ErrorCode::Cancelled;
    };
    const auto calibrated = variants.calibrate(annotations);
    if (isInterrupted(calibrated)) {
        return noises;
    }
    ET_TRY(calibrated);
    for (const QuantizedVariants::Annotation& each : annotations) {
        if (hasFirst && isOver()) {
            break;
        }
        const auto closeness = measure(choices[noises.size()], each);
        if (isInterrupted(closeness)) {
            break;
        }
        ET_TRY(closeness);
        knownNoises[choices[noises.size()]] = closeness->noise();
        noises.push_back(closeness->noise());
        hasFirst = true;
        if (progress != nullptr) {
            progress->step();
        }
    }
    return noises;
}

/// Uses the interpreter if the library computes bit-identical results; dynamic quantization and float16 are
/// computed differently by the library, so the program is run.
Result<OutputError> VariantMeasures::measure(const SiteSchemes& choice,
                                             const QuantizedVariants::Annotation& annotation) {
    if (annotation.others.empty() && annotation.halves.empty()) {
        return variants.measure(annotation);
    }
    ET_ASSIGN(const LowerResult made, program(choice));
    programBytes[choice] = made.lowered.file.size();
    ET_ASSIGN(const auto outputs, programOutputs(made, variants.method(), variants.evaluation()));
    return measureOutputError(variants.reference(), outputs);
}

Result<LowerResult> VariantMeasures::program(const SiteSchemes& choice) {
    const auto annotation = makeAnnotation(choice);
    ET_TRY(variants.calibrate({&annotation, 1}));
    ET_ASSIGN(auto record, variants.record(annotation));
    return lowerOpened(std::move(record), {.record = {}, .output = {}});
}

Result<std::uint64_t> VariantMeasures::bytes(const SiteSchemes& choice) {
    if (!programBytes.contains(choice)) {
        ET_ASSIGN(const LowerResult made, program(choice));
        programBytes[choice] = made.lowered.file.size();
    }
    const std::uint64_t size = programBytes[choice];
    if (const auto noise = knownNoises.find(choice); found && noise != knownNoises.end()) {
        found({.schemes = choice, .noise = noise->second, .bytes = size});
    }
    return size;
}

}  // namespace et::tasks
