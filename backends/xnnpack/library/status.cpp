#include "backends/xnnpack/library/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {
namespace {

struct StatusText {
    xnn_status status;
    std::string_view text;
};
constexpr std::array statusTexts = std::to_array<StatusText>({
    {xnn_status_uninitialized, "it is not initialised"},
    {xnn_status_invalid_parameter, "an argument is invalid"},
    {xnn_status_invalid_state, "it is in the wrong state"},
    {xnn_status_unsupported_parameter, "it does not support an argument"},
    {xnn_status_unsupported_hardware, "it does not support this on this CPU"},
    {xnn_status_out_of_memory, "it ran out of memory"},
});

}  // namespace

core::Result<> checkStatus(xnn_status status, std::string_view what, std::string_view rule) {
    if (status == xnn_status_success) {
        return {};
    }
    const auto found = std::ranges::find(statusTexts, status, &StatusText::status);
    return core::fail(
        status == xnn_status_out_of_memory ? core::ErrorCode::Limit : core::ErrorCode::Unsupported,
        fmt::format("XNNPACK rejected {}: {}{}{}", what,
                    found == statusTexts.end() ? "unknown reason" : found->text, rule.empty() ? "" : ": ",
                    rule));
}

}  // namespace et::backends::xnnpack
