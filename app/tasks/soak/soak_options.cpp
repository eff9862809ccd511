#include "app/tasks/base/option_list.h"
#include "app/tasks/soak/soak_run.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace et::tasks {
namespace {

/// Parses "90s", "5m", "1h"; seconds without a unit.
core::Result<std::optional<double>> parseDuration(std::string_view text) {
    constexpr double minute = 60;
    constexpr double hour = 3600;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit(end, text.data() + text.size());
    const bool isKnown = unit.empty() || unit == "s" || unit == "m" || unit == "h";
    if (error != std::errc() || !isKnown || !std::isfinite(value) || value <= 0) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("expected a time such as 90s, 5m or 1h, got \"{}\"", core::printable(text)));
    }
    return value * (unit == "m" ? minute : unit == "h" ? hour : 1);
}

std::string durationText(const std::optional<double>& seconds) {
    return seconds ? fmt::format("{}s", *seconds) : std::string();
}

}  // namespace

void addSoakOptions(OptionList& options, SoakSettings& settings) {
    options
        .file("MODEL", settings.model,
              "Program (.pte) or bundled program (.bpte); with --debug-buffer, a trace (.etdp)")
        .mustBeGiven();
    addModelOptions(options, settings.options);
    addSandbox(options, settings.options);
    addTarget(options, settings.options);
    options.group("Executions");
    options.integer("--runs", settings.runs, "Number of rounds, of one to three executions (default: 500)",
                    1);
    options
        .custom("--time TIME", settings.seconds, &parseDuration, &durationText,
                "Repeat for this time instead: 90s, 5m, 1h")
        .notWith("--runs");
    options
        .integer("--soak-threads", settings.threads,
                 "Number of threads in multithreaded executions (default: 4)", 1)
        .atMost(64);
}

}  // namespace et::tasks
