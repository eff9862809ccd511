#include "app/tasks/lab/sensitivity_run.h"

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/sensitivity_causes.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace et::app {
namespace {

using backends::reference::Interpreter;
using backends::reference::InterpreterOptions;
using backends::xnnpack::Annotation;
using backends::xnnpack::Observations;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::SiteChoice;
using core::Result;

using Choices = std::vector<SiteChoice>;

/// What a variant quantizes, and where its closeness goes.
struct Variant {
    Choices choices;
    std::function<void(const Closeness&)> keep;
};

class SiteVariants {
  public:
    SiteVariants(const SensitivitySettings& given, SensitivityResult& made)
        : settings(given),
          result(made),
          options{.kernels = kernels::builtin(), .threads = threads, .cancel = given.cancel} {}

    Result<> run(const etrecord::Record& record,
                 const std::function<void(std::size_t, std::size_t)>& progress) {
        ET_ASSIGN(model, PreparedModel::make(record, result.method));
        ET_ASSIGN(auto reports, siteReports(*model, settings.keep));
        const Choices all = choicesOf(reports);
        for (SiteReport& report : reports) {
            result.sites.push_back({.site = std::move(report)});
        }
        listVariants(all);
        ET_TRY(calibrate());
        ET_TRY(runFloat());
        for (std::size_t i = 0; i < variants.size(); ++i) {
            ET_ASSIGN(const Closeness closeness, measure(annotations[i]));
            variants[i].keep(closeness);
            if (progress) {
                progress(i + 1, variants.size());
            }
        }
        for (SiteSensitivity& each : result.sites) {
            each.cause = causeOf(each);
        }
        return {};
    }

  private:
    void listVariants(const Choices& all) {
        const auto with = [&](bool weight, bool activations) {
            Choices choices = all;
            for (SiteChoice& each : choices) {
                each = {.weight = each.weight && weight, .activations = each.activations && activations};
            }
            return choices;
        };
        add(all, result.all);
        add(with(true, false), result.allWeights);
        add(with(false, true), result.allActivations);
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            if (result.sites[i].site.rule.empty()) {
                listVariantsOf(i, all);
            }
        }
        for (const Variant& each : variants) {
            annotations.push_back(backends::xnnpack::annotate(model->method(), model->operators(),
                                                              model->sites(), each.choices));
        }
    }

    void listVariantsOf(std::size_t site, const Choices& all) {
        SiteSensitivity& into = result.sites[site];
        const auto only = [&](bool weight, bool activations) {
            Choices choices(all.size());
            choices[site] = {.weight = weight, .activations = activations};
            return choices;
        };
        add(only(true, true), into.only);
        Choices others = all;
        others[site] = {};
        add(others, into.allBut);
        if (model->sites()[site].hasWeight()) {
            add(only(true, false), into.onlyWeights);
            add(only(false, true), into.onlyActivations);
        }
    }

    template <class Place>
    void add(Choices choices, Place& place) {
        variants.push_back({.choices = std::move(choices),
                            .keep = [&place](const Closeness& closeness) { place = closeness; }});
    }

    Result<> calibrate() {
        const auto& graph = model->method().graph();
        ET_ASSIGN(const auto cases, readCases(settings.calibration, result.method, graph, settings.maxCases));
        const auto& path = settings.evaluation.empty() ? settings.calibration : settings.evaluation;
        ET_ASSIGN(evaluation, readCases(path, result.method, graph, settings.maxCases));
        result.calibrationCases = cases.size();
        result.evaluationCases = evaluation.size();
        return model->calibrate(cases, annotations, settings.observer, options, observations);
    }

    /// The outputs to compare with, and what the sites' results look like.
    Result<> runFloat() {
        ET_ASSIGN(const auto interpreter, Interpreter::edge(model->record(), result.method, options));
        OutputRanges ranges(*model);
        for (const CalibrationCase& each : evaluation) {
            ET_ASSIGN(auto outputs, interpreter->run(each, ranges.observer()));
            reference.push_back(std::move(outputs));
        }
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            result.sites[i].output = ranges.of(i);
        }
        return addUsedRanges(evaluation, ranges);
    }

    /// Of the variant with all sites.
    Result<> addUsedRanges(std::span<const CalibrationCase> cases, OutputRanges& ranges) {
        const Annotation& all = annotations.front();
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            const auto value = std::ranges::find(all.values, model->sites()[i].output,
                                                 &backends::xnnpack::QuantizedValue::value);
            if (value != all.values.end() && result.sites[i].output) {
                const auto& observer = *observations.at(all.scales[value->scale]);
                result.sites[i].output->used = observer.range().value_or(result.sites[i].output->seen);
                result.sites[i].output->calibrated = observer.seen().value_or(result.sites[i].output->seen);
                ranges.countOutside(i, result.sites[i].output->used);
            }
        }
        ET_ASSIGN(const auto interpreter, Interpreter::edge(model->record(), result.method, options));
        for (const CalibrationCase& each : cases) {
            ET_TRY(interpreter->run(each, ranges.clippingObserver()));
        }
        for (std::size_t i = 0; i < result.sites.size(); ++i) {
            if (result.sites[i].output) {
                result.sites[i].output->clipped = ranges.clippedShare(i);
            }
        }
        return {};
    }

    Result<Closeness> measure(const Annotation& annotation) {
        ET_ASSIGN(const auto numbers, PreparedModel::numbersOf(annotation, observations));
        ET_ASSIGN(auto bytes, model->quantized(annotation, numbers));
        ET_ASSIGN(const auto record, etrecord::Record::parse(core::MappedFile::fromMemory(
                                         std::move(bytes), settings.record.string())));
        ET_ASSIGN(const auto interpreter, Interpreter::edge(*record, result.method, options));
        std::vector<CaseOutputs> outputs;
        for (const CalibrationCase& each : evaluation) {
            ET_ASSIGN(auto given, interpreter->run(each));
            outputs.push_back(std::move(given));
        }
        return closenessOf(reference, outputs);
    }

    const SensitivitySettings& settings;
    SensitivityResult& result;
    kernels::ThreadPool threads{1};
    InterpreterOptions options;
    std::unique_ptr<PreparedModel> model;
    std::vector<Variant> variants;
    std::vector<Annotation> annotations;
    std::vector<CalibrationCase> evaluation;
    std::vector<CaseOutputs> reference;
    Observations observations;
};

}  // namespace

Result<SensitivityResult> measureSensitivity(const SensitivitySettings& settings,
                                             const std::function<void(std::size_t, std::size_t)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    const auto named = [&](core::Error error) { return std::move(error).in(settings.record.string()); };
    ET_ASSIGN(const auto record, etrecord::Record::open(settings.record));
    SensitivityResult result;
    ET_ASSIGN(result.method, chosenMethod(*record, settings.method).transform_error(named));
    ET_TRY(SiteVariants(settings, result).run(*record, progress).transform_error(named));
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace et::app
