#pragma once

#include "app/tasks/surgery/program_bytes.h"
#include "inspector/memory/program_range.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace et::app {

/// A delegate call of which operators are taken one by one: values inside of the delegate are values of the
/// method here.
class OpenedCall {
  public:
    /// `whole` outlives this. Errors: InvalidArgument (the instruction calls no delegate).
    [[nodiscard]] static core::Result<OpenedCall> make(const program::Method& whole, std::size_t instruction);

    /// Operators of the delegate, by position, as a method that calls nothing else. Borrows from this.
    /// Errors: those of backends::takeNodes() and inspector::cutInstructions().
    [[nodiscard]] core::Result<inspector::MethodPart> take(std::span<const std::size_t> nodes);
    /// All up to the call, with as much of the delegate as `wanted` needs, which it puts out. Errors: as
    /// take().
    [[nodiscard]] core::Result<program::Method> prefix(const std::vector<program::ValueId>& wanted);
    /// The id inside of the delegate of a value that its operators make; nothing: of any other.
    [[nodiscard]] std::optional<std::uint32_t> idOf(program::ValueId value) const;
    /// By id inside of the payload that take() made: that in the whole.
    [[nodiscard]] const std::vector<std::uint32_t>& originalIds() const { return ids; }

  private:
    OpenedCall(const program::Method& whole, std::size_t which) : opened(whole), instruction(which) {}
    [[nodiscard]] const program::DelegateCall& call() const;
    [[nodiscard]] program::Method withPayload(ByteVector payload, std::vector<program::ValueId> args,
                                              std::size_t firstInstruction);

    program::Method opened;  ///< with a value for each inner one that was asked for
    std::size_t instruction;
    std::map<std::uint32_t, program::ValueId> made;  ///< by operators, by id inside of the delegate
    std::vector<std::uint32_t> ids;
    std::deque<ByteVector> payloads;
};

}  // namespace et::app
