#pragma once

#include "backends/payload_info.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The delegates of a program, joined with what an ETRecord says of them and a trace measured.
namespace et::inspector {

/// What to join. All of it is borrowed and must outlive the join.
struct DelegateSources {
    const program::Program& program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside
    const etrecord::Record* record = nullptr;              ///< null: none given
    const EventBlocks* blocks = nullptr;                   ///< null: no trace given
    std::string_view method{};                             ///< only this one; empty: all
};

/// An operator that a delegate traced within one of its calls.
struct TimedOperator {
    enum class Is : std::uint8_t {
        Unknown,    ///< nothing says what it computes, or the record does not have its handles
        Layout,     ///< a transpose, copy or conversion that exporting added: no Edge node
        EdgeNodes,  ///< it computes nodes of the Edge graph
    };
    std::string name;  ///< "Convolution (NHWC, F32) IGEMM #1"
    double time = 0;   ///< of one run
    Is is = Is::Unknown;
    std::vector<core::DebugHandle> handles{};
    std::vector<const etrecord::Node*> nodes{};  ///< each once; none without a record
};

/// Whose the time of a delegate call is. The parts add up to the whole.
struct CallParts {
    double whole = 0;
    double operators = 0;  ///< that compute Edge nodes
    double layout = 0;
    double unknown = 0;
    /// What no operator took: preparing the call, threads that wait, clocks that round. Negative where
    /// operators say more than the whole.
    [[nodiscard]] double unexplained() const { return whole - operators - layout - unknown; }
    [[nodiscard]] double& of(TimedOperator::Is is) {
        return is == TimedOperator::Is::EdgeNodes ? operators
               : is == TimedOperator::Is::Layout  ? layout
                                                  : unknown;
    }
};

/// One instruction that runs a delegate.
struct DelegateCallSite {
    std::size_t chain = 0;
    core::InstructionId instruction{-1};
    std::vector<program::ValueId> inputs{};
    std::vector<program::ValueId> outputs{};
    std::vector<core::DebugHandle> handles{};    ///< as the record maps the instruction; empty: unknown
    std::vector<const etrecord::Node*> nodes{};  ///< Edge nodes of the handles, each once
    std::optional<double> time{};                ///< of one run, in the unit of the blocks
    std::vector<TimedOperator> operators{};      ///< as traced, in the order in which they ran
    std::optional<CallParts> parts{};            ///< nothing: it traced no operators
};

/// Data outside of a payload that it names.
struct NamedBlob {
    std::string_view name;
    std::uint64_t bytes = 0;
};

struct DelegateReport {
    const program::Delegate* delegate = nullptr;
    std::vector<DelegateCallSite> calls{};
    backends::PayloadFormat format{};
    std::vector<NamedBlob> namedData{};
    std::shared_ptr<const core::ModelGraph> graph{};  ///< null: what is inside is unknown
    std::string unknown{};                            ///< then why
    bool mapsPositions = false;                       ///< as executor::TraceTraits has it
    /// Bytes that it added, as the trace recorded them (see memory/measured_memory.h); nothing: it did not.
    std::optional<std::uint64_t> packedWeights{};
    std::optional<std::uint64_t> workspace{};
};

/// Where the operators of one name run.
struct OperatorPlacement {
    std::string name;
    std::size_t delegated = 0;
    std::size_t undelegated = 0;
    std::size_t either = 0;  ///< several instructions carry the debug handle, delegates and others
    /// No instruction carries it, nor is one left that calls such a kernel: folded into constants, or no work
    /// at run time.
    std::size_t absent = 0;

    [[nodiscard]] std::size_t total() const { return delegated + undelegated + either + absent; }
};

/// All of them together, without a name.
[[nodiscard]] OperatorPlacement sumOf(const std::vector<OperatorPlacement>& operators);

/// What OperatorPlacement counts.
enum class PlacementSource : std::uint8_t {
    EdgeGraph,    ///< nodes of the record's Edge graph
    Instructions  ///< kernel calls, and nodes inside of the delegates that can be described
};

/// Where the time of a method went; of one run, in the unit of the blocks.
struct DelegationTimes {
    std::size_t runs = 0;
    double total = 0;
    double delegated = 0;
    double undelegated = 0;  ///< kernel calls
    [[nodiscard]] double other() const { return total - delegated - undelegated; }
};

struct MethodDelegates {
    const program::Method* method = nullptr;
    bool recorded = false;  ///< the record has an Edge graph of the method
    std::vector<DelegateReport> delegates{};
    std::vector<OperatorPlacement> operators{};  ///< most frequent first
    PlacementSource operatorSource = PlacementSource::Instructions;
    std::optional<DelegationTimes> times{};  ///< nothing: no trace, or it did not run the method
};

struct DelegationReport {
    std::vector<MethodDelegates> methods;
    /// What a user must know: a record or a trace that does not belong to the program.
    std::vector<std::string> warnings;
};

/// Errors: NotFound (no such method), Limit (a record that repeats handles beyond all measure). A payload
/// that cannot be described is no error.
[[nodiscard]] core::Result<DelegationReport> delegatesOf(const DelegateSources& sources);

}  // namespace et::inspector
