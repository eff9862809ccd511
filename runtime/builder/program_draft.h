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

/// What a change did.
struct DraftChange {
    std::size_t count = 0;    ///< tensors, blobs, names or methods
    std::uint64_t bytes = 0;  ///< of data that moved or went
};

/// A program to be changed and written anew. Keeps the program, whose texts and data it borrows, and the
/// files that it takes data from.
class ProgramDraft {
  public:
    explicit ProgramDraft(std::shared_ptr<const program::Program> program);

    [[nodiscard]] const program::Program& original() const { return *source; }
    [[nodiscard]] ProgramContent& content() { return changed; }

    /// Drops all other methods. Errors: NotFound (says which methods there are).
    [[nodiscard]] core::Result<DraftChange> keepMethods(std::span<const std::string> names);
    /// Replaces all methods by one of their parts, whose inputs and outputs are described anew.
    void setOnlyMethod(program::Method part);
    /// Drops operators and delegates that no instruction calls.
    void dropUnusedTables();
    /// Drops the named data that `needed` does not want.
    DraftChange dropNamedData(const std::function<bool(std::string_view key)>& needed);
    /// Drops names of tensors that nothing looks up: all but those of external data.
    DraftChange dropNames();
    /// Empties values that no instruction, list, input or output names, constants among them.
    DraftChange dropUnused();

    /// Takes constants and named data out of the program, which looks them up by name from then on. Constants
    /// without a name get one; equal bytes under one name are one entry. The entries borrow from this draft.
    [[nodiscard]] std::vector<program::TensorDataEntry> externalize();
    /// Puts what the program looks up by name into it. Errors: NotFound (nothing has it), Format (another
    /// dtype, size or dim order than the program takes).
    [[nodiscard]] core::Result<DraftChange> takeIn(
        std::span<const std::shared_ptr<const program::TensorData>> files);

    /// Constants and named data that the original has at several places, and write() once.
    [[nodiscard]] DraftChange duplicates() const;

    /// Errors: as writeProgram().
    [[nodiscard]] core::Result<std::vector<std::byte>> write() const { return writeProgram(changed); }

  private:
    std::shared_ptr<const program::Program> source;
    std::vector<std::shared_ptr<const program::TensorData>> taken;
    std::deque<std::string> texts;  ///< names that were made up
    ProgramContent changed;
};

}  // namespace et::builder
