#include "app/output/lab/delegate_info.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::output {
namespace {

/// "delegate 3 (aten_mul_tensor and 2 more of layers.0, model.py:12)"
std::string delegateName(const tasks::DelegateChoice& each) {
    std::string name = fmt::format("delegate {} (", each.index);
    name += each.name.empty() ? std::string("no operator") : core::printable(each.name);
    name += each.nodes.size() > 1 ? fmt::format(" and {} more", each.nodes.size() - 1) : "";
    name += each.module.empty() ? "" : fmt::format(" of {}", core::printable(each.module));
    name += each.line.empty() ? "" : fmt::format(", {}", core::printable(each.line));
    return name + ")";
}

std::string costText(const tasks::DelegateChoice& each) {
    return each.inside && each.outside ? fmt::format("{} inside, {} as kernel calls",
                                                     readableTime(*each.inside), readableTime(*each.outside))
                                       : std::string();
}

/// Reason for the choice.
std::string reasonText(const tasks::DelegateChoice& each) {
    std::string text = costText(each);
    if (each.gain) {
        const auto& gain = *each.gain;
        text +=
            fmt::format("{}without it a run is {} {} [{}, {}]", text.empty() ? "" : "; ",
                        readableTime(std::abs(gain.nanoseconds)), gain.nanoseconds > 0 ? "faster" : "slower",
                        readableTime(gain.interval.low), readableTime(gain.interval.high));
        text += !each.isPortable && gain.isCertain && gain.nanoseconds > 0 ? ", but misses the budget" : "";
    }
    return text;
}

}  // namespace

std::string delegateChoiceText(const std::vector<tasks::DelegateChoice>& delegates) {
    if (delegates.empty()) {
        return {};
    }
    const auto out = std::ranges::count(delegates, true, &tasks::DelegateChoice::isPortable);
    std::string text = fmt::format("delegates: {} of {} kept\n",
                                   static_cast<std::ptrdiff_t>(delegates.size()) - out, delegates.size());
    for (const tasks::DelegateChoice& each : delegates) {
        const std::string reason = reasonText(each);
        text += fmt::format("  {}: {}{}{}\n", each.isPortable ? "portable" : "delegated", delegateName(each),
                            reason.empty() ? "" : ": ", reason);
    }
    return text;
}

List delegateChoiceInfo(const std::vector<tasks::DelegateChoice>& delegates) {
    return listOf(delegates, [&](const tasks::DelegateChoice& each) {
        Cell gain;
        if (each.gain) {
            gain = Dict{{"ms", each.gain->nanoseconds / nanosecondsPerMillisecond},
                        {"low_ms", each.gain->interval.low / nanosecondsPerMillisecond},
                        {"high_ms", each.gain->interval.high / nanosecondsPerMillisecond},
                        {"certain", each.gain->isCertain}};
        }
        return Dict{{"delegate", std::uint64_t{each.index}},
                    {"nodes", listOf(each.nodes)},
                    {"operator", each.name},
                    {"module", each.module},
                    {"line", each.line},
                    {"inside_ms", millisecondCell(each.inside)},
                    {"outside_ms", millisecondCell(each.outside)},
                    {"saved_without", std::move(gain)},
                    {"portable", each.isPortable}};
    });
}

}  // namespace et::output
