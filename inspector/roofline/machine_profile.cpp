#include "inspector/roofline/machine_profile.h"

#include "inspector/format/json_text.h"

#include <algorithm>

namespace et::inspector {
namespace {

format::Cell clockCell(double clock) {
    return clock > 0 ? format::Cell(clock) : format::Cell();
}

}  // namespace

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

format::Dict profileInfo(const MachineProfile& profile) {
    format::List peaks;
    for (const PeakRate& rate : profile.peaks) {
        peaks.emplace_back(format::Dict{{"dtype", std::string(name(rate.arithmetic))},
                                        {"how", rate.how},
                                        {"threads", std::uint64_t{rate.threads}},
                                        {"gflops", rate.gigaops},
                                        {"spread", rate.spread},
                                        {"clock_ghz", clockCell(rate.clock)}});
    }
    format::List bandwidths;
    for (const BandwidthRate& rate : profile.bandwidths) {
        bandwidths.emplace_back(format::Dict{{"level", rate.level},
                                             {"capacity", rate.capacity},
                                             {"threads", std::uint64_t{rate.threads}},
                                             {"read_gb_per_s", rate.read},
                                             {"copy_gb_per_s", rate.copy},
                                             {"add_gb_per_s", rate.add},
                                             {"spread", rate.spread},
                                             {"clock_ghz", clockCell(rate.clock)}});
    }
    return {{"schema", std::int64_t{1}},
            {"cpu", profile.machine.cpu},
            {"cores", std::uint64_t{profile.machine.cores}},
            {"system", profile.machine.system},
            {"date", profile.date},
            {"peaks", std::move(peaks)},
            {"bandwidths", std::move(bandwidths)},
            {"timer_resolution_ns", profile.timerResolution},
            {"timer_cost_ns", profile.timerCost},
            {"noise", profile.noise}};
}

std::string profileJson(const MachineProfile& profile) {
    std::string text;
    format::appendJson(text, profileInfo(profile));
    return text + "\n";
}

}  // namespace et::inspector
