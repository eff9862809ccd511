#include "app/tasks/lab/remedies.h"

#include "app/tasks/lab/case_runs.h"
#include "backends/lowering/edge_method.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using backends::xnnpack::ChannelPair;
using backends::xnnpack::ConstantChange;
using backends::xnnpack::ExportedOperator;
using backends::xnnpack::ObserverKind;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::QuantizedValue;
using core::Result;

/// Statistics of one channel of a value.
struct ChannelNumbers {
    backends::xnnpack::ValueRange range{};  ///< includes 0
    double sum = 0;
    std::uint64_t count = 0;

    [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

/// Collects statistics of channels of values while a graph runs.
class ChannelWatch {
  public:
    /// Adds a float32 value whose channels are dimension 1 (`images`), else the last dimension.
    void add(std::string_view value, bool images) { watched[std::string(value)].images = images; }
    [[nodiscard]] backends::reference::NodeObserver observer();
    /// Returns an empty list if the value was not seen.
    [[nodiscard]] const std::vector<ChannelNumbers>& of(std::string_view value) const;

  private:
    struct Watched {
        bool images = false;
        std::vector<ChannelNumbers> channels{};
    };
    static void note(Watched& into, const core::Tensor& tensor);

    std::map<std::string, Watched, std::less<>> watched;
};

backends::reference::NodeObserver ChannelWatch::observer() {
    return [this](const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                  std::span<const ReferenceValue> outputs) -> core::Result<> {
        if (backends::reference::isSubgraph(graph)) {
            return {};
        }
        backends::reference::forResults(
            graph.nodes[node], outputs, [&](const std::string& name, const ReferenceValue& value) {
                const auto found = watched.find(name);
                const auto* tensor = value.as<ReferenceTensor>();
                if (found != watched.end() && tensor != nullptr &&
                    tensor->view.dtype() == core::ScalarType::Float && tensor->view.dim() >= 2) {
                    note(found->second, tensor->view);
                }
            });
        return {};
    };
}

void ChannelWatch::note(Watched& into, const core::Tensor& tensor) {
    const std::size_t axis = into.images ? 1 : tensor.dim() - 1;
    const auto count = static_cast<std::size_t>(tensor.size(axis));
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < tensor.dim(); ++i) {
        inner *= static_cast<std::size_t>(tensor.size(i));
    }
    into.channels.resize(std::max(into.channels.size(), count));
    const auto* numbers = tensor.data<float>();
    const auto all = static_cast<std::size_t>(tensor.numel());
    for (std::size_t i = 0; i < all; ++i) {
        ChannelNumbers& channel = into.channels[i / inner % count];
        channel.range = {std::min(channel.range.low, numbers[i]), std::max(channel.range.high, numbers[i])};
        channel.sum += static_cast<double>(numbers[i]);
        ++channel.count;
    }
}

const std::vector<ChannelNumbers>& ChannelWatch::of(std::string_view value) const {
    static const std::vector<ChannelNumbers> none;
    const auto found = watched.find(value);
    return found == watched.end() ? none : found->second.channels;
}

// In dB, on the calibration cases: smaller gains may well disappear on other inputs.
constexpr double gainOfAPair = 0.5;
constexpr double gainOfANumber = 0.05;

double decibelsIn(const OutputError& closeness) {
    return closeness.sqnrDecibels.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

std::string_view remedyName(Remedy remedy) {
    switch (remedy) {
        case Remedy::Equalize:
            return "equalize";
        case Remedy::Observers:
            return "observers";
        case Remedy::Bias:
            return "bias";
    }
    return {};
}

Result<std::unique_ptr<RemediedModel>> RemediedModel::open(
    PreparedModel& model, Choices choices, std::span<const CalibrationCase> given, ObserverKind observer,
    const backends::reference::InterpreterOptions& options) {
    std::unique_ptr<RemediedModel> made(
        new RemediedModel(model, std::move(choices), given, observer, options));
    ET_ASSIGN(made->floatOutputs, runCases(model.record(), model.method().name(), given, options));
    ET_TRY(made->calibrate());
    ET_ASSIGN(made->done.before, made->closenessWith(made->now.numbers));
    made->done.after = made->done.before;
    made->done.scales = made->now.numbers.size();
    return made;
}

Result<> RemediedModel::apply(Remedy remedy) {
    switch (remedy) {
        case Remedy::Equalize:
            return equalize();
        case Remedy::Observers:
            return chooseObservers();
        case Remedy::Bias:
            return correctBiases();
    }
    return {};
}

/// Computes ranges of the current float graph.
Result<> RemediedModel::calibrate() {
    now.annotation =
        backends::xnnpack::annotate(now.model->method(), now.model->operators(), now.model->sites(), choices);
    now.observations.clear();
    ET_TRY(now.model->calibrate(cases, {&now.annotation, 1}, first, options, now.observations[first]));
    ET_ASSIGN(now.numbers, PreparedModel::numbersOf(now.annotation, now.observations[first]));
    now.kinds.assign(now.numbers.size(), first);
    return {};
}

void RemediedModel::replace(std::unique_ptr<PreparedModel> by) {
    made.push_back(std::move(by));
    now.model = made.back().get();
}

bool RemediedModel::isBetter(const OutputError& closeness, double by) const {
    return decibelsIn(closeness) > decibelsIn(done.after) + by;
}

Result<std::shared_ptr<const etrecord::Record>> RemediedModel::record() {
    return recordWith(now.numbers, {});
}

Result<std::shared_ptr<const etrecord::Record>> RemediedModel::recordWith(const Numbers& numbers,
                                                                          const Changes& changes) {
    return now.model->quantized(now.annotation, numbers, changes);
}

Result<OutputError> RemediedModel::closenessWith(const Numbers& numbers) {
    ET_ASSIGN(const auto variant, recordWith(numbers, {}));
    ET_ASSIGN(const auto outputs, runCases(*variant, now.model->method().name(), cases, options));
    return measureOutputError(floatOutputs, outputs);
}

const backends::xnnpack::RangeObserver& RemediedModel::observer(std::size_t scale) const {
    return *now.observations.at(now.kinds[scale]).at(now.annotation.scales[scale]);
}

// Equalize.

/// Returns the widest range of each channel over the quantized values between the products.
Result<std::vector<float>> RemediedModel::channelRanges(const ChannelPair& pair) {
    ChannelWatch watch;
    for (const std::string_view value : pair.values) {
        if (std::ranges::contains(now.annotation.values, value, &QuantizedValue::value)) {
            watch.add(value, pair.images);
        }
    }
    ET_ASSIGN(const auto interpreter,
              Interpreter::edge(now.model->record(), now.model->method().name(), options));
    for (const CalibrationCase& each : cases) {
        ET_TRY(interpreter->run(each, watch.observer()));
    }
    std::vector<float> ranges;
    for (const std::string_view value : pair.values) {
        const auto& channels = watch.of(value);
        ranges.resize(std::max(ranges.size(), channels.size()));
        for (std::size_t i = 0; i < channels.size(); ++i) {
            ranges[i] = std::max(ranges[i], channels[i].range.high - channels[i].range.low);
        }
    }
    return ranges;
}

/// Keeps the factors if they improve the outputs.
Result<> RemediedModel::tryPair(const ChannelPair& pair, EqualizedPair& into) {
    ET_ASSIGN(const auto ranges, channelRanges(pair));
    if (ranges.empty()) {
        into.rule = "the values between them are not quantized";
        return {};
    }
    PreparedModel& model = *now.model;
    ET_ASSIGN(auto factors,
              backends::xnnpack::equalizingFactors(model.method(), model.sites(), pair, ranges));
    Changes changes;
    ET_TRY(backends::xnnpack::moveFactors(model.method(), model.operators(), model.sites(), pair, factors,
                                          changes));
    ET_ASSIGN(auto changed, model.changed(changes));
    State before = std::exchange(now, {});
    replace(std::move(changed));
    ET_TRY(calibrate());
    ET_ASSIGN(const OutputError closeness, closenessWith(now.numbers));
    if (!isBetter(closeness, gainOfAPair)) {
        now = std::move(before);
        into.rule = "the outputs do not improve";
        return {};
    }
    done.after = closeness;
    into.factors = std::move(factors);
    into.applied = true;
    return {};
}

Result<> RemediedModel::equalize() {
    const std::size_t count =
        backends::xnnpack::findChannelPairs(now.model->method(), now.model->operators(), now.model->sites())
            .size();
    for (std::size_t i = 0; i < count; ++i) {
        // Searched again, because names must be those of the current graph.
        const ChannelPair pair = backends::xnnpack::findChannelPairs(
            now.model->method(), now.model->operators(), now.model->sites())[i];
        const ExportedOperator& maker = now.model->operators()[pair.maker];
        EqualizedPair report{.maker = maker.name,
                             .module = now.model->moduleOf(maker),
                             .clamp = pair.clamp,
                             .rule = pair.rule};
        for (const std::size_t reader : pair.readers) {
            const ExportedOperator& op = now.model->operators()[now.model->sites()[reader].op];
            report.readers.push_back(op.name);
            report.readerModules.push_back(
                now.model->method().node(op.nodes.front()).moduleStack.empty()
                    ? std::string()
                    : now.model->method().node(op.nodes.front()).moduleStack.back().fqn);
        }
        if (report.rule.empty()) {
            ET_TRY(tryPair(pair, report));
        }
        done.pairs.push_back(std::move(report));
    }
    return {};
}

// Observers.

Result<> RemediedModel::chooseObservers() {
    using enum ObserverKind;
    for (const ObserverKind kind : {MinMax, Histogram, Percentile, SquareError}) {
        if (kind != first) {
            ET_TRY(now.model->calibrate(cases, {&now.annotation, 1}, kind, options, now.observations[kind]));
        }
    }
    for (std::size_t scale = 0; scale < now.numbers.size(); ++scale) {
        ET_TRY(chooseObserver(scale));
        if (now.kinds[scale] != first) {
            const auto& values = now.annotation.scales[scale];
            done.observers.push_back({.values = {values.begin(), values.end()}, .kind = now.kinds[scale]});
        }
    }
    return {};
}

/// The other scales keep their observers.
Result<> RemediedModel::chooseObserver(std::size_t scale) {
    std::vector<backends::xnnpack::QuantizationNumbers> tried{now.numbers[scale]};
    for (const auto& [kind, observed] : now.observations) {
        const auto range = observed.at(now.annotation.scales[scale])->range();
        if (!range) {
            continue;
        }
        Numbers trial = now.numbers;
        trial[scale] = backends::xnnpack::affineNumbers(*range, backends::xnnpack::activationIntegers);
        if (std::ranges::contains(tried, trial[scale])) {
            continue;
        }
        tried.push_back(trial[scale]);
        ET_ASSIGN(const OutputError closeness, closenessWith(trial));
        if (isBetter(closeness, gainOfANumber)) {
            done.after = closeness;
            now.numbers = std::move(trial);
            now.kinds[scale] = kind;
        }
    }
    return {};
}

// Bias.

namespace {

/// Returns an operator's bias minus these shifts; nothing if the numbers of channels differ.
Result<std::optional<ConstantChange>> shiftedBias(PreparedModel& model, std::size_t op,
                                                  std::span<const double> shifts) {
    const std::string_view value = backends::xnnpack::biasOf(model.method(), model.operators()[op]);
    std::vector<float> bias(shifts.size());
    if (!value.empty()) {
        ET_ASSIGN(const auto tensor, model.method().tensor(value));
        if (std::cmp_not_equal(tensor.view.numel(), shifts.size())) {
            return std::nullopt;
        }
        bias.assign(tensor.view.data<float>(), tensor.view.data<float>() + tensor.view.numel());
    }
    for (std::size_t i = 0; i < bias.size(); ++i) {
        bias[i] -= static_cast<float>(shifts[i]);
    }
    const std::array sizes{static_cast<std::int64_t>(bias.size())};
    return ConstantChange{.op = op,
                          .value = std::string(value),
                          .tensor = backends::xnnpack::tensorOf(core::ScalarType::Float, sizes,
                                                                std::as_bytes(std::span(bias)))};
}

/// Returns the mean of each channel minus that of the reference.
std::vector<double> computeShifts(const std::vector<ChannelNumbers>& reference,
                                  const std::vector<ChannelNumbers>& channels) {
    std::vector<double> shifts;
    for (std::size_t i = 0; i < channels.size() && channels.size() == reference.size(); ++i) {
        shifts.push_back(channels[i].mean() - reference[i].mean());
    }
    return shifts;
}

/// Runs cases and records the results of products.
Result<std::vector<CaseOutputs>> runWatched(const etrecord::Record& record, const std::string& method,
                                            std::span<const CalibrationCase> cases,
                                            const backends::reference::InterpreterOptions& options,
                                            ChannelWatch& watch) {
    ET_ASSIGN(const auto interpreter, Interpreter::edge(record, method, options));
    std::vector<CaseOutputs> outputs;
    for (const CalibrationCase& each : cases) {
        ET_ASSIGN(auto made, interpreter->run(each, watch.observer()));
        outputs.push_back(std::move(made));
    }
    return outputs;
}

}  // namespace

/// Corrects sites in graph order: each correction takes the previous ones into account.
Result<> RemediedModel::correctBiases() {
    ChannelWatch watch;
    std::vector<std::size_t> corrigible;
    for (const std::size_t index : now.annotation.weights) {
        const QuantizationSite& site = now.model->sites()[index];
        const ExportedOperator& op = now.model->operators()[site.op];
        if (backends::xnnpack::takesBias(now.model->method(), op) && !op.output.empty()) {
            watch.add(op.output, site.kind != backends::xnnpack::SiteKind::Linear);
            corrigible.push_back(index);
        }
    }
    done.corrigible = corrigible.size();
    const std::string& name = now.model->method().name();
    ChannelWatch reference = watch;
    ET_TRY(runWatched(now.model->record(), name, cases, options, reference));
    Changes kept;
    ET_ASSIGN(auto variant, recordWith(now.numbers, kept));
    ChannelWatch means = watch;
    ET_TRY(runWatched(*variant, name, cases, options, means));
    for (const std::size_t index : corrigible) {
        const std::size_t op = now.model->sites()[index].op;
        const ExportedOperator& corrected = now.model->operators()[op];
        const auto shifts = computeShifts(reference.of(corrected.output), means.of(corrected.output));
        ET_ASSIGN(auto change, shiftedBias(*now.model, op, shifts));
        if (shifts.empty() || !change) {
            continue;
        }
        Changes trial = kept;
        trial.push_back(*std::move(change));
        ET_ASSIGN(variant, recordWith(now.numbers, trial));
        ChannelWatch next = watch;
        ET_ASSIGN(const auto outputs, runWatched(*variant, name, cases, options, next));
        const OutputError closeness = measureOutputError(floatOutputs, outputs);
        if (isBetter(closeness, gainOfANumber)) {
            done.after = closeness;
            done.biases.push_back(
                {.site = corrected.name, .isNew = trial.back().value.empty(), .shifts = shifts});
            kept = std::move(trial);
            means = std::move(next);
        }
    }
    if (kept.empty()) {
        return {};
    }
    // Keeps the previous ranges, since the correction was computed for these quantizers.
    ET_ASSIGN(auto corrected, now.model->changed(kept));
    replace(std::move(corrected));
    now.annotation =
        backends::xnnpack::annotate(now.model->method(), now.model->operators(), now.model->sites(), choices);
    return {};
}

}  // namespace et::tasks
