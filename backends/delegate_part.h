#pragma once

#include "backends/payload_changes.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Splits a delegate into smaller delegates.
namespace et::backends {

/// A value inside a delegate, as a tensor of a program: row-major in its memory order.
struct DelegateValue {
    std::uint32_t id = 0;  ///< id used by taps
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;        ///< maximum sizes if dynamic
    std::optional<std::uint32_t> argument;  ///< index among the delegate's arguments, if it is one
    bool isMade = false;                    ///< computed by an operator
};

/// An operator inside a delegate.
struct DelegateNode {
    std::string kind;  ///< "XNNConv2d"
    std::optional<std::uint32_t> debugHandle;
    std::vector<std::uint32_t> operands;  ///< ids of the values it reads, without constants
    std::vector<std::uint32_t> results;   ///< ids of the values it computes
    bool isQuantized = false;             ///< the first result holds quantized integers
    std::int64_t elements = 0;            ///< of the first result, as exported
};

/// Some operators of a delegate as a separate delegate, whose arguments are `inputs`, then `outputs`.
struct DelegatePart {
    std::vector<std::byte> payload;
    std::vector<DelegateValue> inputs;
    std::vector<DelegateValue> outputs;
    std::vector<std::uint32_t> ids;  ///< id in the whole, by id in the part
};

/// Operators of a delegate in execution order. Errors: Unsupported (a backend whose payloads cannot be taken
/// apart; names it), those of the payload.
[[nodiscard]] core::Result<std::vector<DelegateNode>> nodesIn(const program::Delegate& delegate);

/// Inputs and outputs of the delegate by position. Errors: those of nodesIn().
[[nodiscard]] core::Result<std::vector<DelegateValue>> argumentsOf(const program::Delegate& delegate);

/// Extracts operators by position (ascending, without duplicates). Errors: those of nodesIn();
/// InvalidArgument (unknown operators), Unsupported (an input or output that no tensor holds).
[[nodiscard]] core::Result<DelegatePart> takeNodes(const program::Delegate& delegate,
                                                   std::span<const std::size_t> nodes);

/// Extracts the operators that compute some values; these are the first outputs, in this order. Errors: those
/// of takeNodes().
[[nodiscard]] core::Result<DelegatePart> takeValues(const program::Delegate& delegate,
                                                    std::span<const std::uint32_t> ids);

/// Distinct sizes above 1 of a delegate's constants. Errors: those of nodesIn().
[[nodiscard]] core::Result<std::vector<std::int64_t>> constantSizes(const program::Delegate& delegate);

/// Payload for smaller inputs and constants; constants from `named` are embedded in the payload if they
/// shrink. Errors: those of nodesIn(); NotFound (a name that `named` lacks), Unsupported (a constant that
/// cannot be divided this way), InvalidArgument (inconsistent sizes).
[[nodiscard]] core::Result<std::vector<std::byte>> shrunkPayload(const program::Delegate& delegate,
                                                                 const PayloadChanges& changes,
                                                                 const executor::NamedDataSource& named);

}  // namespace et::backends
