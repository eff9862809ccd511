#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Finds all occurrences of many literals in one pass (Aho-Corasick, as a table of transitions).
class LiteralSearch {
  public:
    explicit LiteralSearch(std::span<const std::string_view> literals);

    /// Calls `found(end, index)` for each occurrence, by its end. Occurrences do not continue from one call
    /// to the next.
    template <class Found>
    void scan(std::string_view text, Found&& found) const {
        std::uint32_t state = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            state = next[state + classes[static_cast<unsigned char>(text[i])]];
            if ((state & endMark) != 0) {
                state &= ~endMark;
                for (std::uint32_t at = firstEnd[state / width]; at != none; at = ends[at].next) {
                    found(i + 1, ends[at].literal);
                }
            }
        }
    }

  private:
    static constexpr std::uint32_t endMark = std::uint32_t{1} << 31U;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct End {
        std::uint32_t literal;
        std::uint32_t next;
    };

    std::array<std::uint8_t, 256> classes{};  ///< bytes that no literal contains are class 0
    std::uint32_t width = 0;                  ///< number of classes
    std::vector<std::uint32_t>
        next;  ///< row of the next state, by row and class; endMark: a literal ends there
    std::vector<std::uint32_t> firstEnd;  ///< by state: index in `ends`, or none
    std::vector<End> ends;
};

}  // namespace et::inspector
