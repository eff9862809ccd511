#pragma once

#include "inspector/format/time_scale.h"
#include "runtime/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Unit of the times that delegates measure with a clock of their own.
struct DelegateTimeScale {
    std::string backend;  ///< "VulkanBackend"; empty: all without a scale of their own
    /// One of three: a unit of time (`nanoseconds` per tick), ticks of the trace per tick of the delegate
    /// (`ticks`), or neither: the frequency is unknown and is estimated from the delegate calls.
    std::optional<double> nanoseconds{};
    std::optional<double> ticks{};

    bool operator==(const DelegateTimeScale&) const = default;
};

/// Reads "[BACKEND=]UNIT": `ns`, `us`, `ms`, `s`, a clock such as `800MHz` or `1.2GHz`, a number of the
/// trace's ticks per tick of the delegate, or `cycles` (`ticks`) of an unknown clock. Errors:
/// InvalidArgument.
[[nodiscard]] core::Result<DelegateTimeScale> parseDelegateTimeScale(std::string_view text);
/// The text that parseDelegateTimeScale() reads back.
[[nodiscard]] std::string delegateTimeScaleText(const DelegateTimeScale& scale);
/// The same for several, separated by commas.
[[nodiscard]] core::Result<std::vector<DelegateTimeScale>> parseDelegateTimeScales(std::string_view text);
[[nodiscard]] std::string delegateTimeScalesText(const std::vector<DelegateTimeScale>& scales);

/// Units of the clock readings in a trace.
struct TraceClock {
    TimeScale unit = TimeScale::Nanoseconds;
    std::vector<DelegateTimeScale> delegates{};  ///< of delegates with a unit of their own

    /// Unit of times that are shown: cycles cannot be converted.
    [[nodiscard]] TimeScale target(TimeScale wanted) const {
        return unit == TimeScale::Cycles ? unit : wanted;
    }
};

}  // namespace et::inspector
