#include "app/tasks/verify/quantized_limits.h"

#include "inspector/graph/graph_sources.h"
#include "inspector/graph/output_quantization.h"
#include "runtime/core/scalar_type.h"

#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using bundled_program::OutputLimits;
using inspector::OutputQuantization;

/// Empty for an output that is not a tensor of floats.
std::optional<core::ScalarType> floatType(const program::Value& value) {
    const auto* tensor = value.as<program::TensorInfo>();
    const auto type = tensor == nullptr ? core::ScalarType::Byte : core::ScalarType{tensor->scalarType};
    return core::isFloating(type) ? std::optional(type) : std::nullopt;
}

bool isTensor(const program::Value& value) {
    return value.is<program::TensorInfo>();
}

/// For integer outputs, a step is 1.
std::optional<double> stepOf(const OutputQuantization& origin, const program::Value& output) {
    return !origin.activations ? std::nullopt : floatType(output) ? origin.step : std::optional(1.0);
}

OutputLimits asked(const AskedLimits& limits, std::optional<double> step, bool replaceTolerance) {
    return {.step = step,
            .maxSteps = step ? limits.steps : std::nullopt,
            .minSnr = limits.sqnr,
            .minCosine = limits.cosine,
            .sameTop1 = limits.top1,
            .replaceTolerance = replaceTolerance};
}

/// Minimum SNR if floats are computed in a less precise type than the output's.
std::optional<double> snrOf(const OutputQuantization& origin, core::ScalarType output) {
    if (origin.reducedFloat == core::ScalarType::BFloat16 && output != core::ScalarType::BFloat16) {
        return defaultSqnr;
    }
    return origin.reducedFloat && !core::isReducedFloat(output) ? std::optional(defaultHalfSqnr)
                                                                : std::nullopt;
}

OutputLimits usual(const OutputQuantization& origin, std::optional<double> step,
                   std::optional<core::ScalarType> floats) {
    if (step && !origin.floatsBetween) {
        return {.step = step, .maxSteps = defaultSteps, .replaceTolerance = true};
    }
    const auto snr = !floats              ? std::nullopt
                     : origin.activations ? std::optional(defaultSqnr)
                                          : snrOf(origin, *floats);
    return {.step = step, .minSnr = snr, .replaceTolerance = snr.has_value()};
}

std::vector<OutputLimits> limitsOf(const program::Method& method,
                                   const std::vector<OutputQuantization>& origins,
                                   const VerifySettings& settings) {
    const bool tolerances = settings.tolerances.any();
    std::vector<OutputLimits> limits;
    for (std::size_t i = 0; i < method.outputs.size(); ++i) {
        const program::Value& output = method.value(method.outputs[i]);
        const auto step = stepOf(origins[i], output);
        if (!isTensor(output)) {
            limits.emplace_back();
        } else if (settings.limits.any()) {
            limits.push_back(asked(settings.limits, step, !tolerances));
        } else {
            limits.push_back(tolerances ? OutputLimits{.step = step}
                                        : usual(origins[i], step, floatType(output)));
        }
    }
    return limits;
}

}  // namespace

std::map<std::string, std::vector<OutputLimits>, std::less<>> limitsOf(const Model& model,
                                                                       const VerifySettings& settings) {
    std::map<std::string, std::vector<OutputLimits>, std::less<>> limits;
    for (const bundled_program::TestSuite& suite : model.bundle->suites) {
        const program::Method* method = model.program->findMethod(suite.method);
        if (method == nullptr) {
            continue;
        }
        const auto graph = inspector::programGraph({.program = *model.program,
                                                    .method = *method,
                                                    .tensorData = model.tensorData,
                                                    .backends = model.backends});
        // An oversized graph belongs to a damaged file, which running it will report.
        const auto origins = graph ? inspector::outputQuantization(*graph, *method)
                                   : std::vector<OutputQuantization>(method->outputs.size());
        limits.emplace(std::string(suite.method), limitsOf(*method, origins, settings));
    }
    return limits;
}

}  // namespace et::tasks
