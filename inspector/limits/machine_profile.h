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

// What a machine can do, as it was measured.
namespace et::inspector {

/// Numbers that are multiplied and added.
enum class Arithmetic : std::uint8_t { Fp32, Fp16, Int8 };

struct ArithmeticTraits {
    Arithmetic arithmetic;
    std::string_view name;  ///< stable: in JSON
};
inline constexpr ArithmeticTraits arithmetics[] = {
    {Arithmetic::Fp32, "fp32"}, {Arithmetic::Fp16, "fp16"}, {Arithmetic::Int8, "int8"}};
[[nodiscard]] std::string_view name(Arithmetic arithmetic);

/// Multiplications and additions with operands in registers. A multiplication that is added to a sum counts
/// as two operations.
struct PeakRate {
    Arithmetic arithmetic = Arithmetic::Fp32;
    std::string how{};  ///< the instructions: "AVX2 FMA"
    std::size_t threads = 1;
    double gigaops = 0;  ///< 10^9 operations per second of all threads together
    double spread = 0;   ///< how far the two best turns of the measurement are apart, relative
    double clock = 0;    ///< GHz of the core meanwhile; 0: not known

    bool operator==(const PeakRate&) const = default;
};

/// Bytes per second from and to one level of the caches, or memory, in 10^9 bytes, of all threads together.
struct BandwidthRate {
    std::string level{};         ///< "L1", "L2", "L3", "memory"
    std::uint64_t capacity = 0;  ///< bytes that `threads` threads have there; 0: memory
    std::size_t threads = 1;
    double read = 0;  ///< one array
    double copy = 0;  ///< one array to another; bytes read and bytes written count
    double add = 0;   ///< two arrays into a third; bytes read and bytes written count
    double spread = 0;
    double clock = 0;  ///< GHz, the highest of the three; 0: not known

    [[nodiscard]] double best() const;
    bool operator==(const BandwidthRate&) const = default;
};

struct MachineProfile {
    Machine machine{};
    std::string date{};  ///< of the measurement, "2026-11-25"
    std::vector<PeakRate> peaks{};
    std::vector<BandwidthRate> bandwidths{};  ///< by threads, then from the fastest level to memory
    double timerResolution = 0;               ///< nanoseconds: the least time that the clock can tell
    double timerCost = 0;                     ///< nanoseconds that one look at the clock takes
    /// How much longer than the shortest the same work takes in one of ten tries, relative.
    double noise = 0;

    /// Most operations (10^9 per second) that so many threads reach; 0: not measured. Threads between two
    /// measurements scale with their number, at most to what was measured with more of them.
    [[nodiscard]] double peak(Arithmetic arithmetic, std::size_t threads) const;
    /// What was measured with the largest number of threads that is not above `threads`, fastest level first.
    [[nodiscard]] std::vector<BandwidthRate> levels(std::size_t threads) const;
    [[nodiscard]] std::size_t mostThreads() const;
};

/// The document of docs/json.md, "JSON of machines".
[[nodiscard]] report::Dict profileInfo(const MachineProfile& profile);
[[nodiscard]] std::string profileJson(const MachineProfile& profile);
/// Reads it. Errors: Format (names the field), Unsupported (another schema).
[[nodiscard]] core::Result<MachineProfile> parseProfile(std::string_view json);
/// Errors: also those of MappedFile; all name the file. Limit (larger than such a file is).
[[nodiscard]] core::Result<MachineProfile> readProfile(const std::filesystem::path& path);

}  // namespace et::inspector
