#include "app/output/wrapped_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::output {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string lines;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        if (used > 0 && used + 1 + word.size() > width) {
            lines += fmt::format("\n{:{}}", "", indent);
            used = 0;
        }
        lines += used > 0 ? " " : "";
        used += (used > 0 ? 1 : 0) + word.size();
        lines += word;
        const bool breaks = end < text.size() && text[end] == '\n';
        if (breaks) {
            lines += fmt::format("\n{:{}}", "", indent);
            used = 0;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace et::output
