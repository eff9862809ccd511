#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::etdump {

/// Which instructions a debug log is about. Empty: all of them.
struct DebugFilter {
    /// Instructions from `first` to `last`, both included.
    struct Range {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };

    /// Patterns where * stands for any text and ? for any character. They are compared with the name of the
    /// event, and for a kernel with its operator ("convolution.out") and that without overload
    /// ("convolution"); for a step of a delegate with its id.
    std::vector<std::string> names;
    std::vector<Range> instructions;

    [[nodiscard]] bool empty() const { return names.empty() && instructions.empty(); }
    [[nodiscard]] bool matchesName(std::string_view event) const;
    [[nodiscard]] bool matchesInstruction(std::int32_t instruction) const;
};

}  // namespace et::etdump
