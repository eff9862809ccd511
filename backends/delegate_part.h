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

// What is inside of a delegate, as delegates of their own.
namespace et::backends {

/// A value inside of a delegate, as a tensor of a program: row-major in the order in which it lies in memory.
struct DelegateValue {
    std::uint32_t id = 0;  ///< as taps name it
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;        ///< dynamic ones are the largest
    std::optional<std::uint32_t> argument;  ///< of the delegate, if it is one
    bool isMade = false;                    ///< an operator makes it
};

/// An operator inside of a delegate.
struct DelegateNode {
    std::string kind;  ///< "XNNConv2d"
    std::optional<std::uint32_t> debugHandle;
    std::vector<std::uint32_t> operands;  ///< ids of the values that it reads, without constants
    std::vector<std::uint32_t> results;   ///< ids of the values that it makes
    bool isQuantized = false;             ///< the first of them are integers that stand for real numbers
    std::int64_t elements = 0;            ///< of the first of them, as exported
};

/// Some operators of a delegate as a delegate of their own, whose arguments are `inputs`, then `outputs`.
struct DelegatePart {
    std::vector<std::byte> payload;
    std::vector<DelegateValue> inputs;
    std::vector<DelegateValue> outputs;
    std::vector<std::uint32_t> ids;  ///< by id in the part: which one of the whole the value is
};

/// The operators of a delegate, in the order in which they run. Errors: Unsupported (a backend whose payloads
/// cannot be taken apart: names it), those of the payload.
[[nodiscard]] core::Result<std::vector<DelegateNode>> nodesIn(const program::Delegate& delegate);

/// Its arguments, inputs and outputs, in the order of their positions. Errors: as nodesIn().
[[nodiscard]] core::Result<std::vector<DelegateValue>> argumentsOf(const program::Delegate& delegate);

/// Takes operators out by their positions (ascending, each once). Errors: as nodesIn(); InvalidArgument (no
/// such operators), Unsupported (a value goes in or out that no tensor holds).
[[nodiscard]] core::Result<DelegatePart> takeNodes(const program::Delegate& delegate,
                                                   std::span<const std::size_t> nodes);

/// What computes some values, and puts them out in this order, others maybe behind. Errors: as takeNodes().
[[nodiscard]] core::Result<DelegatePart> takeValues(const program::Delegate& delegate,
                                                    std::span<const std::uint32_t> ids);

/// Sizes of the constants of a delegate that are above 1, each once. Errors: as nodesIn().
[[nodiscard]] core::Result<std::vector<std::int64_t>> constantSizes(const program::Delegate& delegate);

/// The payload for smaller inputs and constants; those constants that it looks up in `named` are in the
/// payload once they are smaller. Errors: as nodesIn(); NotFound (a name that `named` does not have),
/// Unsupported (a constant that cannot be divided so), InvalidArgument (sizes that do not fit together).
[[nodiscard]] core::Result<std::vector<std::byte>> shrunkPayload(const program::Delegate& delegate,
                                                                 const PayloadChanges& changes,
                                                                 const executor::NamedDataSource& named);

}  // namespace et::backends
