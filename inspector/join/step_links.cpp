#include "inspector/join/step_links.h"

#include "runtime/program/instruction_access.h"

#include <vector>

namespace et::inspector {

StepLinks stepLinks(const program::Method& method) {
    StepLinks links;
    if (method.chains.empty()) {
        return links;
    }
    constexpr std::int32_t none = -1;
    std::vector<std::int32_t> writer(method.values.size(), none);
    program::AccessReader reader(method);
    std::int32_t step = 0;
    for (const program::Instruction& instruction : method.chains.front().instructions) {
        const auto access = reader.next(instruction);
        if (!access) {
            return links;
        }
        for (const program::ValueId id : access->reads) {
            if (writer[id.value] != none && writer[id.value] != step) {
                links.emplace(writer[id.value], step);
            }
        }
        for (const program::ValueId id : access->writes) {
            writer[id.value] = step;
        }
        ++step;
    }
    return links;
}

}  // namespace et::inspector
