#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::etdump {

/// Instructions to include in a debug log. Empty: all of them.
struct DebugFilter {
    /// Instructions from `first` to `last`, inclusive.
    struct Range {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };

    /// Patterns in which * matches any text and ? any character. They are matched against the name of the
    /// event; for a kernel, its operator with and without overload ("convolution.out", "convolution"); for a
    /// step of a delegate, its id.
    std::vector<std::string> names;
    std::vector<Range> instructions;

    [[nodiscard]] bool empty() const { return names.empty() && instructions.empty(); }
    [[nodiscard]] bool matchesName(std::string_view event) const;
    [[nodiscard]] bool matchesInstruction(std::int32_t instruction) const;
};

}  // namespace et::etdump
