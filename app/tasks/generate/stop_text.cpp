#include "app/tasks/generate/stop_text.h"

#include <algorithm>
#include <utility>

namespace et::tasks {

StopText::StopText(std::vector<std::string> texts) : stops(std::move(texts)) {
    std::erase_if(stops, [](const std::string& text) { return text.empty(); });
}

std::string StopText::push(std::string_view piece) {
    if (found) {
        return {};
    }
    held += piece;
    std::size_t cut = std::string::npos;
    for (const std::string& stop : stops) {
        cut = std::min(cut, held.find(stop));
    }
    if (cut != std::string::npos) {
        found = true;
        std::string shown = held.substr(0, cut);
        held.clear();
        return shown;
    }
    std::size_t kept = 0;
    for (const std::string& stop : stops) {
        for (std::size_t length = std::min(stop.size() - 1, held.size()); length > kept; --length) {
            if (held.ends_with(std::string_view(stop).substr(0, length))) {
                kept = length;
                break;
            }
        }
    }
    std::string shown = held.substr(0, held.size() - kept);
    held.erase(0, held.size() - kept);
    return shown;
}

std::string StopText::flush() {
    return std::exchange(held, {});
}

}  // namespace et::tasks
