#include "app/tasks/lab/sensitivity_run.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/sensitivity_causes.h"
#include "backends/xnnpack/quantize/weight_integers.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::xnnpack::Annotation;
using backends::xnnpack::ConstantChange;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::QuantizedValue;
using backends::xnnpack::SiteChoice;
using core::Result;

Result<std::optional<ConstantChange>> roundedBias(const QuantizedVariants& variants,
                                                  const QuantizationSite& site,
                                                  const QuantizedVariants::Annotation& annotation) {
    PreparedModel& model = variants.model();
    if (!site.hasWeight() || site.operands.empty()) {
        return std::nullopt;
    }
    const std::string_view value = backends::xnnpack::biasOf(model.method(), model.operators()[site.op]);
    const auto operand = std::ranges::find(annotation.values, site.operands.front(), &QuantizedValue::value);
    if (value.empty() || operand == annotation.values.end()) {
        return std::nullopt;
    }
    const auto range = variants.ranges(annotation.scales[operand->scale]).used;
    ET_ASSIGN(const auto weight, model.method().tensor(site.weight));
    ET_ASSIGN(const auto bias, model.method().tensor(value));
    const auto scales = backends::xnnpack::channelScales(weight.view, site.weightAxis());
    const auto count = static_cast<std::size_t>(bias.view.numel());
    if (!range || scales.size() != count) {
        return std::nullopt;
    }
    const double operandScale = static_cast<double>(
        backends::xnnpack::affineNumbers(*range, backends::xnnpack::activationIntegers).scale);
    std::vector<float> rounded(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double step = operandScale * static_cast<double>(scales[i]);
        const double integer =
            std::clamp(std::nearbyint(static_cast<double>(bias.view.data<float>()[i]) / step),
                       double{std::numeric_limits<std::int32_t>::min()},
                       double{std::numeric_limits<std::int32_t>::max()});
        rounded[i] = static_cast<float>(integer * step);
    }
    const std::array sizes{static_cast<std::int64_t>(count)};
    return ConstantChange{.op = site.op,
                          .value = std::string(value),
                          .tensor = backends::xnnpack::tensorOf(core::ScalarType::Float, sizes,
                                                                std::as_bytes(std::span(rounded)))};
}

using Choices = std::vector<SiteChoice>;

/// A quantized variant, and the destination of its error.
struct Variant {
    Choices choices;
    bool others = true;  ///< include values that a record quantizes outside its sites
    std::function<void(const OutputError&)> keep;
    std::function<void(std::span<const OutputError>)> keepDraws{};  ///< the first draw is the one of `keep`
};

/// Additional calibrations with different rounding of activations: their mean has a third of the random
/// variation of a single one, at no more than twice the work of all other variants.
constexpr unsigned draws = 6;

class SiteVariants {
  public:
    SiteVariants(QuantizedVariants& of, SensitivityResult& made)
        : variantsOf(of), model(of.model()), result(made) {}

    Result<> run(const std::function<void(std::size_t, std::size_t)>& progress) {
        const std::vector<SiteReport> sites = staticSites(variantsOf.sites());
        const Choices all = choicesOf(sites);
        for (const SiteReport& report : sites) {
            result.sites.push_back({.site = report});
        }
        result.warnings = staticWarnings(variantsOf.sites());
        listVariants(all);
        result.calibrationCases = variantsOf.calibration().size();
        result.evaluationCases = variantsOf.evaluation().size();
        result.source = variantsOf.source();
        ET_TRY(variantsOf.calibrate(annotations));
        ET_TRY(calibrateDraws());
        ET_TRY(runFloat());
        for (std::size_t i = 0; i < variants.size(); ++i) {
            ET_TRY(measure(i));
            if (progress) {
                progress(i + 1, variants.size());
            }
        }
        ET_TRY(measureColumns());
        for (SiteSensitivity& each : result.sites) {
            each.cause = causeOf(each);
        }
        return {};
    }

  private:
    Result<> calibrateDraws() {
        std::vector<Annotation> drawn;
        for (std::size_t i = 0; i < variants.size(); ++i) {
            if (variants[i].keepDraws) {
                drawn.push_back(annotations[i]);
            }
        }
        return variantsOf.calibrateDraws(drawn, draws);
    }

    Result<> measure(std::size_t index) {
        ET_ASSIGN(const OutputError closeness, variantsOf.measure(annotations[index]));
        variants[index].keep(closeness);
        if (variants[index].keepDraws) {
            ET_ASSIGN(auto measured, variantsOf.measureDraws(annotations[index]));
            if (!measured.empty()) {
                measured.insert(measured.begin(), closeness);
                variants[index].keepDraws(measured);
            }
        }
        return {};
    }

    void listVariants(const Choices& all) {
        const auto with = [&](bool weight, bool activations) {
            Choices choices = all;
            for (SiteChoice& each : choices) {
                each = {.weight = each.weight && weight, .activations = each.activations && activations};
            }
            return choices;
        };
        add(all, result.all);
        variants.back().keepDraws = [this](std::span<const OutputError> measured) {
            result.allRange = computeDecibelRange(measured);
        };
        if (hasOtherWeights()) {
            add(with(true, false), result.allWeights, false);
        }
        add(with(false, true), result.allActivations);
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            if (result.sites[i].site.rule.empty()) {
                listVariantsOf(i, all);
            }
        }
        for (const Variant& each : variants) {
            annotations.push_back(variantsOf.annotate(each.choices, each.others));
        }
    }

    void listVariantsOf(std::size_t site, const Choices& all) {
        SiteSensitivity& into = result.sites[site];
        const auto only = [&](bool weight, bool activations) {
            Choices choices(all.size());
            choices[site] = {.weight = weight, .activations = activations};
            return choices;
        };
        add(only(true, true), into.only, false);
        Choices others = all;
        others[site] = {};
        add(others, into.allBut);
        variants.back().keepDraws = [&into](std::span<const OutputError> measured) {
            into.allBut = meanOf(measured);
            into.allButRange = computeDecibelRange(measured);
        };
        if (model.sites()[site].hasWeight()) {
            if (hasOtherWeights()) {
                add(only(true, false), into.onlyWeights, false);
            }
            add(only(false, true), into.onlyActivations, false);
        }
    }

    /// True if weights can be in float: a quantized record only has their integers.
    [[nodiscard]] bool hasOtherWeights() const { return variantsOf.source() != QuantizerSource::Record; }

    template <class Place>
    void add(Choices choices, Place& place, bool others = true) {
        variants.push_back({.choices = std::move(choices),
                            .others = others,
                            .keep = [&place](const OutputError& closeness) { place = closeness; }});
    }

    /// Computes the reference outputs, and collects ranges of the sites' results.
    Result<> runFloat() {
        OutputRanges ranges(model);
        ET_TRY(variantsOf.runFloat(ranges.observer()));
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            result.sites[i].output = ranges.of(i);
        }
        return addUsedRanges(ranges);
    }

    /// Uses the variant with all sites quantized.
    Result<> addUsedRanges(OutputRanges& ranges) {
        const Annotation& all = annotations.front();
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            const auto value = std::ranges::find(all.values, model.sites()[i].output,
                                                 &backends::xnnpack::QuantizedValue::value);
            if (value != all.values.end() && result.sites[i].output) {
                OutputRange& output = *result.sites[i].output;
                const auto known = variantsOf.ranges(all.scales[value->scale]);
                output.used = known.used.value_or(output.seen);
                output.calibrated = known.calibrated.value_or(output.used);
                ranges.countOutside(i, result.sites[i].output->used);
            }
        }
        ET_ASSIGN(const auto interpreter,
                  backends::reference::Interpreter::edge(model.record(), variantsOf.method(),
                                                         variantsOf.interpreterOptions()));
        for (const CalibrationCase& each : variantsOf.evaluation()) {
            ET_TRY(interpreter->run(each, ranges.clippingObserver()));
        }
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            if (result.sites[i].output) {
                result.sites[i].output->clipped = ranges.clippedShare(i);
            }
        }
        return {};
    }

    /// Measures the cost of a rounded bias, and the gain of one more bit.
    Result<> measureColumns() {
        constexpr QuantizedVariants::Bits bits{.activations = 9, .weights = 9};
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            SiteSensitivity& into = result.sites[i];
            if (!into.site.rule.empty()) {
                continue;
            }
            Choices only(result.sites.size());
            only[i] = {.weight = true, .activations = true};
            ET_ASSIGN(into.oneMoreBit, variantsOf.measureBits(variantsOf.annotate(only, false), bits));
            ET_ASSIGN(const auto bias, roundedBias(variantsOf, model.sites()[i], annotations.front()));
            if (bias) {
                ET_ASSIGN(into.biasRounding, variantsOf.measureWith({&*bias, 1}));
            }
        }
        return {};
    }

    QuantizedVariants& variantsOf;
    PreparedModel& model;
    SensitivityResult& result;
    std::vector<Variant> variants;
    std::vector<Annotation> annotations;
};

}  // namespace

Result<SensitivityResult> measureSensitivity(const SensitivitySettings& settings,
                                             const std::function<void(std::size_t, std::size_t)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    ET_ASSIGN(const auto record, openRecord(settings.record));
    SensitivityResult result;
    const auto named = [&](core::Error error) {
        return withPythonLine(std::move(error), *record, result.method).in(settings.record.string());
    };
    ET_ASSIGN(result.method, chosenMethod(*record, settings.method).transform_error(named));
    ET_ASSIGN(const auto variants,
              QuantizedVariants::open(*record, result.method, settings).transform_error(named));
    ET_TRY(variants->findRangeRules().transform_error(named));
    ET_TRY(SiteVariants(*variants, result).run(progress).transform_error(named));
    if (settings.remedies) {
        ET_ASSIGN(result.remedies, tryRemedies(*variants, settings.observer).transform_error(named));
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace et::tasks
