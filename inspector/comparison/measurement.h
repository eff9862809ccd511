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

// What was measured of one model: one side of a comparison, and what a baseline keeps.
namespace et::inspector {

enum class OperatorKind : std::uint8_t {
    Kernel,             ///< an operator of the method's own
    DelegateCall,       ///< a call of a delegate with all that is inside
    DelegatedOperator,  ///< inside of a call of a delegate, whose time has its time
    Step,               ///< anything else that lies within Method::execute
};

struct OperatorKindTraits {
    OperatorKind kind;
    std::string_view name;  ///< stable: in JSON and in stores
};
inline constexpr OperatorKindTraits operatorKinds[] = {
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
    std::string module{};                      ///< that all of these are in; empty: the root, or no record
    std::vector<double> samples{};             ///< nanoseconds (or ticks), one a run in order
    /// How many of the samples each launch gave, in order; empty: one launch gave all.
    std::vector<std::size_t> launches{};

    bool operator==(const OperatorTimes&) const = default;
};

/// All that one method was measured with.
struct MethodTimes {
    std::string method{};         ///< "forward"; the name of the trace's block where the method is unknown
    std::vector<double> total{};  ///< nanoseconds (or ticks), one a run in order
    std::vector<std::size_t> launches{};     ///< as OperatorTimes::launches, of `total`
    bool totalMeasured = true;               ///< by Method::execute; else the sum of what is in `operators`
    std::vector<OperatorTimes> operators{};  ///< in the order in which they first ran

    bool operator==(const MethodTimes&) const = default;
};

/// An output of a program on the inputs of the run.
struct OutputSummary {
    std::string method{};
    std::size_t index = 0;
    std::string type{};               ///< "float32 [1, 10]", "Int"
    std::string checksum{};           ///< of type and bytes, SHA-256 in hex
    std::uint64_t elements = 0;       ///< 0: no tensor
    std::uint64_t nonFinite = 0;      ///< NaN and infinities among them
    std::optional<double> minimum{};  ///< of the finite elements; nothing: none, or not real
    std::optional<double> maximum{};
    std::optional<double> mean{};

    bool operator==(const OutputSummary&) const = default;
};

/// Where it was measured.
struct Machine {
    std::string cpu{};        ///< "Intel(R) Xeon(R) ..."; empty: unknown
    std::uint64_t cores = 0;  ///< logical; 0: unknown
    std::string system{};     ///< "Debian GNU/Linux 13 (trixie), Linux 6.1, x86_64"

    bool operator==(const Machine&) const = default;
};
/// Of this process. Parts that the system does not tell stay empty.
[[nodiscard]] Machine thisMachine();

/// What else the machine did meanwhile.
struct OtherLoad {
    double waiting = 0;  ///< share of the measured time that threads were ready and had no processor
    double stolen = 0;   ///< share of all processors' time that the host gave to other guests
    std::uint64_t involuntarySwitches = 0;    ///< that others took the processor away
    std::optional<double> frequencyChange{};  ///< (highest - lowest) / lowest; nothing: not told

    /// More than what always happens.
    [[nodiscard]] bool isMuch() const;
    bool operator==(const OtherLoad&) const = default;
};
/// "threads waited 12 % of the time for a processor, 3 % of the processors' time was stolen".
[[nodiscard]] std::string text(const OtherLoad& load);

/// How it was measured.
struct RunSettings {
    std::string method{};
    std::uint64_t threads = 0;     ///< 0: unknown
    std::uint64_t warmup = 0;      ///< executions before those that count
    std::uint64_t iterations = 0;  ///< executions that count
    bool warmupDetected = false;   ///< the run times were steady behind the warm-up
    std::string inputs{};          ///< "random", "case", "files"; empty: unknown
    std::uint64_t seed = 0;        ///< of random inputs
    std::uint64_t loadNanoseconds = 0;
    std::uint64_t peakBytes = 0;  ///< most memory that the process had; 0: unknown

    bool operator==(const RunSettings&) const = default;
};

/// Which program it was; empty texts and zeros where only a trace is known.
struct ProgramIdentity {
    std::string sha256{};  ///< of the program, also of one in a bundled program
    std::uint64_t bytes = 0;
    std::uint64_t plannedBytes = 0;  ///< of the method
    std::uint64_t delegates = 0;     ///< calls of delegates in the method
    std::uint64_t instructions = 0;  ///< of the method

    bool operator==(const ProgramIdentity&) const = default;
};

enum class MeasurementSource : std::uint8_t { Trace, Program, Baseline };
struct MeasurementSourceTraits {
    MeasurementSource source;
    std::string_view name;
};
inline constexpr MeasurementSourceTraits measurementSources[] = {
    {MeasurementSource::Trace, "trace"},
    {MeasurementSource::Program, "program"},
    {MeasurementSource::Baseline, "baseline"},
};
[[nodiscard]] std::string_view name(MeasurementSource source);

/// One side of a comparison. A value of its own: it borrows nothing.
struct Measurement {
    std::string name{};  ///< path, or name of the baseline
    MeasurementSource source = MeasurementSource::Trace;
    bool cycles = false;  ///< times are ticks of a clock without a known rate
    std::vector<MethodTimes> methods{};
    std::vector<OutputSummary> outputs{};
    std::optional<Machine> machine{};       ///< nothing: a trace does not say
    std::optional<RunSettings> settings{};  ///< nothing: a trace does not say
    std::optional<ProgramIdentity> program{};
    std::optional<OtherLoad> otherLoad{};  ///< nothing: it was not watched
    std::vector<std::string> warnings{};   ///< what to know before trusting the numbers

    bool operator==(const Measurement&) const = default;
};

/// What a trace (joined with a record or not) measured: blocks that ran a method, without loading. Times are
/// converted to nanoseconds from the blocks' target unit. The first `leaveOut` executions do not count.
[[nodiscard]] Measurement measurementOf(const EventBlocks& blocks, std::string name,
                                        std::size_t leaveOut = 0);

/// Several launches of one program as one measurement: samples launch by launch, all else as in the first.
/// Operators are the same by name, kind and place, and by their order where these are. Not of none.
[[nodiscard]] Measurement joinLaunches(std::span<const Measurement> launches);

}  // namespace et::inspector
