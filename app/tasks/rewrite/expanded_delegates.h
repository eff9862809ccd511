#pragma once

#include "app/tasks/rewrite/node_choice.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "backends/delegate_part.h"
#include "inspector/memory/program_range.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace et::tasks {

/// A method whose delegate calls are opened to select single operators: values inside those delegates become
/// values of the method.
class ExpandedDelegates {
  public:
    /// Identifies a value inside a delegate.
    struct InnerId {
        std::size_t instruction = 0;
        std::uint32_t value = 0;
    };

    /// `whole` must outlive this. Errors: InvalidArgument (an instruction that calls no delegate).
    [[nodiscard]] static core::Result<ExpandedDelegates> make(const program::Method& whole, NodeChoice nodes);

    /// Cuts out these instructions; of opened calls only the chosen operators. Borrows from this. The
    /// result's `inputsAt` counts instructions of the whole: if its last one is an opened call, all inner
    /// values are available. Errors: those of backends::takeNodes() and inspector::cutInstructions().
    [[nodiscard]] core::Result<inspector::MethodPart> take(std::span<const std::size_t> instructions);
    /// The first `end` instructions of the whole, with outputs `wanted`, computed by the unmodified
    /// delegates. Errors: those of take().
    [[nodiscard]] core::Result<program::Method> prefix(std::size_t end,
                                                       const std::vector<program::ValueId>& wanted);
    /// Where a value is computed inside an opened call; nothing for other values.
    [[nodiscard]] std::optional<InnerId> innerOf(program::ValueId value) const;
    [[nodiscard]] bool isOpened(std::size_t instruction) const { return nodes.contains(instruction); }
    /// Ids in the whole, by id inside the payload that take() made for an opened call.
    [[nodiscard]] const std::vector<std::uint32_t>& originalIds(std::size_t instruction) const {
        return ids.at(instruction);
    }

  private:
    /// Replacement of an opened call in a part.
    struct Split {
        std::optional<program::DelegateCall> rest;  ///< computes the other values that are needed
        program::DelegateCall chosen;
        std::vector<program::ValueId> made;  ///< computed by the chosen operators
    };

    ExpandedDelegates(const program::Method& whole, NodeChoice chosen)
        : opened(whole), ownValues(whole.values.size()), nodes(std::move(chosen)) {}
    [[nodiscard]] const program::DelegateCall& call(std::size_t instruction) const;
    [[nodiscard]] const program::Delegate& delegate(std::size_t instruction) const;
    [[nodiscard]] core::Result<Split> split(std::size_t instruction, std::span<const std::size_t> chosen);
    [[nodiscard]] core::Result<program::DelegateCall> computing(std::size_t instruction,
                                                                std::span<const std::uint32_t> values);
    [[nodiscard]] program::DelegateCall newCall(std::size_t instruction, ByteVector payload,
                                                std::vector<program::ValueId> args);
    [[nodiscard]] core::Result<std::vector<program::ValueId>> bind(
        std::size_t instruction, std::span<const backends::DelegateValue> values);
    [[nodiscard]] program::ValueId newValue(std::size_t instruction, const backends::DelegateValue& value);

    program::Method opened;  ///< with a value for each requested inner value
    std::size_t ownValues;   ///< number of values it had originally
    NodeChoice nodes;
    std::map<std::pair<std::size_t, std::uint32_t>, program::ValueId> made;  ///< computed by operators, keyed
                                                                             ///< by instruction and inner id
    std::map<std::size_t, std::vector<std::uint32_t>> ids;
    std::deque<ByteVector> payloads;
};

}  // namespace et::tasks
