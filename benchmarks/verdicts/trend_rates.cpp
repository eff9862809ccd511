// Error rates of `et-inspect trend`: false alarms on fleets of devices without changes, and detection of a
// device class that became 3 % slower; the rates of docs/explanation/trend.md. Usage: trend_rates [HISTORIES]
#include "tests/support/fleet_rates.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    const std::size_t histories = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
    const et::test::FleetShape shape;
    fmt::print("{} fleets of {} classes of devices, {} commits, {} operators\n", histories, shape.devices,
               shape.commits, shape.operators);
    fmt::print("{:12} {:>6} {:>6} {:>6} {:>6} {:>6} {:>10}\n", "noise", "alarms", "found", "named", "exact",
               "others", "a trend");
    for (const et::test::FleetNoise& noise : et::test::fleetNoises) {
        const auto start = std::chrono::steady_clock::now();
        const et::test::FleetRates rates = et::test::ratesOf(noise, histories, shape);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        fmt::print("{:12} {:6} {:6} {:6} {:6} {:6} {:7.0f} ms\n", noise.name, rates.alarms, rates.found,
                   rates.named, rates.exact, rates.others, took.count() / static_cast<double>(2 * histories));
        std::fflush(stdout);
    }
    return 0;
}
