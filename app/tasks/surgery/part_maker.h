#pragma once

#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/run/model.h"
#include "app/tasks/surgery/opened_calls.h"
#include "app/tasks/surgery/part_sizes.h"
#include "app/tasks/surgery/program_bytes.h"
#include "app/tasks/surgery/size_changes.h"
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

namespace et::app {

/// Which part of a method.
struct PartChoice {
    std::vector<std::size_t> instructions;  ///< of the only chain, ascending
    NodeChoice nodes{};                     ///< of delegates that some of them call, just these operators
};

/// Makes parts of a program: one after the other, of the same method and inputs.
class PartMaker {
  public:
    PartMaker() = default;
    /// `inputs`: at most that many sets of inputs, all cases of a bundled program, given ones or random ones.
    /// Errors: those of Model.
    [[nodiscard]] static core::Result<std::unique_ptr<PartMaker>> open(const std::filesystem::path& path,
                                                                       const ModelOptions& options,
                                                                       std::size_t inputs);

    /// The same of a file that is open.
    [[nodiscard]] static core::Result<std::unique_ptr<PartMaker>> open(
        std::shared_ptr<const core::MappedFile> file, const ModelOptions& options, std::size_t inputs);

    [[nodiscard]] const program::Method& whole() const { return *original; }
    [[nodiscard]] const Model& base() const { return *model; }

    /// Takes the part out, and forgets the one before. Errors: those of inspector::cutInstructions() and
    /// OpenedCalls::take().
    [[nodiscard]] core::Result<> cut(const PartChoice& choice);
    [[nodiscard]] const inspector::MethodPart& part() const { return *taken; }
    /// The part's program.
    [[nodiscard]] const ByteVector& content() const { return written; }
    /// The delegate calls of which operators were taken; null: whole instructions were.
    [[nodiscard]] const OpenedCalls* openedCalls() const { return opened ? &*opened : nullptr; }

    /// Computes what goes into the part, with all that runs before it. Errors: those of running.
    [[nodiscard]] core::Result<> makeInputs();
    /// Computes what has to come out, with all up to the end of the part. Errors: likewise.
    [[nodiscard]] core::Result<> makeExpected();
    /// Takes what the part alone computes for what has to come out. Errors: likewise.
    [[nodiscard]] core::Result<> expectFromPart();
    /// Sizes of the part's inputs, as it is planned for.
    [[nodiscard]] PartSizes inputSizes() const;
    enum class SizesFrom : std::uint8_t {
        Run,    ///< all tensors become as small as running the part makes them
        Inputs  ///< the inputs alone; nothing runs
    };
    /// Gives the part smaller inputs and constants: of each, the elements with the smallest indices. Errors:
    /// InvalidArgument (one is not smaller), those of shrinkConstants() and of running (an operator that does
    /// not allow these sizes).
    [[nodiscard]] core::Result<> shrink(const PartShrink& smaller, SizesFrom from);
    /// What shrink() has made smaller; null: it was not called.
    struct Shrunk {
        SizeChanges asked;      ///< sizes of inputs
        SizeChanges constants;  ///< and of constants
    };
    [[nodiscard]] const Shrunk* shrunk() const { return changes ? &*changes : nullptr; }
    /// Runs the part alone: it has to give the same bits. Errors: Mismatch, those of running.
    [[nodiscard]] core::Result<> check() const;
    /// One a set of inputs.
    [[nodiscard]] const bundled_program::TestSuite& cases() const { return suite; }
    [[nodiscard]] bundled_program::TestSuite& cases() { return suite; }
    /// The inputs of a case of the part. Borrows them.
    [[nodiscard]] InputSet inputsOfCase(std::size_t index) const;
    /// The part with its cases.
    [[nodiscard]] core::Result<ByteVector> bundle() const;

    /// A program made of one method of another, with all that it runs with.
    struct Piece {
        std::shared_ptr<const program::Program> program;
        std::unique_ptr<executor::Module> module;
        executor::Method* method = nullptr;
    };
    /// Loads the whole.
    [[nodiscard]] core::Result<Piece> loadWhole(core::EventTracer* tracer) const {
        return load(model->program, tracer);
    }
    /// Loads the part alone.
    [[nodiscard]] core::Result<Piece> loadPart(core::EventTracer* tracer) const {
        return load(written, tracer);
    }
    [[nodiscard]] core::Result<> execute(const Piece& piece, const InputSet& inputs) const;
    /// Runs the part on the inputs of a case.
    [[nodiscard]] core::Result<> runCase(const Piece& piece, std::size_t index) const;
    /// How many sets of inputs there are.
    [[nodiscard]] std::size_t inputCount() const { return sets.size(); }
    void addInputs(InputSet set) { sets.push_back(std::move(set)); }
    /// All but one of them are forgotten. Errors: NotFound.
    [[nodiscard]] core::Result<> keepInputs(std::size_t index);
    /// The inputs of the whole that case is of.
    [[nodiscard]] const InputSet& wholeInputs(std::size_t index) const { return sets[index]; }

  private:
    [[nodiscard]] core::Result<> takeLeadingBlocks(const PartSizes& sizes);
    [[nodiscard]] core::Result<ByteVector> write(const program::Method& made) const;
    [[nodiscard]] core::Result<Piece> load(std::shared_ptr<const program::Program> program,
                                           core::EventTracer* tracer) const;
    [[nodiscard]] core::Result<Piece> load(const ByteVector& bytes, core::EventTracer* tracer) const;
    [[nodiscard]] core::Result<> findInputs(const ModelOptions& options, std::size_t most);
    [[nodiscard]] core::Result<ByteVector> prefix(std::size_t end,
                                                  const std::vector<program::ValueId>& wanted);
    [[nodiscard]] core::Result<> runInto(CaseMaker& values, const ByteVector& program,
                                         const InputSet& inputs) const;

    std::unique_ptr<Model> model;
    const program::Method* original = nullptr;
    program::Method method;  ///< the original, with memory of its own for each tensor
    std::string file;
    std::deque<InputSet> sets;
    std::size_t end = 0;  ///< behind the part's last instruction
    std::optional<OpenedCalls> opened;
    std::optional<inspector::MethodPart> taken;
    ByteVector written;
    std::optional<Shrunk> changes;
    bundled_program::TestSuite suite;
    std::deque<CaseMaker> makers;   ///< own the tensors of the suite
    std::deque<ByteVector> blocks;  ///< of smaller inputs and constants
};

}  // namespace et::app
