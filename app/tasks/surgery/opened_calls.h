#pragma once

#include "app/tasks/surgery/node_choice.h"
#include "app/tasks/surgery/program_bytes.h"
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

namespace et::app {

/// A method with delegate calls of which operators are taken one by one: values inside of those delegates are
/// values of the method here.
class OpenedCalls {
  public:
    /// A value inside of a delegate.
    struct InnerId {
        std::size_t instruction = 0;
        std::uint32_t value = 0;
    };

    /// `whole` outlives this. Errors: InvalidArgument (an instruction that calls no delegate).
    [[nodiscard]] static core::Result<OpenedCalls> make(const program::Method& whole, NodeChoice nodes);

    /// These instructions, of the opened calls just the chosen operators. Borrows from this. Its `inputsAt`
    /// counts instructions of the whole: of an opened call that is the last of them, all inner values are
    /// there. Errors: those of backends::takeNodes() and inspector::cutInstructions().
    [[nodiscard]] core::Result<inspector::MethodPart> take(std::span<const std::size_t> instructions);
    /// The first `end` instructions of the whole, which put out `wanted`, as the delegates compute it that
    /// are whole. Errors: as take().
    [[nodiscard]] core::Result<program::Method> prefix(std::size_t end,
                                                       const std::vector<program::ValueId>& wanted);
    /// Where inside of an opened call a value is made; nothing: of any other.
    [[nodiscard]] std::optional<InnerId> innerOf(program::ValueId value) const;
    [[nodiscard]] bool isOpened(std::size_t instruction) const { return nodes.contains(instruction); }
    /// By id inside of the payload that take() made of an opened call: that in the whole.
    [[nodiscard]] const std::vector<std::uint32_t>& originalIds(std::size_t instruction) const {
        return ids.at(instruction);
    }

  private:
    /// What stands for an opened call in a part.
    struct Split {
        std::optional<program::DelegateCall>
            rest;  ///< makes what others need that the chosen ones do not make
        program::DelegateCall chosen;
        std::vector<program::ValueId> made;  ///< by the chosen ones
    };

    OpenedCalls(const program::Method& whole, NodeChoice chosen)
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

    program::Method opened;  ///< with a value for each inner one that was asked for
    std::size_t ownValues;   ///< that it had before
    NodeChoice nodes;
    std::map<std::pair<std::size_t, std::uint32_t>, program::ValueId> made;  ///< by operators, by place
    std::map<std::size_t, std::vector<std::uint32_t>> ids;
    std::deque<ByteVector> payloads;
};

}  // namespace et::app
