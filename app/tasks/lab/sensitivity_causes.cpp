#include "app/tasks/lab/sensitivity_causes.h"

#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace et::tasks {

using backends::reference::NodeObserver;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using backends::xnnpack::ValueRange;

namespace {

constexpr double outlierFactor = 4;  ///< multiple of the median channel's range
constexpr double clippingWorthTelling = 1e-3;
constexpr float keptWidth = 0.97F;   ///< fraction of the calibrated range, for an observer that clips little
constexpr double decibelsApart = 3;  ///< corresponds to half of the noise
constexpr double leastGainOfABit = 2;

float widthOf(ValueRange range) {
    return range.high - range.low;
}

ValueRange joined(ValueRange left, ValueRange right) {
    return {std::min(left.low, right.low), std::max(left.high, right.high)};
}

/// Position of an element's channel.
struct Channels {
    std::size_t inner = 1;
    std::size_t count = 1;
    explicit Channels(const core::Tensor& tensor) {
        if (tensor.dim() == 4) {
            count = static_cast<std::size_t>(tensor.size(1));
            inner = static_cast<std::size_t>(tensor.size(2) * tensor.size(3));
        } else if (tensor.dim() > 0) {
            count = static_cast<std::size_t>(tensor.size(tensor.dim() - 1));
        }
    }
};

}  // namespace

OutputRanges::OutputRanges(backends::xnnpack::PreparedModel& of) : sites(of.sites().size()) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (of.sites()[i].rule.empty()) {
            byValue[of.sites()[i].output].push_back(i);
        }
    }
}

NodeObserver OutputRanges::observerOf(Note note) {
    return [this, note](const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                        std::span<const ReferenceValue> outputs) -> core::Result<> {
        if (backends::reference::isSubgraph(graph)) {
            return {};
        }
        backends::reference::forResults(graph.nodes[node], outputs,
                                        [&](const std::string& name, const ReferenceValue& value) {
                                            const auto found = byValue.find(name);
                                            const auto* tensor = value.as<ReferenceTensor>();
                                            if (found == byValue.end() || tensor == nullptr ||
                                                tensor->view.dtype() != core::ScalarType::Float) {
                                                return;
                                            }
                                            for (const std::size_t site : found->second) {
                                                note(sites[site], tensor->view);
                                            }
                                        });
        return {};
    };
}

NodeObserver OutputRanges::observer() {
    return observerOf(noteChannels);
}

NodeObserver OutputRanges::clippingObserver() {
    return observerOf(noteOutside);
}

void OutputRanges::noteChannels(Seen& seen, const core::Tensor& tensor) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Channels channels(tensor);
    if (channels.count > seen.channels.size()) {
        seen.channels.resize(channels.count, ValueRange{infinity, -infinity});
    }
    const auto* numbers = tensor.data<float>();
    const auto all = static_cast<std::size_t>(tensor.numel());
    for (std::size_t i = 0; i < all; ++i) {
        ValueRange& range = seen.channels[i / channels.inner % channels.count];
        range = joined(range, {numbers[i], numbers[i]});
    }
}

void OutputRanges::noteOutside(Seen& seen, const core::Tensor& tensor) {
    if (!seen.used) {
        return;
    }
    const std::span numbers(tensor.data<float>(), static_cast<std::size_t>(tensor.numel()));
    // Numbers within half a step of the ends are rounded, not clipped.
    const float half = widthOf(*seen.used) / 510;
    seen.numbers += numbers.size();
    seen.outside += static_cast<std::uint64_t>(std::ranges::count_if(numbers, [&](float number) {
        return number < seen.used->low - half || number > seen.used->high + half;
    }));
}

std::optional<OutputRange> OutputRanges::of(std::size_t site) const {
    std::vector<ValueRange> channels;
    std::ranges::copy_if(sites[site].channels, std::back_inserter(channels),
                         [](const ValueRange& range) { return range.low <= range.high; });
    if (channels.empty()) {
        return std::nullopt;
    }
    OutputRange made{.seen = channels.front(), .used = {}, .channels = channels.size()};
    for (const ValueRange& each : channels) {
        made.seen = joined(made.seen, each);
    }
    std::ranges::sort(channels, {}, widthOf);
    const float median = widthOf(channels[channels.size() / 2]);
    const auto limit = static_cast<float>(outlierFactor) * median;
    const auto usual =
        std::ranges::find_if(channels, [&](const ValueRange& each) { return widthOf(each) > limit; });
    made.outliers = static_cast<std::size_t>(channels.end() - usual);
    if (usual != channels.begin() && widthOf(made.seen) > 0) {
        made.othersShare =
            static_cast<double>(widthOf(*(usual - 1))) / static_cast<double>(widthOf(made.seen));
    }
    return made;
}

void OutputRanges::countOutside(std::size_t site, ValueRange used) {
    sites[site].used = used;
}

double OutputRanges::clippedShare(std::size_t site) const {
    const Seen& seen = sites[site];
    return seen.numbers == 0 ? 0 : static_cast<double>(seen.outside) / static_cast<double>(seen.numbers);
}

std::string causeOf(const SiteSensitivity& site) {
    if (!site.only || !site.only->sqnrDecibels) {
        return {};
    }
    if (!site.site.rangeRule.empty()) {
        return fmt::format("{}: --keep {}", site.site.rangeRule, core::printable(site.site.name));
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto decibels = [&](const std::optional<OutputError>& closeness) {
        return closeness ? closeness->sqnrDecibels.value_or(infinity) : infinity;
    };
    const bool weights = decibels(site.onlyWeights) + decibelsApart < decibels(site.onlyActivations);
    if (weights) {
        return "weight rounding: keep it in float";
    }
    if (site.output && site.output->outliers > 0 && site.output->outliers * 4 <= site.output->channels) {
        return fmt::format(
            "{} of {} channels use more than {:.0f} % of the range, {:.0f} % suffice for the others: "
            "equalize",
            site.output->outliers, site.output->channels, 100 * (1 - site.output->othersShare),
            100 * site.output->othersShare);
    }
    if (site.output && site.output->clipped > clippingWorthTelling) {
        // Either clipped by the observer, or not seen in calibration.
        const bool narrowed = widthOf(site.output->used) < keptWidth * widthOf(site.output->calibrated);
        return fmt::format("{:.2g} % of its results are clipped: {}", 100 * site.output->clipped,
                           narrowed ? "try --observer minmax" : "calibrate on more inputs");
    }
    if (decibels(site.biasRounding) < decibels(site.only) + decibelsApart) {
        return "bias rounding in steps of operand scale times weight scale: keep it in float";
    }
    // An additional bit halves each step: rounding errors improve by 6 dB, clipping errors do not.
    if (decibels(site.oneMoreBit) < decibels(site.only) + leastGainOfABit) {
        return fmt::format("range limits, one more bit gains {:.1f} dB: quantize --remedy observers",
                           decibels(site.oneMoreBit) - decibels(site.only));
    }
    const bool activations = decibels(site.onlyActivations) + decibelsApart < decibels(site.onlyWeights);
    return activations ? "rounding of its operand and result" : "";
}

}  // namespace et::tasks
