#include "inspector/roofline/machine_profile.h"

#include <algorithm>

namespace et::inspector {

std::string_view name(Arithmetic arithmetic) {
    return std::ranges::find(arithmetics, arithmetic, &ArithmeticInfo::arithmetic)->name;
}

double BandwidthRate::best() const {
    return std::max({read, copy, add});
}

double MachineProfile::peak(Arithmetic arithmetic, std::size_t threads) const {
    double scaled = 0;
    double most = 0;
    for (const PeakRate& rate : peaks) {
        if (rate.arithmetic != arithmetic) {
            continue;
        }
        most = std::max(most, rate.gigaops);
        if (rate.threads <= threads) {
            const double each = rate.gigaops / static_cast<double>(rate.threads);
            scaled = std::max(scaled, each * static_cast<double>(threads));
        }
    }
    return std::min(scaled, most);
}

std::vector<BandwidthRate> MachineProfile::levels(std::size_t threads) const {
    std::size_t measured = 0;
    for (const BandwidthRate& rate : bandwidths) {
        measured = rate.threads <= threads ? std::max(measured, rate.threads) : measured;
    }
    std::vector<BandwidthRate> of;
    for (const BandwidthRate& rate : bandwidths) {
        if (rate.threads == measured) {
            of.push_back(rate);
        }
    }
    return of;
}

std::size_t MachineProfile::mostThreads() const {
    std::size_t most = 1;
    for (const PeakRate& rate : peaks) {
        most = std::max(most, rate.threads);
    }
    return most;
}

}  // namespace et::inspector
