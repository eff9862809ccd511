#include "app/tasks/lab/remedy_trials.h"

#include "app/tasks/lab/site_report.h"
#include "backends/xnnpack/quantize/weight_integers.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace et::tasks {
namespace {

using backends::xnnpack::ConstantChange;
using backends::xnnpack::ObserverKind;
using core::Result;

class Trials {
  public:
    Trials(QuantizedVariants& of, ObserverKind kind) : variants(of), observer(kind) {}

    Result<std::vector<RemedyTrial>> run() {
        ET_ASSIGN(const RemedyTrial none, tryThese("", {}));
        before = none.after;
        for (const Remedy each : allRemedies) {
            ET_TRY(add(remedyName(each), {&each, 1}));
        }
        ET_TRY(add("all", allRemedies));
        ET_TRY(addChannels());
        for (const int bits : {9, 16}) {
            const auto annotation = variants.annotate(choicesOf(staticSites(variants.sites())));
            ET_ASSIGN(const OutputError after,
                      variants.measureBits(annotation, {.activations = bits, .weights = 8}));
            trials.push_back({.name = fmt::format("{} bits", bits), .before = before, .after = after});
        }
        return std::move(trials);
    }

  private:
    Result<RemedyTrial> tryThese(std::string_view name, std::span<const Remedy> remedies) {
        ET_ASSIGN(const auto remedied,
                  RemediedModel::open(variants.model(), choicesOf(staticSites(variants.sites())),
                                      variants.calibration(), observer, variants.interpreterOptions()));
        for (const Remedy each : remedies) {
            ET_TRY(remedied->apply(each));
        }
        ET_ASSIGN(const auto record, remedied->record());
        ET_ASSIGN(const OutputError after, variants.measureRecord(*record));
        return RemedyTrial{
            .name = std::string(name), .before = before, .after = after, .report = remedied->report()};
    }

    Result<> add(std::string_view name, std::span<const Remedy> remedies) {
        ET_ASSIGN(auto trial, tryThese(name, remedies));
        trials.push_back(std::move(trial));
        return {};
    }

    /// Weights with one scale per tensor, the default of XNNPACKQuantizer.
    Result<> addChannels() {
        const auto annotation = variants.annotate(choicesOf(staticSites(variants.sites())));
        std::vector<ConstantChange> weights;
        for (const std::size_t index : annotation.weights) {
            const auto& site = variants.model().sites()[index];
            ET_ASSIGN(const auto weight, variants.model().method().tensor(site.weight));
            weights.push_back({.op = site.op,
                               .value = std::string(site.weight),
                               .tensor = backends::xnnpack::roundedChannels(weight.view, std::nullopt, 8)});
        }
        ET_ASSIGN(const OutputError single, variants.measureWeights(annotation, weights));
        trials.push_back({.name = "per-channel", .before = single, .after = before});
        return {};
    }

    QuantizedVariants& variants;
    ObserverKind observer;
    OutputError before{};
    std::vector<RemedyTrial> trials;
};

}  // namespace

Result<std::vector<RemedyTrial>> tryRemedies(QuantizedVariants& variants, ObserverKind observer) {
    if (variants.calibration().empty() || variants.source() == QuantizerSource::Record) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "remedies need the float model's record and calibration inputs");
    }
    return Trials(variants, observer).run();
}

}  // namespace et::tasks
