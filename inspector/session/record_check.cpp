#include "inspector/session/record_check.h"

#include <fmt/format.h>

#include <variant>

namespace et::inspector {
namespace {

bool callsBackend(const program::Method& method, core::InstructionId at, std::string_view backend) {
    for (const program::Chain& chain : method.chains) {
        if (at.value < 0 || static_cast<std::size_t>(at.value) >= chain.instructions.size()) {
            continue;
        }
        const auto* call =
            std::get_if<program::DelegateCall>(&chain.instructions[static_cast<std::size_t>(at.value)]);
        if (call != nullptr && method.delegate(call->delegate).backend == backend) {
            return true;
        }
    }
    return false;
}

std::optional<std::string> difference(const etrecord::MethodMaps& maps, const program::Method& method) {
    const std::size_t count = method.chains.empty() ? 0 : method.chains.front().instructions.size();
    for (const auto& [instruction, entry] : maps.debugHandles) {
        if (instruction.value >= 0 && static_cast<std::size_t>(instruction.value) >= count) {
            return fmt::format("it maps instruction {}, of {} that the program has", instruction.value,
                               count);
        }
    }
    for (const auto& [instruction, entry] : maps.delegates) {
        if (!callsBackend(method, instruction, entry.backend)) {
            return fmt::format("it has a delegate of {} at instruction {}, the program does not",
                               core::printable(entry.backend), instruction.value);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction(const etrecord::Record& record, const program::Method& method) {
    const etrecord::MethodMaps* maps = record.maps(method.name);
    const auto found = maps == nullptr ? std::nullopt : difference(*maps, method);
    return found.transform([&](const std::string& what) {
        return fmt::format("the record is of another program or method than \"{}\": {}",
                           core::printable(method.name), what);
    });
}

}  // namespace et::inspector
