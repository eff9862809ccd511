#include "app/tasks/gap/gap_input_sets.h"

#include "app/tasks/gap/short_inputs.h"
#include "inspector/numeric_gap/record_inputs.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <random>
#include <ranges>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array knownStimuli{
    GapInputChoice{"bundled", "those of the bundled case, else the representative inputs in the ETRecord"},
    GapInputChoice{"example", "those used at export, stored in the ETRecord"},
    GapInputChoice{"random:N", "N sets of random numbers in the range of the first set (default: 1)"},
    GapInputChoice{"extreme", "all zeros; four times the range; alternating extremes"},
};

constexpr std::size_t maxRandomSets = 1000;

/// Changes the numbers of floating-point tensors; others are unchanged.
using ChangeNumbers = std::function<void(std::vector<double>&)>;
/// Permutes the elements of the other tensors.
using ChangeOrder = std::function<void(std::vector<double>&)>;

/// The smallest and the largest finite number; the range includes 0.
std::pair<double, double> rangeOf(std::span<const double> numbers) {
    double smallest = 0;
    double largest = 0;
    for (const double number : numbers) {
        if (std::isfinite(number)) {
            smallest = std::min(smallest, number);
            largest = std::max(largest, number);
        }
    }
    return {smallest, largest};
}

Result<ReferenceTensor> withNumbers(core::ScalarType dtype, std::span<const std::int64_t> sizes,
                                    std::vector<double> numbers) {
    return inspector::converted(core::Tensor::over(numbers.data(), sizes), dtype);
}
Result<ReferenceTensor> withNumbers(const core::Tensor& like, std::vector<double> numbers) {
    return withNumbers(like.dtype(), std::span(like.sizes().begin(), like.sizes().end()), std::move(numbers));
}

/// A random number in [0, 1) with 53 bits, identical on every machine.
double nextShare(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11U) * 0x1p-53;
}

Result<GapInputSet> changed(const GapInputSet& like, std::string name, const ChangeNumbers& floats,
                            const ChangeOrder& others) {
    GapInputSet made{.name = std::move(name), .values = {}};
    for (const ReferenceValue& value : like.values) {
        const auto* tensor = value.as<ReferenceTensor>();
        if (tensor == nullptr || core::isComplex(tensor->view.dtype())) {
            made.values.push_back(value);
            continue;
        }
        ET_ASSIGN(std::vector<double> numbers, inspector::numbersOf(tensor->view));
        (core::isFloating(tensor->view.dtype()) ? floats : others)(numbers);
        ET_ASSIGN(ReferenceTensor next, withNumbers(tensor->view, std::move(numbers)));
        made.values.push_back(ReferenceValue{std::move(next)});
    }
    return made;
}

void leave(std::vector<double>&) {
}

Result<> addExtremes(const GapInputSet& like, std::vector<GapInputSet>& all) {
    const auto zeros = [](std::vector<double>& numbers) { std::ranges::fill(numbers, 0.0); };
    const auto wide = [](std::vector<double>& numbers) {
        std::ranges::transform(numbers, numbers.begin(), [](double number) { return 4 * number; });
    };
    const auto alternating = [](std::vector<double>& numbers) {
        const auto [smallest, largest] = rangeOf(numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = i % 2 == 0 ? largest : smallest;
        }
    };
    const std::array<std::pair<std::string_view, ChangeNumbers>, 3> kinds{
        {{"extreme:zeros", zeros}, {"extreme:wide", wide}, {"extreme:alternating", alternating}}};
    for (const auto& [name, change] : kinds) {
        ET_ASSIGN(GapInputSet made, changed(like, std::string(name), change, leave));
        all.push_back(std::move(made));
    }
    return {};
}

Result<std::size_t> countOf(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
        return 1;
    }
    const std::string_view digits = word.substr(colon + 1);
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count == 0 || count > maxRandomSets) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--inputs {}: expected a number from 1 to {}", word, maxRandomSets));
    }
    return count;
}

/// Converts an input of a run to a value of the interpreter.
Result<ReferenceValue> referenceValue(const executor::InputValue& value) {
    return std::visit(
        []<class T>(const T& content) -> Result<ReferenceValue> {
            if constexpr (std::is_same_v<T, executor::TensorInput>) {
                ET_ASSIGN(const core::Tensor view,
                          core::Tensor::make(content.dtype, content.sizes,
                                             const_cast<std::byte*>(content.data.data()), content.dimOrder));
                ET_ASSIGN(ReferenceTensor tensor, inspector::rowMajorCopy(view));
                return ReferenceValue{std::move(tensor)};
            } else {
                return ReferenceValue{content};
            }
        },
        value);
}

Result<const etrecord::ExportedGraph*> graphOf(const GapInputSources& sources) {
    const etrecord::ExportedGraph* graph = sources.record.edgeGraph(sources.method);
    if (graph == nullptr) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no method \"{}\"", sources.method),
                    {.file = sources.record.file().name(), .field = {}, .offset = {}});
    }
    return graph;
}

constexpr std::uint64_t maxInputBytes = std::uint64_t{4} << 30;

Result<GapInputSet> recorded(const GapInputSources& sources, std::optional<inspector::RecordInputKind> kind) {
    ET_ASSIGN(const etrecord::ExportedGraph* graph, graphOf(sources));
    auto inputs = kind ? inspector::recordInputs(sources.record, sources.method, *graph, *kind, maxInputBytes)
                       : inspector::recordInputs(sources.record, sources.method, *graph, maxInputBytes);
    if (!inputs) {
        return std::unexpected(std::move(inputs).error());
    }
    return GapInputSet{.name = inputs->source, .values = std::move(inputs->values)};
}

Result<GapInputSet> bundled(const GapInputSources& sources) {
    if (sources.model != nullptr && sources.model->bundle) {
        const std::size_t testCase = sources.options.testCase.value_or(0);
        ET_ASSIGN(const InputSet inputs, bundledInputs(*sources.model->bundle, sources.method, testCase));
        return makeGapInputSet(inputs, fmt::format("bundled:{}", testCase));
    }
    return recorded(sources, std::nullopt);
}

}  // namespace

Result<GapInputSet> makeGapInputSet(const InputSet& inputs, std::string name) {
    GapInputSet inputSet{.name = std::move(name), .values = {}};
    for (const executor::InputValue& each : inputs.values) {
        ET_ASSIGN(ReferenceValue value, referenceValue(each));
        inputSet.values.push_back(std::move(value));
    }
    return inputSet;
}

std::span<const GapInputChoice> gapInputChoices() {
    return knownStimuli;
}

Result<GapInputSet> usualGapInputSet(const GapInputSources& sources) {
    if (sources.model != nullptr && !sources.options.inputs.empty()) {
        const auto silent = [](std::string_view) {};
        ET_ASSIGN(const InputSet inputs, sources.model->inputs(sources.options, silent));
        return makeGapInputSet(inputs, "given");
    }
    if (sources.options.testCase && (sources.model == nullptr || !sources.model->bundle)) {
        return fail(ErrorCode::InvalidArgument, "--case needs a bundled program (.bpte)");
    }
    auto found = bundled(sources);
    const bool isPackage = sources.model != nullptr && sources.model->ownRecord != nullptr;
    if (!found && found.error().code == ErrorCode::NotFound && isPackage) {
        // Packages have no example inputs.
        ET_ASSIGN(const InputSet inputs, sources.model->inputs(sources.options, [](std::string_view) {}));
        return makeGapInputSet(inputs, "random");
    }
    ET_ASSIGN(GapInputSet usual, std::move(found));
    if (sources.cutsExamples && usual.name == inspector::nameOf(inspector::RecordInputKind::Example)) {
        ET_ASSIGN(const etrecord::ExportedGraph* graph, graphOf(sources));
        ET_ASSIGN(usual.cut, shortenInputs(*graph, usual));
    }
    return usual;
}

Result<GapInputSet> randomStimulus(const GapInputSet& like, std::uint64_t seed, std::string name) {
    std::mt19937_64 random(seed);
    const auto floats = [&](std::vector<double>& numbers) {
        const auto [smallest, largest] = rangeOf(numbers);
        for (double& number : numbers) {
            const double share = nextShare(random);
            number = smallest == largest ? 2 * share - 1 : smallest + share * (largest - smallest);
        }
    };
    const auto others = [&](std::vector<double>& numbers) {
        for (std::size_t i = numbers.size(); i > 1; --i) {
            std::swap(numbers[i - 1], numbers[random() % i]);
        }
    };
    return changed(like, std::move(name), floats, others);
}

Result<GapInputSet> resizedStimulus(const GapInputSet& like, std::span<const std::vector<std::int64_t>> sizes,
                                    std::uint64_t seed, std::uint64_t maxBytes) {
    std::mt19937_64 random(seed);
    GapInputSet made{.name = like.name, .values = {}};
    std::uint64_t left = maxBytes;
    for (std::size_t i = 0; i < like.values.size(); ++i) {
        const auto* const tensor = like.values[i].as<ReferenceTensor>();
        if (tensor == nullptr || i >= sizes.size() || std::ranges::equal(tensor->view.sizes(), sizes[i])) {
            made.values.push_back(like.values[i]);
            continue;
        }
        const auto bytes = core::tensorBytes(static_cast<std::int8_t>(core::ScalarType::Double), sizes[i]);
        if (!bytes || std::cmp_greater(*bytes, left)) {
            return fail(ErrorCode::Limit,
                        fmt::format("input {} of {} is too large", i, core::sizesText(sizes[i])));
        }
        left -= static_cast<std::uint64_t>(*bytes);
        ET_ASSIGN(const std::vector<double> known, inspector::numbersOf(tensor->view));
        const auto [smallest, largest] = rangeOf(known);
        const bool isReal = core::isFloating(tensor->view.dtype());
        std::vector<double> numbers(static_cast<std::size_t>(*bytes) / sizeof(double));
        for (double& number : numbers) {
            const double share = nextShare(random);
            number = isReal ? (smallest == largest ? 2 * share - 1 : smallest + share * (largest - smallest))
                     : known.empty()
                         ? 0
                         : known[static_cast<std::size_t>(share * static_cast<double>(known.size()))];
        }
        ET_ASSIGN(ReferenceTensor next, withNumbers(tensor->view.dtype(), sizes[i], std::move(numbers)));
        made.values.push_back(ReferenceValue{std::move(next)});
    }
    return made;
}

Result<std::vector<GapInputSet>> gapInputSets(const GapInputSources& sources, std::string_view asked) {
    std::vector<GapInputSet> all;
    ET_ASSIGN(const GapInputSet usual, usualGapInputSet(sources));
    for (const auto part : std::views::split(asked, ',')) {
        const std::string_view word(part.begin(), part.end());
        if (word == "bundled") {
            ET_ASSIGN(GapInputSet one, bundled(sources));
            all.push_back(std::move(one));
        } else if (word == "example") {
            ET_ASSIGN(GapInputSet one, recorded(sources, inspector::RecordInputKind::Example));
            all.push_back(std::move(one));
        } else if (word == "extreme") {
            ET_TRY(addExtremes(usual, all));
        } else if (word == "random" || word.starts_with("random:")) {
            ET_ASSIGN(const std::size_t count, countOf(word));
            for (std::size_t i = 1; i <= count; ++i) {
                ET_ASSIGN(GapInputSet one,
                          randomStimulus(usual, sources.options.seed + i,
                                         fmt::format("random:{}", sources.options.seed + i)));
                all.push_back(std::move(one));
            }
        } else {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--inputs: expected bundled, example, random:N or extreme, got \"{}\"",
                                    core::printable(word)));
        }
    }
    return all;
}

Result<> give(const GapInputSet& inputSet, executor::Method& method) {
    if (inputSet.values.size() != method.inputCount()) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the program takes {} inputs, input set {} has {}", method.inputCount(),
                                inputSet.name, inputSet.values.size()));
    }
    for (std::size_t i = 0; i < inputSet.values.size(); ++i) {
        ET_TRY(std::visit(
            [&]<class T>(const T& content) -> Result<> {
                if constexpr (std::is_same_v<T, ReferenceTensor>) {
                    const core::Tensor& view = content.view;
                    return method.setInput(
                        i, executor::TensorInput{.dtype = view.dtype(),
                                                 .sizes = std::span(view.sizes().begin(), view.sizes().end()),
                                                 .data = view.rawBytes()});
                } else if constexpr (std::is_constructible_v<executor::InputValue, T>) {
                    return method.setInput(i, content);
                } else {
                    return fail(ErrorCode::Unsupported,
                                fmt::format("input {} is neither a tensor nor a number", i));
                }
            },
            inputSet.values[i].content));
    }
    return {};
}

}  // namespace et::tasks
