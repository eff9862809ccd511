#pragma once

#include "inspector/trend/trend_groups.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::test {

/// Variation of one device's measurements, relative to their level.
struct FleetNoise {
    const char* name = "";
    double device = 0.01;     ///< per measurement, shared by all of its operators
    double operators = 0.01;  ///< per operator and measurement
    double outliers = 0;      ///< fraction of measurements that take up to 1.5 times as long
    double neighbour = 0;     ///< correlation of the device's noise with that of the previous measurement
};

/// Measurements of a history: each commit on each class of devices.
struct FleetShape {
    std::size_t devices = 6;
    std::size_t commits = 60;
    std::size_t operators = 40;
    std::size_t measurements = 1;  ///< per commit and class of devices
};

/// A slowdown of a model on one class of devices, caused entirely by one operator.
struct FleetStep {
    std::size_t device = 0;
    std::size_t commit = 0;  ///< first slow commit
    std::size_t operatorIndex = 0;
    double ofTotal = 0.03;
};

/// Builds a history like that of a team's CI.
inline inspector::MeasuredModel makeFleet(std::uint64_t seed, const FleetNoise& noise,
                                          const FleetShape& shape,
                                          const std::optional<FleetStep>& step = std::nullopt) {
    MadeUpSamples made(seed);
    inspector::MeasuredModel model{.name = "net", .operators = {}, .entries = {}};
    std::vector<double> levels;
    double whole = 0;
    for (std::size_t i = 0; i < shape.operators; ++i) {
        model.operators.push_back({.name = "operator" + std::to_string(i)});
        levels.push_back(millisecond * std::exp(2 * made.normal()) / 10);
        whole += levels.back();
    }
    std::vector<double> luck(shape.devices);
    for (std::size_t commit = 0; commit < shape.commits; ++commit) {
        for (std::size_t device = 0; device < shape.devices; ++device) {
            for (std::size_t repeat = 0; repeat < shape.measurements; ++repeat) {
                luck[device] = noise.neighbour * luck[device] +
                               std::sqrt(1 - noise.neighbour * noise.neighbour) * made.normal();
                double factor = std::exp(noise.device * luck[device]);
                factor *= made.uniform() < noise.outliers ? 1 + made.uniform() / 2 : 1;
                inspector::TrendEntry entry{.measured = "2026-01-01T" + std::to_string(10000 + commit),
                                            .commit = "c" + std::to_string(commit),
                                            .tags = {{"device", "d" + std::to_string(device)}},
                                            .method = "forward",
                                            .runs = 10};
                for (std::size_t i = 0; i < shape.operators; ++i) {
                    double level = levels[i] * (1 + 0.2 * static_cast<double>(device));
                    if (step && step->device == device && commit >= step->commit &&
                        step->operatorIndex == i) {
                        level += step->ofTotal * whole * (1 + 0.2 * static_cast<double>(device));
                    }
                    const double time = level * factor * std::exp(noise.operators * made.normal());
                    entry.operators.emplace_back(static_cast<std::uint32_t>(i), time);
                    entry.total += time;
                }
                model.entries.push_back(std::move(entry));
            }
        }
    }
    return model;
}

}  // namespace et::test
