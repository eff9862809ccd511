#include "visualizers/toolkit/round_step.h"

#include <cmath>

namespace et::visualizers {

double roundStep(double min) {
    const double power = std::pow(10.0, std::floor(std::log10(min)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= min) {
            return factor * power;
        }
    }
    return 10 * power;
}

}  // namespace et::visualizers
