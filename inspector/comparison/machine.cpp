#include "inspector/comparison/measurement.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <string_view>
#include <thread>

namespace et::inspector {
namespace {

/// The value of the first line "key<separator>value" of a system text file; empty if there is none.
std::string valueIn(const char* path, std::string_view key, char separator) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find(separator);
        if (!line.starts_with(key) || at == std::string::npos) {
            continue;
        }
        const std::size_t first = line.find_first_not_of(" \t\"", at + 1);
        const std::size_t last = line.find_last_not_of(" \t\"");
        return first == std::string::npos || last < first ? std::string()
                                                          : line.substr(first, last - first + 1);
    }
    return {};
}

/// Name of the processor. Linux has none for Arm processors: then the board, or the chip as reported by older
/// kernels.
std::string processorName() {
    std::string name = valueIn("/proc/cpuinfo", "model name", ':');
    if (name.empty()) {
        std::ifstream board("/proc/device-tree/model");
        std::getline(board, name, '\0');
    }
    return name.empty() ? valueIn("/proc/cpuinfo", "Hardware", ':') : name;
}

}  // namespace

Machine thisMachine() {
    Machine machine{.cpu = processorName(),
                    .cores = std::thread::hardware_concurrency(),
                    .system = valueIn("/etc/os-release", "PRETTY_NAME", '=')};
    if (utsname names{}; ::uname(&names) == 0) {
        machine.system += fmt::format("{}{} {}, {}", machine.system.empty() ? "" : ", ", names.sysname,
                                      names.release, names.machine);
    }
    return machine;
}

}  // namespace et::inspector
