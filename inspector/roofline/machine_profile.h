#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Measured performance of a machine.
namespace et::inspector {

/// Number format of arithmetic.
enum class Arithmetic : std::uint8_t { Fp32, Fp16, Int8 };

struct ArithmeticInfo {
    Arithmetic arithmetic;
    std::string_view name;  ///< stable: used in JSON
};
inline constexpr ArithmeticInfo arithmetics[] = {
    {Arithmetic::Fp32, "fp32"}, {Arithmetic::Fp16, "fp16"}, {Arithmetic::Int8, "int8"}};
[[nodiscard]] std::string_view name(Arithmetic arithmetic);

/// Rate of multiplications and additions with operands in registers. A multiply-add counts as two operations.
struct PeakRate {
    Arithmetic arithmetic = Arithmetic::Fp32;
    std::string how{};  ///< instruction set used: "AVX2 FMA"
    std::size_t threads = 1;
    double gigaops = 0;  ///< 10^9 operations per second, all threads together
    double spread = 0;   ///< relative difference between the two best runs of the measurement
    double clock = 0;    ///< core clock in GHz during the measurement; 0: unknown

    bool operator==(const PeakRate&) const = default;
};

/// Transfer rates of one cache level or memory in 10^9 bytes per second, all threads together.
struct BandwidthRate {
    std::string level{};         ///< "L1", "L2", "L3", "memory"
    std::uint64_t capacity = 0;  ///< bytes available to `threads` threads at this level; 0: memory
    std::size_t threads = 1;
    double read = 0;  ///< one array
    double copy = 0;  ///< from one array to another; counts bytes read and written
    double add = 0;   ///< sum of two arrays into a third; counts bytes read and written
    double spread = 0;
    double clock = 0;  ///< GHz, the highest of the three; 0: unknown

    [[nodiscard]] double best() const;
    bool operator==(const BandwidthRate&) const = default;
};

struct MachineProfile {
    Machine machine{};
    std::string date{};  ///< of the measurement: "2026-11-25"
    std::vector<PeakRate> peaks{};
    std::vector<BandwidthRate> bandwidths{};  ///< ordered by threads, then from the fastest level to memory
    double timerResolution = 0;  ///< nanoseconds: the smallest difference that the clock resolves
    double timerCost = 0;        ///< nanoseconds per clock read
    /// How much longer than the minimum one in ten runs of the same work takes, relative.
    double noise = 0;

    /// Peak rate (10^9 operations per second) with this number of threads; 0: not measured. Between two
    /// measured thread counts the rate scales with the number of threads, up to the rate measured with more.
    [[nodiscard]] double peak(Arithmetic arithmetic, std::size_t threads) const;
    /// Rates measured with the largest number of threads not above `threads`, fastest level first.
    [[nodiscard]] std::vector<BandwidthRate> levels(std::size_t threads) const;
    [[nodiscard]] std::size_t mostThreads() const;
};

/// The document described in docs/reference/json_profiling.md, machine.
[[nodiscard]] format::Dict profileInfo(const MachineProfile& profile);
[[nodiscard]] std::string profileJson(const MachineProfile& profile);
/// Errors: Format (names the field), Unsupported (another schema).
[[nodiscard]] core::Result<MachineProfile> parseProfile(std::string_view json);
/// Errors: as parseProfile() and MappedFile; all name the file. Limit (file too large for a profile).
[[nodiscard]] core::Result<MachineProfile> readProfile(const std::filesystem::path& path);

}  // namespace et::inspector
