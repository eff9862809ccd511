#include "app/wire/device_gauge.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace et::wire {
namespace {

namespace fs = std::filesystem;

class DeviceGaugeTest : public testing::Test {
  protected:
    DeviceGaugeTest() : root(fs::path(testing::TempDir()) / ("gauge-" + std::to_string(::getpid()))) {}
    ~DeviceGaugeTest() override { fs::remove_all(root); }

    void write(const char* path, std::string_view text) const {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }

    fs::path root;
};

TEST_F(DeviceGaugeTest, ReadsPhoneSensors) {
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1800000\n");
    write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000\n");
    write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    write("sys/class/thermal/thermal_zone0/temp", "41500\n");
    write("sys/class/thermal/thermal_zone1/temp", "62000\n");
    write("proc/meminfo", "MemTotal:        8000 kB\nMemAvailable:    2000 kB\n");
    write("proc/pressure/memory", "some avg10=1.25 avg60=0.00 avg300=0.00 total=1\n");
    const DeviceGauge gauge(root);
    const DeviceState state = gauge.read();
    EXPECT_GE(state.core, 0);
    EXPECT_EQ(state.kilohertz, (std::vector<std::uint32_t>{1'800'000, 2'400'000}));
    EXPECT_EQ(state.throttled, 7U);
    EXPECT_EQ(state.milliCelsius, 62'000);
    EXPECT_EQ(state.availableBytes, 2'048'000U);
    EXPECT_DOUBLE_EQ(state.memoryPressure, 1.25);
    EXPECT_EQ(gauge.describe().memoryBytes, 8'192'000U);
}

TEST_F(DeviceGaugeTest, OmitsReadingsTheSystemLacks) {
    write("sys/class/thermal/thermal_zone0/temp", "no number\n");
    const DeviceState state = DeviceGauge(root).read();
    EXPECT_TRUE(state.kilohertz.empty());
    EXPECT_EQ(state.milliCelsius, INT32_MIN);
    EXPECT_EQ(state.availableBytes, 0U);
    EXPECT_LT(state.memoryPressure, 0);
}

}  // namespace
}  // namespace et::wire
