#include "runtime/core/process_memory.h"

#include <fstream>
#include <string>

namespace et::core {

bool resetPeakResident() {
    std::ofstream stream("/proc/self/clear_refs");
    stream << "5";  // proc(5): resets the peak to the current resident set
    stream.flush();
    return stream.good();
}

std::uint64_t peakResidentBytes() {
    std::ifstream status("/proc/self/status");
    std::string key;
    while (status >> key) {
        if (key == "VmHWM:") {
            std::uint64_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * 1024;
        }
    }
    return 0;
}

}  // namespace et::core
