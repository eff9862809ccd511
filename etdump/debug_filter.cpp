#include "etdump/debug_filter.h"

#include "runtime/core/event_names.h"

#include <algorithm>

namespace et::etdump {
namespace {

using core::event_name::kernelPrefix;

/// Backtracks to the last * only, so matching needs at most pattern length times text length steps.
bool globMatches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t taken = 0;  ///< end of the text matched by the last *
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

bool DebugFilter::matchesName(std::string_view event) const {
    const bool kernel = event.starts_with(kernelPrefix);
    const std::string_view op = kernel ? event.substr(kernelPrefix.size()) : event;
    const std::string_view base = kernel ? op.substr(0, op.find('.')) : op;
    return std::ranges::any_of(names, [&](const std::string& pattern) {
        return globMatches(pattern, event) || globMatches(pattern, op) || globMatches(pattern, base);
    });
}

bool DebugFilter::matchesInstruction(std::int32_t instruction) const {
    return std::ranges::any_of(instructions, [&](const Range& range) {
        return instruction >= range.first && instruction <= range.last;
    });
}

}  // namespace et::etdump
