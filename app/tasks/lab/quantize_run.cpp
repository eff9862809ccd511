#include "app/tasks/lab/quantize_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/program_outputs.h"
#include "backends/lowering/node_names.h"
#include "backends/xnnpack/quantize/range_rules.h"
#include "backends/xnnpack/quantize/weight_integers.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace et::tasks {
namespace {

using backends::xnnpack::Annotation;
using backends::xnnpack::Observations;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationNumbers;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::SchemeKind;
using backends::xnnpack::SiteChoice;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Returns "relu_1" for an operator's result, and the original name of a parameter or input.
std::string exportedName(PreparedModel& model, std::string_view value) {
    if (const auto op = model.operators().producer(value)) {
        return model.operators()[*op].name;
    }
    const auto* input = model.method().input(value);
    return input == nullptr || input->target.empty() ? std::string(value) : input->target;
}

using ObserverOf = std::function<const backends::xnnpack::RangeObserver&(std::size_t scale)>;

Result<> addScales(PreparedModel& model, const Annotation& annotation,
                   std::span<const QuantizationNumbers> numbers, const ObserverOf& observerOf,
                   QuantizeResult& result) {
    std::map<std::string_view, QuantizationNumbers> byValue;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto& values = annotation.scales[i];
        const auto& observer = observerOf(i);
        std::vector<std::string> exported;
        std::ranges::transform(values, std::back_inserter(exported),
                               [&](std::string_view value) { return exportedName(model, value); });
        result.scales.push_back({.values = {values.begin(), values.end()},
                                 .exported = std::move(exported),
                                 .numbers = numbers[i],
                                 .range = observer.range().value_or(backends::xnnpack::ValueRange()),
                                 .seen = observer.seen().value_or(backends::xnnpack::ValueRange())});
        for (const std::string_view value : values) {
            byValue.emplace(value, numbers[i]);
        }
    }
    for (std::size_t i = 0; i < result.sites.size(); ++i) {
        const QuantizationSite& site = model.sites()[i];
        if (!result.sites[i].site.rule.empty()) {
            continue;
        }
        if (const auto found = byValue.find(site.output); found != byValue.end()) {
            result.sites[i].output = found->second;
        }
        if (std::ranges::contains(annotation.weights, i)) {
            ET_ASSIGN(const auto weight, model.method().tensor(site.weight));
            if (const auto scheme = annotation.schemeOf(i); scheme.kind == SchemeKind::Dynamic4) {
                result.sites[i].weightScales =
                    backends::xnnpack::quantizedBlocks(weight.view, scheme.block).scales;
                continue;
            }
            result.sites[i].weightScales = backends::xnnpack::channelScales(weight.view, site.weightAxis());
        }
    }
    return {};
}

std::string_view ruleOfOther(const backends::xnnpack::ExportedOperator& op) {
    if (op.target.contains("batch_norm")) {
        return "it does not follow a convolution that only it reads, so it cannot be folded";
    }
    return backends::xnnpack::sharesScale(op) ? "its input is not quantized"
                                              : "XNNPACKQuantizer has no pattern for it";
}

/// Operators without quantized results that are not sites.
std::vector<FloatOperator> othersInFloat(PreparedModel& model, const Annotation& annotation) {
    std::vector<bool> known(model.operators().all().size(), false);
    for (const QuantizationSite& site : model.sites()) {
        known[site.op] = true;
        if (site.relu && site.rule.empty()) {
            known[*site.relu] = true;
        }
    }
    for (const auto& each : annotation.values) {
        if (const auto op = model.operators().producer(each.value); op && each.everyReader) {
            known[*op] = true;
        }
    }
    std::vector<FloatOperator> others;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const auto& op = model.operators()[i];
        if (!known[i]) {
            others.push_back({.name = op.name,
                              .target = op.target,
                              .line = pythonLine(model.method().node(op.nodes.front())),
                              .rule = std::string(ruleOfOther(op))});
        }
    }
    return others;
}

Result<> refuseInputs(const QuantizeSettings& settings) {
    for (const auto& output : {settings.output, settings.recordOutput}) {
        if (!output.empty()) {
            std::vector<std::filesystem::path> inputs{settings.record};
            for (const auto& cases : {settings.calibration, settings.evaluation}) {
                if (!cases.empty()) {
                    inputs.push_back(cases);
                }
            }
            ET_TRY(refuseToReplace(output, inputs));
        }
    }
    return {};
}

Result<std::vector<CalibrationCase>> casesOf(const QuantizeSettings& settings, PreparedModel& model) {
    return readCases(settings.calibration, model.method().name(), model.method().graph(), settings.maxCases);
}

/// Reports sites and other operators that XNNPACK does not compute in half precision.
void reportRules(PreparedModel& model, const backends::xnnpack::OperatorRules& rules,
                 QuantizeResult& result) {
    for (const auto& [name, rule] : rules) {
        const auto site =
            std::ranges::find(result.sites, name, [](const QuantizedSite& each) { return each.site.name; });
        const auto op =
            std::ranges::find(model.operators().all(), name, &backends::xnnpack::ExportedOperator::name);
        if (site != result.sites.end()) {
            site->site.rule = site->site.rule.empty() ? rule.text : site->site.rule;
        } else if (op != model.operators().all().end() &&
                   !std::ranges::contains(result.others, name, &FloatOperator::name)) {
            result.others.push_back({.name = op->name,
                                     .target = op->target,
                                     .line = pythonLine(model.method().node(op->nodes.front())),
                                     .rule = rule.text});
        }
        if (rule.isWarning) {
            result.warnings.push_back(
                fmt::format("{}: {}; it stays in float", core::printable(name), rule.text));
        }
    }
}

/// Whether a site stays in float for the numbers of its values. Sites that a name or a search has chosen are
/// quantized as long as scales exist.
bool staysInFloat(const backends::xnnpack::RangeRule& rule, const SiteReport& site,
                  const QuantizeSettings& settings) {
    return !rule.isPossible || (!site.isChosenByName && settings.sites.chosen.empty());
}

/// Calibrates the chosen sites, and moves those to float whose numbers do not suit static scales.
Result<> calibrateChoices(PreparedModel& model, std::span<const CalibrationCase> cases,
                          const QuantizeSettings& settings, std::vector<SiteChoice>& choices,
                          QuantizeResult& result, Observations& observations) {
    const kernels::ThreadPool threads(0);
    for (bool changes = true; changes;) {
        changes = false;
        const Annotation annotation =
            backends::xnnpack::annotate(model.method(), model.operators(), model.sites(), choices);
        ET_TRY(model.calibrate(cases, {&annotation, 1}, settings.observer,
                               {.kernels = kernels::builtin(), .threads = threads, .cancel = settings.cancel},
                               observations));
        for (const auto& rule : backends::xnnpack::rangeRules(model, annotation, observations)) {
            SiteReport& site = result.sites[rule.site].site;
            if (site.rangeRule.empty()) {
                site.rangeRule = rule.text;
                const bool isFloat = staysInFloat(rule, site, settings);
                result.warnings.push_back(site.rangeWarning() + (isFloat ? "; it stays in float" : ""));
                site.rule = isFloat ? rule.text : site.rule;
                choices[rule.site] = isFloat ? SiteChoice() : choices[rule.site];
                changes = changes || isFloat;
            }
        }
    }
    return {};
}

Result<std::shared_ptr<const etrecord::Record>> quantizedPlainly(PreparedModel& model,
                                                                 std::vector<SiteChoice> choices,
                                                                 const QuantizeSettings& settings,
                                                                 QuantizeResult& result) {
    Observations observations;
    if (settings.sites.needsCalibration()) {
        ET_ASSIGN(const auto cases, casesOf(settings, model));
        result.cases = cases.size();
        ET_TRY(calibrateChoices(model, cases, settings, choices, result, observations));
    }
    Annotation annotation =
        backends::xnnpack::annotate(model.method(), model.operators(), model.sites(), choices);
    const bool isQuantized = !annotation.scales.empty() || !annotation.weights.empty();
    annotation.halfInDelegate = settings.sites.scheme.kind == SchemeKind::Half && !isQuantized;
    result.halfInDelegate = annotation.halfInDelegate;
    if (!annotation.scales.empty() || settings.sites.scheme.kind == SchemeKind::Static8) {
        result.others = othersInFloat(model, annotation);
    }
    ET_ASSIGN(const auto numbers, PreparedModel::numbersOf(annotation, observations));
    const auto observerOf = [&](std::size_t scale) -> const backends::xnnpack::RangeObserver& {
        return *observations.at(annotation.scales[scale]);
    };
    ET_TRY(addScales(model, annotation, numbers, observerOf, result));
    backends::xnnpack::OperatorRules rules;
    ET_ASSIGN(auto made, model.quantized(annotation, numbers, {}, &rules));
    reportRules(model, rules, result);
    return made;
}

Result<std::shared_ptr<const etrecord::Record>> remedied(PreparedModel& model,
                                                         std::vector<SiteChoice> choices,
                                                         const QuantizeSettings& settings,
                                                         QuantizeResult& result) {
    ET_ASSIGN(const auto cases, casesOf(settings, model));
    result.cases = cases.size();
    Observations observations;
    ET_TRY(calibrateChoices(model, cases, settings, choices, result, observations));
    const kernels::ThreadPool threads(0);
    const backends::reference::InterpreterOptions options{
        .kernels = kernels::builtin(), .threads = threads, .cancel = settings.cancel};
    ET_ASSIGN(const auto made, RemediedModel::open(model, choices, cases, settings.observer, options));
    for (const Remedy each : allRemedies) {
        if (std::ranges::contains(settings.remedies, each)) {
            ET_TRY(made->apply(each));
        }
    }
    result.others = othersInFloat(made->model(), made->annotation());
    const auto observerOf = [&](std::size_t scale) -> const backends::xnnpack::RangeObserver& {
        return made->observer(scale);
    };
    ET_TRY(addScales(made->model(), made->annotation(), made->numbers(), observerOf, result));
    result.remedies = made->report();
    return made->model().quantized(made->annotation(), made->numbers());
}

/// Keeps sites with 4-bit weights in float whose products would run outside delegates.
void keepExceptedProducts(PreparedModel& model, const std::vector<std::string>& names,
                          std::vector<SiteReport>& sites) {
    backends::lowering::NodeNames except(names);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (!sites[i].rule.empty() || sites[i].scheme.kind != SchemeKind::Dynamic4) {
            continue;
        }
        const auto& nodes = model.operators()[model.sites()[i].op].nodes;
        if (std::ranges::any_of(nodes, [&](backends::lowering::NodeIndex node) {
                return except.has(model.method().node(node));
            })) {
            sites[i].rule = outsideByName;
        }
    }
}

/// Returns the record with quantizers, and fills in the reports.
Result<std::shared_ptr<const etrecord::Record>> quantizedRecord(const etrecord::Record& record,
                                                                const QuantizeSettings& settings,
                                                                QuantizeResult& result) {
    ET_ASSIGN(const auto model, PreparedModel::make(record, result.method));
    ET_ASSIGN(std::vector<SiteReport> sites, siteReports(*model, settings.sites));
    keepExceptedProducts(*model, settings.except, sites);
    std::vector<SiteChoice> choices = choicesOf(sites);
    for (const SiteReport& site : sites) {
        result.sites.push_back({.site = site});
    }
    return settings.remedies.empty() ? quantizedPlainly(*model, std::move(choices), settings, result)
                                     : remedied(*model, std::move(choices), settings, result);
}

}  // namespace

Result<QuantizeResult> quantize(const QuantizeSettings& settings) {
    ET_TRY(refuseInputs(settings));
    if (settings.sites.needsCalibration() && settings.calibration.empty()) {
        return fail(ErrorCode::InvalidArgument, "the scheme needs calibration inputs");
    }
    if (!settings.remedies.empty() && !settings.sites.isStatic()) {
        return fail(ErrorCode::InvalidArgument,
                    "remedies apply only to static quantization, and another scheme is used");
    }
    ET_ASSIGN(const auto record, openRecord(settings.record));
    return quantizeOpened(*record, settings, settings.evaluation.empty());
}

Result<QuantizeResult> quantizeOpened(const etrecord::Record& record, const QuantizeSettings& settings,
                                      bool inPieces) {
    QuantizeResult result;
    const auto named = [&](core::Error error) {
        return withPythonLine(std::move(error), record, result.method).in(settings.record.string());
    };
    ET_ASSIGN(result.method, chosenMethod(record, settings.method).transform_error(named));
    ET_ASSIGN(auto made, quantizedRecord(record, settings, result).transform_error(named));
    ET_ASSIGN(result.lowered, lowerOpened(std::move(made), {.record = settings.record,
                                                            .output = {},
                                                            .except = settings.except,
                                                            .partition = settings.partition,
                                                            .inPieces = inPieces})
                                  .transform_error(named));
    if (!settings.evaluation.empty()) {
        auto near =
            programCloseness(record, result.method, result.lowered, settings.evaluation, settings.maxCases);
        ET_ASSIGN(result.outputs, std::move(near).transform_error(named));
        if (!result.outputs->isFinite()) {
            result.warnings.push_back(
                fmt::format("{} of {} elements of the outputs are not finite: soak --origin inf names the "
                            "operator where this begins",
                            result.outputs->nonFinite, result.outputs->elements));
        }
    }
    ET_TRY(writeLowered(
        {.record = settings.record, .output = settings.output, .recordOutput = settings.recordOutput},
        result.lowered));
    return result;
}

}  // namespace et::tasks
