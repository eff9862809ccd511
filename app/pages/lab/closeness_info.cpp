#include "app/pages/lab/closeness_info.h"

#include <fmt/format.h>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::Dict;

Cell numberOrNothing(const std::optional<double>& number) {
    return number ? Cell(*number) : Cell();
}

}  // namespace

std::string decibelText(const std::optional<Closeness>& closeness) {
    if (!closeness) {
        return {};
    }
    return closeness->sqnrDecibels ? fmt::format("{:.2f}", *closeness->sqnrDecibels) : "exact";
}

std::string closenessText(std::string_view what, const Closeness& closeness) {
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

Dict closenessInfo(const Closeness& closeness) {
    return {{"sqnr_db", numberOrNothing(closeness.sqnrDecibels)},
            {"cosine", numberOrNothing(closeness.cosine)},
            {"top1_agreement", numberOrNothing(closeness.top1)},
            {"kl", numberOrNothing(closeness.divergence)}};
}

}  // namespace et::app
