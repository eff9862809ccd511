#include "app/tasks/machine/noise.h"

#include <algorithm>

namespace et::tasks {

void NoiseMeter::takeTries() {
    constexpr double tryTime = 5e-4;
    constexpr std::size_t tries = 20;
    if (passes == 0) {
        passes = 1;
        for (double took = 0; took < tryTime; passes *= 2) {
            const double start = steadySeconds();
            work(0, passes);
            took = steadySeconds() - start;
        }
        passes /= 2;
    }
    for (std::size_t i = 0; i < tries; ++i) {
        const double start = steadySeconds();
        work(0, passes);
        seconds.push_back(steadySeconds() - start);
    }
}

double NoiseMeter::noise() const {
    if (seconds.empty()) {
        return 0;
    }
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    return sorted[sorted.size() - 1 - sorted.size() / 10] / sorted.front() - 1;
}

}  // namespace et::tasks
