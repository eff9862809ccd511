#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace et::fuzz {

/// The lines of an input, without their ends.
inline std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace et::fuzz
