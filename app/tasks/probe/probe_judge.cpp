#include "app/tasks/probe/probe_judge.h"

#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "etdump/trace.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/tensor_files/debug_tensor.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::BundledTensor;
using core::Result;
using inspector::HostTensor;

constexpr std::array<std::string_view, 5> outputExtensions{".npy", ".npz", ".bin", ".pt", ".raw"};
constexpr std::array<std::string_view, 2> traceExtensions{".etdp", ".etdump"};
/// Files of a saved case that are not outputs.
constexpr std::array<std::string_view, 2> otherFiles{"input_", "expected_"};
constexpr std::size_t maxFiles = 200'000;
constexpr std::uint64_t maxOutputBytes = std::uint64_t{1} << 30U;
/// Differences vary by at most this share of the constant that explains them.
constexpr double sameShare = 1e-3;

/// The files of a probe's outputs.
struct OutputFiles {
    std::map<std::size_t, fs::path> tensors{};  ///< by index
    fs::path trace{};                           ///< with logged outputs; `tensors` is its debug buffer
};

/// "012_convolution" for "012_convolution.bpte" and "012_convolution_0.npy".
const Probe* probeNamed(std::string_view component, const std::map<std::string_view, const Probe*>& probes) {
    // Names begin with a number, so the longest name before the component is the only candidate.
    auto found = probes.upper_bound(component);
    if (found == probes.begin()) {
        return nullptr;
    }
    const auto& [name, probe] = *--found;
    const bool isName =
        component.starts_with(name) &&
        (component.size() == name.size() || std::string_view("._-").contains(component[name.size()]));
    return isName ? probe : nullptr;
}

/// The number at the end of "output_3" or "NAME-3"; 0 without one.
std::size_t outputIndex(std::string_view stem) {
    const std::size_t end = stem.find_last_not_of("0123456789");
    const std::string_view digits = end == std::string_view::npos ? stem : stem.substr(end + 1);
    std::size_t index = 0;
    std::from_chars(digits.begin(), digits.end(), index);
    return index;
}

Result<std::map<const Probe*, OutputFiles>> findOutputs(const ProbeSet& set, const fs::path& results) {
    std::map<std::string_view, const Probe*> names;
    for (const Probe& probe : set.probes) {
        names.emplace(probe.name, &probe);
    }
    std::map<const Probe*, OutputFiles> files;
    std::error_code error;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator each(results, error), end; !error && each != end;
         each.increment(error)) {
        if (++count > maxFiles) {
            return core::fail(core::ErrorCode::Limit, fmt::format("expected at most {} files", maxFiles),
                              {.file = results.string(), .field = {}, .offset = {}});
        }
        const fs::path relative = each->path().lexically_relative(results);
        const std::string file = relative.filename().string();
        const std::string extension = relative.extension().string();
        std::error_code unknown;
        const bool isTrace = std::ranges::contains(traceExtensions, extension);
        if (!each->is_regular_file(unknown) ||
            (!isTrace && !std::ranges::contains(outputExtensions, extension)) ||
            std::ranges::any_of(otherFiles,
                                [&](std::string_view start) { return file.starts_with(start); })) {
            continue;
        }
        for (const fs::path& part : relative) {
            const std::string component = part.string();
            if (const Probe* const probe = probeNamed(component, names)) {
                const std::string stem = relative.stem().string();
                OutputFiles& found = files[probe];
                if (isTrace) {
                    found.trace = each->path();
                } else {
                    found.tensors.emplace(stem == probe->name ? 0 : outputIndex(stem), each->path());
                }
                break;
            }
        }
    }
    if (error) {
        return core::fail(core::ErrorCode::Io, error.message(),
                          {.file = results.string(), .field = {}, .offset = {}});
    }
    return files;
}

/// A copy of a logged tensor.
Result<HostTensor> loggedTensor(const etdump::DebugTensor& logged, const core::MappedFile& buffer) {
    const auto bytes = inspector::debugTensorBytes(logged, buffer);
    if (!bytes) {
        return core::fail(core::ErrorCode::Format, bytes.error());
    }
    return HostTensor{.dtype = static_cast<core::ScalarType>(logged.scalarType),
                      .sizes = logged.sizes,
                      .dimOrder = inspector::dimOrderOf(logged),
                      .data = {bytes->begin(), bytes->end()}};
}

/// The first outputs that a trace logged, at most `count`.
Result<std::vector<HostTensor>> readLogged(const OutputFiles& files, std::size_t count) {
    ET_ASSIGN(const auto trace, etdump::Trace::open(files.trace));
    if (files.tensors.empty()) {
        return core::fail(core::ErrorCode::NotFound, "there is no debug buffer (NAME.bin) next to it",
                          {.file = files.trace.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(const auto buffer, core::MappedFile::open(files.tensors.begin()->second));
    std::vector<HostTensor> outputs;
    for (etdump::EventIndex i = 0; i < trace->eventCount() && outputs.size() < count; ++i) {
        if (trace->events().kind[i] != etdump::EventKind::Debug || !trace->debugValue(i).programOutput) {
            continue;
        }
        const auto& value = trace->debugValue(i).value;
        if (const auto* const one = std::get_if<etdump::DebugTensor>(&value)) {
            ET_ASSIGN(HostTensor tensor, loggedTensor(*one, *buffer));
            outputs.push_back(std::move(tensor));
        } else if (const auto* const list = std::get_if<std::vector<etdump::DebugTensor>>(&value)) {
            for (const etdump::DebugTensor& each : *list) {
                ET_ASSIGN(HostTensor tensor, loggedTensor(each, *buffer));
                outputs.push_back(std::move(tensor));
            }
        }
    }
    return outputs;
}

/// The outputs of a probe. A file may have several.
Result<std::vector<HostTensor>> readOutputs(const OutputFiles& files, const bundled_program::TestCase& test) {
    if (!files.trace.empty()) {
        return readLogged(files, test.expectedOutputs.size());
    }
    std::vector<HostTensor> outputs;
    for (const auto& [index, path] : files.tensors) {
        const BundledTensor* const expected =
            outputs.size() < test.expectedOutputs.size()
                ? std::get_if<BundledTensor>(&test.expectedOutputs[outputs.size()])
                : nullptr;
        std::optional<inspector::RawLayout> layout;
        if (expected != nullptr) {
            layout = inspector::RawLayout{.dtype = static_cast<core::ScalarType>(expected->scalarType),
                                          .sizes = expected->sizes,
                                          .dimOrder = {}};
        }
        ET_ASSIGN(std::vector<HostTensor> read, inspector::readTensorFile(path, layout, maxOutputBytes));
        std::ranges::move(read, std::back_inserter(outputs));
    }
    return outputs;
}

/// Both values of the pairs of finite numbers, and the pairs in which only one is.
struct NumberPairs {
    std::vector<std::pair<double, double>> finite;  ///< expected, given
    std::size_t lostNans = 0;                       ///< a number instead of a NaN
    std::size_t addedNonFinite = 0;                 ///< NaN or infinite instead of a number
};

Result<NumberPairs> pairsOf(const core::Tensor& expected, const core::Tensor& given) {
    ET_ASSIGN(const std::vector<double> left, inspector::numbersOf(expected));
    ET_ASSIGN(const std::vector<double> right, inspector::numbersOf(given));
    NumberPairs pairs;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (std::isfinite(left[i]) && std::isfinite(right[i])) {
            pairs.finite.emplace_back(left[i], right[i]);
        }
        pairs.lostNans += std::isnan(left[i]) && !std::isnan(right[i]) ? 1U : 0U;
        pairs.addedNonFinite += std::isfinite(left[i]) && !std::isfinite(right[i]) ? 1U : 0U;
    }
    return pairs;
}

/// The constant that `of` gives for all pairs; nothing if they differ.
template <class Of>
std::optional<double> commonConstant(const NumberPairs& pairs, double least, const Of& of) {
    std::vector<double> numbers;
    for (const auto& [expected, given] : pairs.finite) {
        if (const std::optional<double> number = of(expected, given)) {
            numbers.push_back(*number);
        }
    }
    if (numbers.size() < 2) {
        return std::nullopt;
    }
    const auto [low, high] = std::ranges::minmax(numbers);
    const double middle = std::midpoint(low, high);
    return std::isfinite(middle) && std::abs(middle) > least &&
                   high - low <= 2 * sameShare * std::max(std::abs(middle), least)
               ? std::optional(middle)
               : std::nullopt;
}

/// Describes a difference in a few words.
std::string describe(const core::Tensor& expected, const core::Tensor& given, const std::string& fallback) {
    const auto pairs = pairsOf(expected, given);
    if (!pairs) {
        return fallback;
    }
    if (pairs->lostNans > 0) {
        return fmt::format("{} of {} elements lose NaN", pairs->lostNans, expected.numel());
    }
    if (pairs->addedNonFinite > 0) {
        return fmt::format("{} of {} elements become NaN or infinite", pairs->addedNonFinite,
                           expected.numel());
    }
    double largest = 0;
    for (const auto& [wanted, got] : pairs->finite) {
        largest = std::max(largest, std::abs(wanted));
    }
    if (const auto offset =
            commonConstant(*pairs, sameShare * sameShare * largest,
                           [](double wanted, double got) { return std::optional(got - wanted); })) {
        return fmt::format("constant offset {:+.6g}", *offset);
    }
    if (const auto factor = commonConstant(*pairs, 0.0, [](double wanted, double got) {
            return wanted == 0 && got == 0 ? std::nullopt : std::optional(got / wanted);
        })) {
        return fmt::format("constant factor {:.6g}", *factor);
    }
    return fallback;
}

/// The difference of an output; empty: none.
Result<std::string> difference(const HostTensor& output, const bundled_program::BundledValue& expected,
                               const bundled_program::Tolerances& tolerances) {
    ET_ASSIGN(const core::Tensor view, inspector::viewOf(output));
    core::Value given(view);
    const bundled_program::Comparison compared = bundled_program::compare(given, expected, tolerances);
    const auto* const tensor = std::get_if<BundledTensor>(&expected);
    if (compared.agrees() || tensor == nullptr || compared.elements == 0) {
        return compared.difference;
    }
    ET_ASSIGN(const core::Tensor wanted, bundled_program::tensorOver(*tensor));
    return describe(wanted, view, compared.difference);
}

/// The first difference; empty: none.
Result<std::string> judge(const OutputFiles& files, const bundled_program::TestCase& test,
                          const bundled_program::Tolerances& tolerances) {
    ET_ASSIGN(const std::vector<HostTensor> outputs, readOutputs(files, test));
    if (outputs.size() != test.expectedOutputs.size()) {
        return fmt::format("expected {} outputs, got {}", test.expectedOutputs.size(), outputs.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        ET_ASSIGN(std::string text, difference(outputs[i], test.expectedOutputs[i], tolerances));
        if (!text.empty()) {
            return outputs.size() == 1 ? text : fmt::format("output {}: {}", i, text);
        }
    }
    return std::string();
}

}  // namespace

Result<std::size_t> judgeProbes(ProbeSet& set, const fs::path& folder, const fs::path& results,
                                const bundled_program::Tolerances& tolerances) {
    ET_ASSIGN(const auto files, findOutputs(set, results));
    for (Probe& probe : set.probes) {
        const auto found = files.find(&probe);
        if (found == files.end()) {
            continue;
        }
        ET_ASSIGN(const auto bundle, bundled_program::Bundle::open(folder / (probe.name + ".bpte")));
        if (bundle->suites.empty() || bundle->suites.front().cases.empty()) {
            return core::fail(core::ErrorCode::Format, "expected a case, got none",
                              {.file = bundle->file->name(), .field = {}, .offset = {}});
        }
        auto text = judge(found->second, bundle->suites.front().cases.front(), tolerances);
        probe.note = text ? *std::move(text) : text.error().toString();
        probe.verdict = probe.note.empty() ? ProbeVerdict::Right : ProbeVerdict::Wrong;
    }
    return files.size();
}

}  // namespace et::tasks
