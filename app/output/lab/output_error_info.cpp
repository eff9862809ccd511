#include "app/output/lab/output_error_info.h"

#include <fmt/format.h>

namespace et::output {
std::string decibelText(const std::optional<tasks::OutputError>& closeness) {
    if (!closeness) {
        return {};
    }
    return closeness->sqnrDecibels ? fmt::format("{:.2f}", *closeness->sqnrDecibels) : "exact";
}

std::string closenessText(std::string_view what, const tasks::OutputError& closeness) {
    std::string text = fmt::format("{}: {}", what, decibelText(closeness));
    text += closeness.sqnrDecibels ? " dB" : "";
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
    return {{"sqnr_db", optionalCell(closeness.sqnrDecibels)},
            {"cosine", optionalCell(closeness.cosine)},
            {"top1_agreement", optionalCell(closeness.top1)},
            {"kl", optionalCell(closeness.divergence)}};
}

Cell rangeInfo(backends::xnnpack::ValueRange range) {
    return std::vector<double>{static_cast<double>(range.low), static_cast<double>(range.high)};
}

}  // namespace et::output
