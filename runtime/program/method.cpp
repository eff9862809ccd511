#include "runtime/program/method.h"

#include <numeric>

namespace et::program {

std::string Operator::fullName() const {
    std::string full(name);
    if (!overload.empty()) {
        full += '.';
        full += overload;
    }
    return full;
}

std::uint64_t Method::plannedBytes() const {
    return std::accumulate(arenas.begin(), arenas.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Arena& arena) { return sum + arena.bytes; });
}

}  // namespace et::program
