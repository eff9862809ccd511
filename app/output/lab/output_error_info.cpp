#include "app/output/lab/output_error_info.h"

#include "inspector/format/decibel_cell.h"

#include <fmt/format.h>

#include <cmath>

namespace et::output {

std::string decibelText(std::optional<double> decibels) {
    if (!decibels) {
        return "exact";
    }
    return std::isfinite(*decibels) ? fmt::format("{:.2f}", *decibels) : "not finite";
}

std::string decibelText(const std::optional<tasks::OutputError>& closeness) {
    return closeness ? decibelText(closeness->sqnrDecibels) : std::string();
}

std::string closenessText(std::string_view what, const tasks::OutputError& closeness) {
    std::string text = fmt::format("{}: ", what);
    if (closeness.isFinite()) {
        text += decibelText(closeness.sqnrDecibels) + (closeness.sqnrDecibels ? " dB" : "");
    } else {
        text += fmt::format("{} of {} elements are not finite, unlike the reference; SQNR undefined",
                            closeness.nonFinite, closeness.elements);
    }
    if (closeness.cosine) {
        text += fmt::format(", cosine {:.6f}", *closeness.cosine);
    }
    if (closeness.top1) {
        text += fmt::format(", top-1 {:.1f} %", 100 * *closeness.top1);
    }
    if (closeness.divergence) {
        text += fmt::format(", KL {:.2g}", *closeness.divergence);
    }
    return text + "\n";
}

Dict closenessInfo(const tasks::OutputError& closeness) {
    return {{"sqnr_db", inspector::format::decibelCell(closeness.sqnrDecibels)},
            {"non_finite", closeness.nonFinite},
            {"cosine", optionalCell(closeness.cosine)},
            {"top1_agreement", optionalCell(closeness.top1)},
            {"kl", optionalCell(closeness.divergence)}};
}

Dict siteMembers(const tasks::SiteReport& site) {
    return {{"site", site.name},
            {"op", site.kind},
            {"module", site.module},
            {"line", site.line},
            {"nodes", listOf(site.nodes)}};
}

Cell rangeInfo(backends::xnnpack::ValueRange range) {
    return std::vector<double>{static_cast<double>(range.low), static_cast<double>(range.high)};
}

}  // namespace et::output
