#pragma once

#include "backends/payload_contents.h"
#include "backends/payload_info.h"
#include "etrecord/record.h"
#include "inspector/delegates/named_data.h"
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

// Delegates of a program, joined with data from an ETRecord and a trace.
namespace et::inspector {

/// Files to join. All are borrowed and must outlive the join.
struct DelegateSources {
    const program::Program& program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe payloads
    const etrecord::Record* record = nullptr;              ///< null: none given
    const EventBlocks* blocks = nullptr;                   ///< null: no trace given
    std::string_view method{};                             ///< only this method; empty: all
};

/// An operator traced by a delegate within one of its calls.
struct TimedOperator {
    enum class Is : std::uint8_t {
        Unknown,    ///< no information on what it computes, or the record does not have its handles
        Layout,     ///< a transpose, copy or conversion added by the exporter: no Edge node
        EdgeNodes,  ///< computes nodes of the Edge graph
    };
    std::string name;  ///< "Convolution (NHWC, F32) IGEMM #1"
    double time = 0;   ///< of one run
    Is is = Is::Unknown;
    std::vector<core::DebugHandle> handles{};
    std::vector<const etrecord::Node*> nodes{};  ///< distinct; empty without a record
};

/// Time of a delegate call by category. The parts sum to the whole.
struct CallParts {
    double whole = 0;
    double operators = 0;  ///< operators that compute Edge nodes
    double layout = 0;
    double unknown = 0;
    /// Time outside operators: preparing the call, waiting threads, clock rounding. Negative if the operators
    /// sum to more than the whole.
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
    std::vector<core::DebugHandle> handles{};    ///< the instruction's handles in the record; empty: unknown
    std::vector<const etrecord::Node*> nodes{};  ///< distinct Edge nodes of the handles
    std::optional<double> time{};                ///< of one run, in the unit of the blocks
    std::vector<TimedOperator> operators{};      ///< traced operators in execution order
    std::optional<CallParts> parts{};            ///< empty: no operators were traced
};

struct DelegateReport {
    const program::Delegate* delegate = nullptr;
    std::vector<DelegateCallSite> calls{};
    backends::PayloadFormat format{};
    backends::ListedContents contents{};
    std::vector<NamedBlob> namedData{};
    std::shared_ptr<const core::ModelGraph> graph{};  ///< null: content unknown
    std::string unknown{};                            ///< then why
    bool mapsPositions = false;                       ///< see executor::TraceConventions
    /// Bytes added by it according to the trace (see memory/measured_memory.h); empty: not recorded.
    std::optional<std::uint64_t> packedWeights{};
    std::optional<std::uint64_t> workspace{};
};

/// Where operators of one name run.
struct OperatorPlacement {
    std::string name;
    std::size_t delegated = 0;
    std::size_t undelegated = 0;
    std::size_t either = 0;  ///< several instructions have the debug handle, both delegates and others
    /// No instruction has its handle, and no call of such a kernel is unmatched: folded into constants, or no
    /// work at run time.
    std::size_t absent = 0;

    [[nodiscard]] std::size_t total() const { return delegated + undelegated + either + absent; }
};

/// Sum of all operators, without a name.
[[nodiscard]] OperatorPlacement sumOf(const std::vector<OperatorPlacement>& operators);

/// Source of the counts of OperatorPlacement.
enum class PlacementSource : std::uint8_t {
    EdgeGraph,    ///< nodes of the record's Edge graph
    Instructions  ///< kernel calls, and nodes inside the delegates that can be described
};

/// Time of one run of a method by place of execution, in the unit of the blocks.
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
    std::optional<DelegationTimes> times{};  ///< empty: no trace, or it did not run the method
};

struct DelegationReport {
    std::vector<MethodDelegates> methods;
    /// Warnings for the user: a record or a trace that does not belong to the program.
    std::vector<std::string> warnings;
};

/// Errors: NotFound (no such method), Limit (a record that repeats handles excessively). A payload that
/// cannot be described is not an error.
[[nodiscard]] core::Result<DelegationReport> delegatesOf(const DelegateSources& sources);

}  // namespace et::inspector
