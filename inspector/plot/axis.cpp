#include "inspector/plot/axis.h"

#include <algorithm>
#include <cmath>

namespace et::inspector::plot {

double roundStep(double min) {
    const double power = std::pow(10.0, std::floor(std::log10(min)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= min) {
            return factor * power;
        }
    }
    return 10 * power;
}

double roundByteStep(double min) {
    constexpr double nextUnit = 1024;
    double unit = 1;
    while (min >= unit * nextUnit) {
        unit *= nextUnit;
    }
    constexpr double mostOfUnit = 500;  // 1000 KiB are no round number of MiB
    return unit * (min > unit * mostOfUnit ? nextUnit : roundStep(min / unit));
}

std::vector<double> multiples(double from, double to, double step) {
    std::vector<double> out;
    for (double number = std::ceil(from / step); number * step <= to; ++number) {
        out.push_back(number * step);
    }
    return out;
}

void LogAxis::include(double value, double room) {
    least = std::min(least, value / room);
    most = std::max(most, value * room);
}

double LogAxis::placeOf(double value) const {
    return std::log(value / least) / std::log(most / least);
}

double LogAxis::valueAt(double place) const {
    return least * std::pow(most / least, place);
}

std::vector<double> logTicks(double from, double to) {
    constexpr double fewTicks = 4;
    if (to <= from) {
        return {};
    }
    if (to < 10 * from) {
        return multiples(from, to, roundStep((to - from) / fewTicks));
    }
    std::vector<double> out;
    for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10) {
        for (const int factor : {1, 2, 5}) {
            const double value = decade * factor;
            if (value >= from && value <= to && (factor == 1 || to <= 1000 * from)) {
                out.push_back(value);
            }
        }
    }
    return out;
}

}  // namespace et::inspector::plot
