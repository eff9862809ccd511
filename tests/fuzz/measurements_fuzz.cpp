// Fuzzes JSON measured elsewhere: output of `bench`, and machine profiles.
#include "app/tasks/trend/bench_json.h"
#include "app/tasks/trend/runner_lines.h"
#include "inspector/roofline/machine_profile.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace {

using et::fuzz::require;

void readBench(std::span<const std::byte> bytes) {
    const auto measurements = et::tasks::readBenchJson(bytes);
    if (!measurements) {
        std::ignore = measurements.error().toString();
        return;
    }
    for (const et::inspector::Measurement& each : *measurements) {
        for (const et::inspector::MethodTimes& method : each.methods) {
            for (const double sample : method.total) {
                require(std::isfinite(sample) && sample >= 0);
            }
        }
    }
}

void readRunner(std::span<const std::byte> bytes) {
    const auto measured = et::tasks::readRunnerLines(bytes);
    if (!measured) {
        std::ignore = measured.error().toString();
        return;
    }
    require(measured->methods.empty() != et::tasks::hasRunnerLines(bytes));
    for (const et::inspector::MethodTimes& method : measured->methods) {
        for (const double sample : method.total) {
            require(std::isfinite(sample) && sample >= 0);
        }
    }
}

void readMachine(std::string_view text) {
    const auto profile = et::inspector::parseProfile(text);
    if (!profile) {
        std::ignore = profile.error().toString();
        return;
    }
    const std::string written = et::inspector::profileJson(*profile);
    const auto again = et::inspector::parseProfile(written);
    require(again && et::inspector::profileJson(*again) == written);
    for (const std::size_t threads : {std::size_t{1}, profile->mostThreads()}) {
        std::ignore = profile->levels(threads);
        require(std::isfinite(profile->peak(et::inspector::Arithmetic::Fp32, threads)));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    readBench(std::as_bytes(std::span(data, size)));
    readRunner(std::as_bytes(std::span(data, size)));
    readMachine(text);
    return 0;
}
