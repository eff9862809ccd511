#include "backends/spec_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::backends {

std::optional<std::string_view> labelOf(std::int64_t number, std::span<const SpecLabel> labels) {
    const auto found = std::ranges::find(labels, number, &SpecLabel::number);
    return found == labels.end() ? std::nullopt : std::optional(found->name);
}

std::string labelText(std::uint64_t number, std::span<const SpecLabel> labels) {
    const auto label = std::in_range<std::int64_t>(number)
                           ? labelOf(static_cast<std::int64_t>(number), labels)
                           : std::nullopt;
    return label ? std::string(*label) : fmt::to_string(number);
}

std::string flagText(std::uint8_t flag) {
    return flag > 1 ? fmt::to_string(flag) : fmt::to_string(flag == 1);
}

}  // namespace et::backends
