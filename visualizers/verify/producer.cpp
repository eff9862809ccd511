#include "visualizers/verify/producer.h"

#include <algorithm>
#include <variant>

namespace et::visualizers {

namespace {

bool writesFirst(const program::Instruction& instruction, program::ValueId value) {
    return std::visit(
        [value]<class T>(const T& call) {
            if constexpr (requires { call.args; }) {
                return std::ranges::contains(call.args, value);
            } else if constexpr (std::is_same_v<T, program::MoveCall>) {
                return call.to == value;
            } else {
                return false;
            }
        },
        instruction);
}

}  // namespace

std::optional<OperatorRef> producerOf(const program::Method& method, std::size_t output) {
    if (output >= method.outputs.size() || std::ranges::contains(method.inputs, method.outputs[output])) {
        return std::nullopt;
    }
    for (const program::Chain& chain : method.chains) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            if (writesFirst(chain.instructions[i], method.outputs[output])) {
                return OperatorRef{.method = std::string(method.name),
                                   .instruction = core::InstructionId(static_cast<std::int32_t>(i))};
            }
        }
    }
    return std::nullopt;
}

}  // namespace et::visualizers
