#include "inspector/explain/literal_search.h"

namespace et::inspector {

LiteralSearch::LiteralSearch(std::span<const std::string_view> literals) {
    std::uint32_t count = 1;
    for (const std::string_view literal : literals) {
        for (const char c : literal) {
            std::uint8_t& of = classes[static_cast<unsigned char>(c)];
            of = of == 0 ? static_cast<std::uint8_t>(count++) : of;
        }
    }
    width = count;
    next.assign(width, none);
    firstEnd.assign(1, none);
    for (std::uint32_t i = 0; i < literals.size(); ++i) {
        std::uint32_t state = 0;
        for (const char c : literals[i]) {
            const std::size_t slot = state * std::size_t{width} + classes[static_cast<unsigned char>(c)];
            if (next[slot] == none) {
                next[slot] = static_cast<std::uint32_t>(firstEnd.size());
                firstEnd.push_back(none);
                next.resize(next.size() + width, none);
            }
            state = next[slot];
        }
        ends.push_back({.literal = i, .next = firstEnd[state]});
        firstEnd[state] = static_cast<std::uint32_t>(ends.size() - 1);
    }
    // Breadth first: a state falls back to the longest proper suffix that is also a state.
    std::vector<std::uint32_t> fallback(firstEnd.size(), 0);
    std::vector<std::uint32_t> order{0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t state = order[i];
        for (std::uint32_t c = 0; c < width; ++c) {
            std::uint32_t& to = next[state * std::size_t{width} + c];
            const std::uint32_t other = state == 0 ? 0 : next[fallback[state] * std::size_t{width} + c];
            if (to == none) {
                to = other;
                continue;
            }
            fallback[to] = other;
            std::uint32_t* last = &firstEnd[to];
            while (*last != none) {
                last = &ends[*last].next;
            }
            *last = firstEnd[other];
            order.push_back(to);
        }
    }
    for (std::uint32_t& to : next) {
        const bool isEnd = firstEnd[to] != none;
        to = to * width | (isEnd ? endMark : 0);
    }
}

}  // namespace et::inspector
