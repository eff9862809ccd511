#pragma once

#include "runtime/builder/program_writer.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::builder {

/// Effect of a change.
struct DraftChange {
    std::size_t count = 0;    ///< number of tensors, blobs, names or methods
    std::uint64_t bytes = 0;  ///< of data moved or removed
};

/// An editable copy of a program. Keeps the original, from which it borrows texts and data, and the files
/// from which it takes data.
class ProgramDraft {
  public:
    explicit ProgramDraft(std::shared_ptr<const program::Program> program);

    [[nodiscard]] const program::Program& original() const { return *source; }
    [[nodiscard]] ProgramContent& content() { return changed; }
    [[nodiscard]] const ProgramContent& content() const { return changed; }

    /// Removes all other methods. Errors: NotFound (lists the existing methods).
    [[nodiscard]] core::Result<DraftChange> keepMethods(std::span<const std::string> names);
    /// Replaces all methods by a part of one, with new descriptions of inputs and outputs.
    void setOnlyMethod(program::Method part);
    /// Removes operators and delegates that no instruction calls.
    void dropUnusedTables();
    /// Removes the named data for which `needed` returns false.
    DraftChange dropNamedData(const std::function<bool(std::string_view key)>& needed);
    /// Removes tensor names that are never looked up: all except those of external data.
    DraftChange dropNames();
    /// Clears values that no instruction, list, input or output refers to, including constants.
    DraftChange dropUnused();

    /// Moves constants and named data out of the program, which then looks them up by name. Unnamed constants
    /// get a name; equal bytes under one name become one entry. The entries borrow from this draft.
    [[nodiscard]] std::vector<program::TensorDataEntry> externalize();
    /// Moves external data into the program. Errors: NotFound (no file contains it), Format (its dtype, size
    /// or dim order differs from the program's).
    [[nodiscard]] core::Result<DraftChange> takeIn(
        std::span<const std::shared_ptr<const program::TensorData>> files);

    /// Constants and named data that the original stores several times, and write() once.
    [[nodiscard]] DraftChange duplicates() const;

    /// The program file, which borrows from this draft. Errors: as programFile().
    [[nodiscard]] core::Result<core::FileContent> file() const { return programFile(changed); }
    /// The same file in one vector.
    [[nodiscard]] core::Result<std::vector<std::byte>> write() const { return writeProgram(changed); }

  private:
    std::shared_ptr<const program::Program> source;
    std::vector<std::shared_ptr<const program::TensorData>> taken;
    std::deque<std::string> texts;  ///< generated names
    ProgramContent changed;
};

}  // namespace et::builder
