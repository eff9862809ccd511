#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Measurement of one model: one side of a comparison, and the content of a baseline.
namespace et::inspector {

enum class OperatorKind : std::uint8_t {
    Kernel,             ///< an undelegated operator of the method
    DelegateCall,       ///< a delegate call, including its content
    DelegatedOperator,  ///< inside a delegate call, whose time includes it
    Step,               ///< any other event within Method::execute
};

struct OperatorKindInfo {
    OperatorKind kind;
    std::string_view name;  ///< stable: used in JSON and in stores
};
inline constexpr OperatorKindInfo operatorKinds[] = {
    {OperatorKind::Kernel, "kernel"},
    {OperatorKind::DelegateCall, "delegate_call"},
    {OperatorKind::DelegatedOperator, "delegated_operator"},
    {OperatorKind::Step, "step"},
};
[[nodiscard]] std::string_view name(OperatorKind kind);

/// An operator with its time in each run.
struct OperatorTimes {
    std::string name{};  ///< "add.out", "Convolution (NHWC, F32) IGEMM #1", "VulkanBackend"
    OperatorKind kind = OperatorKind::Kernel;
    std::string backend{};  ///< of a delegate; empty: none or unknown
    std::int64_t chain = -1;
    core::InstructionId instruction{-1};
    std::vector<core::DebugHandle> handles{};  ///< empty without a record
    std::vector<std::string> nodes{};          ///< Edge operators of the handles: "aten.addmm.default"
    std::string module{};                      ///< common module of these; empty: the root, or no record
    std::vector<double> samples{};             ///< nanoseconds (or ticks), one per run in order
    /// Number of samples per launch, in order; empty if there is a single launch.
    std::vector<std::size_t> launches{};

    bool operator==(const OperatorTimes&) const = default;
};

/// Measurements of one method.
struct MethodTimes {
    /// "forward", or "forward, prefill" for a phase; instead of the method the name of the trace's block if
    /// it is unknown.
    std::string method{};
    std::vector<double> total{};             ///< nanoseconds (or ticks), one per run in order
    std::vector<std::size_t> launches{};     ///< like OperatorTimes::launches, for `total`
    bool totalMeasured = true;               ///< by Method::execute; else the sum of `operators`
    std::vector<OperatorTimes> operators{};  ///< in order of first execution

    bool operator==(const MethodTimes&) const = default;
};

/// Summary of a program's output on the inputs of the run.
struct OutputSummary {
    std::string method{};
    std::size_t index = 0;
    std::string type{};               ///< "float32 [1, 10]", "Int"
    std::string checksum{};           ///< of type and bytes, SHA-256 in hex
    std::uint64_t elements = 0;       ///< 0: not a tensor
    std::uint64_t nonFinite = 0;      ///< number of NaN and infinities
    std::optional<double> minimum{};  ///< of the finite elements; empty: there are none, or they are not real
    std::optional<double> maximum{};
    std::optional<double> mean{};

    bool operator==(const OutputSummary&) const = default;
};

/// Machine of the measurement.
struct Machine {
    std::string cpu{};        ///< "Intel(R) Xeon(R) ..."; empty: unknown
    std::uint64_t cores = 0;  ///< logical; 0: unknown
    std::string system{};     ///< "Debian GNU/Linux 13 (trixie), Linux 6.1, x86_64"

    bool operator==(const Machine&) const = default;
};
/// The machine of this process. Fields that the system does not report stay empty.
[[nodiscard]] Machine thisMachine();

/// Other load on the machine during the measurement.
struct OtherLoad {
    double waiting = 0;  ///< share of the measured time in which threads were ready but had no processor
    double stolen = 0;   ///< share of all processors' time that the host gave to other guests
    std::uint64_t involuntarySwitches = 0;    ///< preemptions by other processes
    std::optional<double> frequencyChange{};  ///< (highest - lowest) / lowest; empty: unknown

    /// True if it exceeds the usual background load.
    [[nodiscard]] bool isMuch() const;
    bool operator==(const OtherLoad&) const = default;
};
/// "threads waited 12 % of the time for a processor, 3 % of the processors' time was stolen".
[[nodiscard]] std::string text(const OtherLoad& load);

/// Settings of the measurement.
struct RunSettings {
    std::string method{};
    std::uint64_t threads = 0;     ///< 0: unknown
    std::uint64_t warmup = 0;      ///< executions before the counted ones
    std::uint64_t iterations = 0;  ///< counted executions
    bool warmupDetected = false;   ///< run times were steady after the warm-up
    std::string inputs{};          ///< "random", "case", "files"; empty: unknown
    std::uint64_t seed = 0;        ///< of random inputs
    std::uint64_t loadNanoseconds = 0;
    std::uint64_t peakBytes = 0;  ///< peak memory of the process; 0: unknown

    bool operator==(const RunSettings&) const = default;
};

/// Identity of the program; empty texts and zeros if only a trace is available.
struct ProgramIdentity {
    std::string sha256{};  ///< of the program, even inside a bundled program
    std::uint64_t bytes = 0;
    std::uint64_t plannedBytes = 0;  ///< of the method
    std::uint64_t delegates = 0;     ///< delegate calls in the method
    std::uint64_t instructions = 0;  ///< of the method

    bool operator==(const ProgramIdentity&) const = default;
};

enum class MeasurementSource : std::uint8_t { Trace, Program, Baseline };
struct MeasurementSourceInfo {
    MeasurementSource source;
    std::string_view name;
};
inline constexpr MeasurementSourceInfo measurementSources[] = {
    {MeasurementSource::Trace, "trace"},
    {MeasurementSource::Program, "program"},
    {MeasurementSource::Baseline, "baseline"},
};
[[nodiscard]] std::string_view name(MeasurementSource source);

/// One side of a comparison. A self-contained value that borrows nothing.
struct Measurement {
    std::string name{};  ///< path, or name of the baseline
    MeasurementSource source = MeasurementSource::Trace;
    bool cycles = false;  ///< times are ticks of a clock with unknown rate
    std::vector<MethodTimes> methods{};
    std::vector<OutputSummary> outputs{};
    std::optional<Machine> machine{};       ///< empty: not recorded in a trace
    std::optional<RunSettings> settings{};  ///< empty: not recorded in a trace
    std::optional<ProgramIdentity> program{};
    std::optional<OtherLoad> otherLoad{};  ///< empty: not monitored
    std::vector<std::string> warnings{};   ///< caveats about the numbers

    bool operator==(const Measurement&) const = default;
};

/// Measurement from a trace (joined with a record or not): blocks that ran a method, excluding loading. With
/// JoinOptions::byPhase, the phases of a method are measured like methods. Times are converted to nanoseconds
/// from the blocks' target unit. The first `leaveOut` executions are skipped.
[[nodiscard]] Measurement makeMeasurement(const EventBlocks& blocks, std::string name,
                                          std::size_t leaveOut = 0);

/// Combines several launches of one program into one measurement: samples of all launches, everything else
/// from the first. Operators correspond by name, kind and position, and by order among equal ones. `launches`
/// must not be empty.
[[nodiscard]] Measurement joinLaunches(std::span<const Measurement> launches);

}  // namespace et::inspector
