#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Faults planted into programs for the debugger.
namespace et::test {

/// A program with a fault, and the commands of the debugger that find it.
struct PlantedFault {
    std::vector<std::byte> correct;  ///< the program without the fault
    std::vector<std::byte> faulty;
    std::vector<std::byte> record{};  ///< ETRecord of the correct program; may be empty
    std::string script;               ///< a command on each line
    std::string reason{"watchpoint"};
    std::int64_t instruction = 0;  ///< where the last command stops
    std::string arguments{};       ///< further arguments of et-inspect debug
};

struct DebugFault {
    const char* name;
    PlantedFault (*plant)();
};

/// Faults in programs of app/samples, and in small programs of our own.
[[nodiscard]] std::vector<DebugFault> debugFaults();

}  // namespace et::test
