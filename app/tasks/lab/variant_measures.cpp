#include "app/tasks/lab/variant_measures.h"

#include <cmath>
#include <utility>

namespace et::app {

using backends::xnnpack::SiteChoice;
using core::ErrorCode;
using core::Result;

QuantizedVariants::Annotation VariantMeasures::annotationOf(const FloatSites& set) const {
    std::vector<SiteChoice> choices;
    for (const bool inFloat : set) {
        choices.push_back({.weight = !inFloat, .activations = !inFloat});
    }
    return variants.annotate(choices);
}

bool VariantMeasures::isOver() const {
    return (cancel != nullptr && *cancel) || std::chrono::steady_clock::now() >= end;
}

Result<std::vector<double>> VariantMeasures::noises(std::span<const FloatSites> sets) {
    std::vector<QuantizedVariants::Annotation> annotations;
    for (const FloatSites& set : sets) {
        annotations.push_back(annotationOf(set));
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
    for (const auto& each : annotations) {
        if (hasFirst && isOver()) {
            break;
        }
        const auto closeness = variants.measure(each);
        if (isInterrupted(closeness)) {
            break;
        }
        ET_TRY(closeness);
        constexpr double perDecade = 10;
        const auto& decibels = closeness->sqnrDecibels;
        noises.push_back(decibels ? std::pow(perDecade, -*decibels / perDecade) : 0);
        hasFirst = true;
        if (progress != nullptr) {
            progress->step();
        }
    }
    return noises;
}

Result<LowerResult> VariantMeasures::program(const FloatSites& set) {
    const auto annotation = annotationOf(set);
    ET_TRY(variants.calibrate({&annotation, 1}));
    ET_ASSIGN(auto record, variants.record(annotation));
    return lowerOpened(std::move(record), {.record = {}, .output = {}});
}

Result<std::uint64_t> VariantMeasures::bytes(const FloatSites& set) {
    ET_ASSIGN(const LowerResult made, program(set));
    return made.lowered.file.size();
}

}  // namespace et::app
