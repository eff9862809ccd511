#pragma once

#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/model/model.h"
#include "app/tasks/rewrite/expanded_delegates.h"
#include "app/tasks/rewrite/part_sizes.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/rewrite/program_piece.h"
#include "app/tasks/rewrite/size_changes.h"
#include "bundled_program/bundle.h"
#include "inspector/memory/program_range.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Selects a part of a method.
struct PartChoice {
    std::vector<std::size_t> instructions;  ///< of the only chain, in ascending order
    NodeChoice nodes{};                     ///< of the delegates that they call, only these operators
};

/// Adds the instructions that compute numbers for the chosen ones. Errors: those of
/// inspector::numberProducers().
[[nodiscard]] core::Result<PartChoice> withNumberProducers(const program::Method& whole, PartChoice choice);

/// Planned sizes of the part's inputs.
[[nodiscard]] PartSizes inputSizes(const inspector::MethodPart& part);

/// Makes parts of a program one after the other, from the same method and inputs.
class PartMaker {
  public:
    PartMaker() = default;
    /// `inputs`: maximum number of input sets: all cases of a bundled program, given inputs or random ones.
    /// Errors: those of Model.
    [[nodiscard]] static core::Result<std::unique_ptr<PartMaker>> open(const std::filesystem::path& path,
                                                                       const ModelOptions& options,
                                                                       std::size_t inputs);

    /// The same for an open file.
    [[nodiscard]] static core::Result<std::unique_ptr<PartMaker>> open(
        std::shared_ptr<const core::MappedFile> file, const ModelOptions& options, std::size_t inputs);

    [[nodiscard]] const program::Method& whole() const { return *original; }
    [[nodiscard]] const Model& base() const { return *model; }

    /// Cuts out the part and discards the previous one. Errors: those of inspector::cutInstructions() and
    /// ExpandedDelegates::take().
    [[nodiscard]] core::Result<> cut(const PartChoice& choice);
    [[nodiscard]] const inspector::MethodPart& part() const { return *taken; }
    /// Bytes of the part's program.
    [[nodiscard]] const ByteVector& content() const { return written; }
    /// The opened delegate calls; null if only whole instructions were chosen.
    [[nodiscard]] const ExpandedDelegates* openedCalls() const { return opened ? &*opened : nullptr; }

    /// Computes the part's inputs by running all instructions before it. Errors: those of running.
    [[nodiscard]] core::Result<> makeInputs();
    /// Computes the expected outputs by running all instructions up to the end of the part. Errors: likewise.
    [[nodiscard]] core::Result<> makeExpected();
    /// Uses the outputs of the part itself as expected outputs. Errors: likewise.
    [[nodiscard]] core::Result<> expectFromPart();
    enum class SizesFrom : std::uint8_t {
        Run,    ///< all tensors shrink to the sizes that running the part gives
        Inputs  ///< only the inputs shrink; nothing runs
    };
    /// Shrinks inputs and constants of the part, keeping the elements with the smallest indices. Errors:
    /// InvalidArgument (one is not smaller), those of shrinkConstants() and of running (an operator that does
    /// not support these sizes).
    [[nodiscard]] core::Result<> shrink(const PartShrink& smaller, SizesFrom from);
    /// Sizes changed by shrink(); null if it was not called.
    struct Shrunk {
        SizeChanges asked;      ///< of inputs
        SizeChanges constants;  ///< of constants
    };
    [[nodiscard]] const Shrunk* shrunk() const { return changes ? &*changes : nullptr; }
    /// Runs the part alone and checks that it gives identical bits. Errors: Mismatch, those of running.
    [[nodiscard]] core::Result<> check() const;
    /// One case per input set.
    [[nodiscard]] const bundled_program::TestSuite& cases() const { return suite; }
    [[nodiscard]] bundled_program::TestSuite& cases() { return suite; }
    /// Inputs of a case of the part. Borrows them.
    [[nodiscard]] InputSet inputsOfCase(std::size_t index) const;
    /// The part's program bundled with its cases.
    [[nodiscard]] core::Result<ByteVector> bundle() const;

    /// Loads the whole.
    [[nodiscard]] core::Result<ProgramPiece> loadWhole(core::EventTracer* tracer) const {
        return ProgramPiece::load(*model, model->program, method.name, tracer);
    }
    /// Loads the part alone.
    [[nodiscard]] core::Result<ProgramPiece> loadPart(core::EventTracer* tracer) const {
        return load(written, tracer);
    }
    /// Inputs of the whole, one set per case of the next part.
    [[nodiscard]] std::deque<InputSet>& inputs() { return sets; }

  private:
    [[nodiscard]] core::Result<ByteVector> write(const program::Method& made) const;
    [[nodiscard]] core::Result<ProgramPiece> load(const ByteVector& bytes, core::EventTracer* tracer) const;
    [[nodiscard]] core::Result<ByteVector> prefix(std::size_t end,
                                                  const std::vector<program::ValueId>& wanted);
    [[nodiscard]] core::Result<> runInto(CaseMaker& values, const ByteVector& program,
                                         const InputSet& inputs) const;

    std::unique_ptr<Model> model;
    const program::Method* original = nullptr;
    program::Method method;  ///< the original, with separate memory for each tensor
    std::string file;
    std::deque<InputSet> sets;
    std::size_t end = 0;  ///< after the part's last instruction
    std::optional<ExpandedDelegates> opened;
    std::optional<inspector::MethodPart> taken;
    ByteVector written;
    std::optional<Shrunk> changes;
    bundled_program::TestSuite suite;
    std::deque<CaseMaker> makers;   ///< own the tensors of the suite
    std::deque<ByteVector> blocks;  ///< for shrunk inputs and constants
};

}  // namespace et::tasks
