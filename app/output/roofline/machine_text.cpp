#include "app/output/roofline/machine_text.h"

#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::output {
namespace {

std::string threadsText(std::size_t threads) {
    return threads == 1 ? std::string("1 thread") : fmt::format("{} threads", threads);
}

std::string clockText(double clock) {
    return clock > 0 ? fmt::format("{:.2f}", clock) : std::string("-");
}

}  // namespace

std::string machineText(const inspector::MachineProfile& profile) {
    using inspector::format::readableBytes;
    std::string text = fmt::format("{}, {} cores\n{}\nmeasured {}\n\n", core::printable(profile.machine.cpu),
                                   profile.machine.cores, core::printable(profile.machine.system),
                                   core::printable(profile.date));
    text += fmt::format("{:<10}  {:<28}  {:<10}  {:>10}  {:>7}  {:>5}\n", "ARITHMETIC", "INSTRUCTIONS",
                        "THREADS", "GFLOP/s", "SPREAD", "GHz");
    for (const inspector::PeakRate& rate : profile.peaks) {
        text += fmt::format("{:<10}  {:<28}  {:<10}  {:>10.1f}  {:>5.1f} %  {:>5}\n", name(rate.arithmetic),
                            core::printable(rate.how), threadsText(rate.threads), rate.gigaops,
                            100 * rate.spread, clockText(rate.clock));
    }
    const bool hasHalf = std::ranges::any_of(profile.peaks, [](const inspector::PeakRate& rate) {
        return rate.arithmetic == inspector::Arithmetic::Fp16;
    });
    if (!hasHalf) {
        text += "fp16        not measured: no fp16 vector arithmetic; computed as fp32\n";
    }
    text += fmt::format("\n{:<8}  {:>10}  {:<10}  {:>11}  {:>11}  {:>11}  {:>7}  {:>5}\n", "LEVEL",
                        "CAPACITY", "THREADS", "READ GB/s", "COPY GB/s", "ADD GB/s", "SPREAD", "GHz");
    for (const inspector::BandwidthRate& rate : profile.bandwidths) {
        text += fmt::format("{:<8}  {:>10}  {:<10}  {:>11.1f}  {:>11.1f}  {:>11.1f}  {:>5.1f} %  {:>5}\n",
                            core::printable(rate.level),
                            rate.capacity == 0 ? std::string("-") : readableBytes(rate.capacity),
                            threadsText(rate.threads), rate.read, rate.copy, rate.add, 100 * rate.spread,
                            clockText(rate.clock));
    }
    return text + fmt::format(
                      "\nclock: resolution {:.0f} ns, {:.1f} ns per reading\nnoise: one in ten repetitions "
                      "of the same work takes at least {:.1f} % longer\n",
                      profile.timerResolution, profile.timerCost, 100 * profile.noise);
}

}  // namespace et::output
