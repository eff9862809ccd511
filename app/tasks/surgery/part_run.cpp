#include "app/tasks/surgery/part_run.h"

#include "app/tasks/bundle/case_maker.h"
#include "app/tasks/output_file.h"
#include "app/tasks/run/inputs.h"
#include "app/tasks/run/model.h"
#include "app/tasks/surgery/instruction_choice.h"
#include "app/tasks/surgery/program_bytes.h"
#include "bundled_program/writer.h"
#include "runtime/builder/program_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace et::app {
namespace {

using builder::ProgramDraft;
using bundled_program::BundledValue;
using core::ErrorCode;
using core::Result;

constexpr std::size_t mostPartCases = 64;

/// A program made of one method of another, with all that it runs with.
struct PieceRun {
    std::shared_ptr<const program::Program> program;
    std::unique_ptr<executor::Module> module;
    executor::Method* method = nullptr;
};

bool sameBits(const std::vector<BundledValue>& left, const std::vector<BundledValue>& right) {
    return std::ranges::equal(left, right, [](const BundledValue& one, const BundledValue& other) {
        const auto* const tensor = std::get_if<bundled_program::BundledTensor>(&one);
        const auto* const second = std::get_if<bundled_program::BundledTensor>(&other);
        if (tensor == nullptr || second == nullptr) {
            return one.index() == other.index();
        }
        return tensor->scalarType == second->scalarType && tensor->sizes == second->sizes &&
               std::ranges::equal(tensor->data, second->data);
    });
}

/// Takes one part out.
class PartMaker {
  public:
    explicit PartMaker(const PartSettings& what) : settings(what) {}

    Result<PartResult> run() {
        ET_ASSIGN(model, Model::prepare(settings.model, settings.options));
        ET_ASSIGN(whole, chooseMethod(*model->program, settings.options.method));
        auto range = chooseInstructions(*whole, choice());
        if (!range) {
            return std::unexpected(std::move(range).error().in(settings.model.string()));
        }
        out.range = *range;
        auto cut = inspector::cutRange(*whole, out.range);
        if (!cut) {
            return std::unexpected(std::move(cut).error().in(settings.model.string()));
        }
        const inspector::MethodPart& part = *cut;
        describe(part);
        ET_ASSIGN(content, write(part.method));
        ET_TRY(makeCases(part));
        ET_TRY(refuseToReplace(settings.output, Model::files(settings.model, settings.options)));
        ET_TRY(deliver());
        return std::move(out);
    }

  private:
    [[nodiscard]] InstructionChoice choice() const {
        return {.instructions = settings.instructions,
                .module = settings.module,
                .node = settings.node,
                .delegate = settings.delegate,
                .record = settings.options.record};
    }

    void describe(const inspector::MethodPart& part) {
        const auto describeAll = [&](const std::vector<program::ValueId>& ids) {
            std::vector<PartValue> values;
            for (const program::ValueId id : ids) {
                values.push_back({.value = id.value, .type = app::describe(whole->value(id))});
            }
            return values;
        };
        out.method = whole->name;
        out.instructions = whole->chains.front().instructions.size();
        out.bytesBefore = model->program->bytes.size();
        out.inputs = describeAll(part.inputs);
        out.outputs = describeAll(part.outputs);
    }

    /// A program of this method alone, without what it does not need.
    Result<ByteVector> write(const program::Method& method) const {
        ProgramDraft draft(model->program);
        draft.setOnlyMethod(method);
        draft.dropUnused();
        draft.dropUnusedTables();
        if (const auto used = namedDataInUse(draft.content())) {
            draft.dropNamedData([&](std::string_view key) { return used->contains(key); });
        }
        inspector::ReplanOptions plan;
        ET_TRY(inspector::replan(draft.content().methods, plan));
        return draft.write();
    }

    Result<PieceRun> load(const ByteVector& bytes) const {
        PieceRun piece;
        ET_ASSIGN(piece.program,
                  program::Program::parse(core::MappedFile::fromMemory(bytes, settings.model.string())));
        piece.module = std::make_unique<executor::Module>(model->newModule(piece.program, nullptr));
        auto loaded = piece.module->load(whole->name);
        if (!loaded) {
            return std::unexpected(errorOfProgram(std::move(loaded).error(), *piece.program));
        }
        piece.method = *loaded;
        return piece;
    }

    Result<> execute(const PieceRun& piece, const InputSet& inputs) const {
        ET_TRY(inputs.give(*piece.method));
        if (auto ran = piece.method->execute(); !ran) {
            return std::unexpected(errorOfProgram(std::move(ran).error(), *piece.program));
        }
        return {};
    }

    Result<std::deque<InputSet>> wholeInputs() const {
        const ModelOptions& options = settings.options;
        std::deque<InputSet> sets;
        if (options.inputs.empty()) {
            ET_ASSIGN(sets, caseInputs(model->bundle.get(), whole->name, mostPartCases));
        } else {
            ET_ASSIGN(InputSet set, model->givenInputs(*whole, options));
            sets.push_back(std::move(set));
        }
        if (sets.empty()) {
            ET_ASSIGN(InputSet set, randomInputs(*whole, options.seed, model->limits.memoryBytes));
            sets.push_back(std::move(set));
        }
        return sets;
    }

    /// The instructions up to `end`, which put out what they leave in `wanted`.
    [[nodiscard]] Result<ByteVector> prefix(std::size_t end,
                                            const std::vector<program::ValueId>& wanted) const {
        ET_ASSIGN(const program::Method method, inspector::cutPrefix(*whole, end, wanted));
        return write(method);
    }

    /// What a program puts out, in the tensors of `values`.
    Result<> runInto(CaseMaker& values, const ByteVector& program, const InputSet& inputs) const {
        ET_ASSIGN(const PieceRun piece, load(program));
        ET_TRY(execute(piece, inputs));
        return values.setExpected(*piece.method);
    }

    Result<> makeCases(const inspector::MethodPart& part) {
        const auto sets = wholeInputs();
        if (!sets) {
            return std::unexpected(sets.error());
        }
        ET_ASSIGN(const ByteVector before, prefix(out.range.first, part.inputs));
        ET_ASSIGN(const ByteVector through, prefix(out.range.last + 1, part.outputs));
        suite.method = whole->name;
        for (const InputSet& set : *sets) {
            auto& in = makers.emplace_back(part.method);
            auto& expected = makers.emplace_back(part.method);
            ET_TRY(runInto(in, before, set));
            ET_TRY(runInto(expected, through, set));
            suite.cases.push_back(
                {.inputs = in.made().expectedOutputs, .expectedOutputs = expected.made().expectedOutputs});
        }
        ET_ASSIGN(bundle, bundled_program::writeBundle(content, std::span(&suite, 1)));
        out.cases = suite.cases.size();
        return check();
    }

    /// The part alone gives what the whole gave.
    Result<> check() {
        ET_ASSIGN(const auto read, bundled_program::Bundle::parse(
                                       core::MappedFile::fromMemory(bundle, settings.output.string())));
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            ET_ASSIGN(const InputSet inputs, bundledInputs(*read, whole->name, i));
            CaseMaker got(*whole);
            ET_TRY(runInto(got, content, inputs));
            if (!sameBits(got.made().expectedOutputs, suite.cases[i].expectedOutputs)) {
                return core::fail(
                    ErrorCode::Mismatch,
                    fmt::format("instructions {} to {} alone give other values than in the whole, "
                                "for set {} of inputs, so that nothing is written",
                                out.range.first, out.range.last, i),
                    {.file = settings.model.string(), .field = out.method});
            }
        }
        return {};
    }

    Result<> deliver() {
        const bool bundled = settings.output.extension() == ".bpte";
        const ByteVector& bytes = bundled ? bundle : content;
        out.bytes = content.size();
        out.cases = bundled ? out.cases : 0;
        return writeFile(settings.output, producerOf(textOf(bytes)));
    }

    const PartSettings& settings;
    std::unique_ptr<Model> model;
    const program::Method* whole = nullptr;
    ByteVector content;  ///< the part's program
    ByteVector bundle;
    bundled_program::TestSuite suite;
    std::deque<CaseMaker> makers;  ///< own the tensors of the suite
    PartResult out;
};

}  // namespace

Result<PartResult> takePart(const PartSettings& settings) {
    return PartMaker(settings).run();
}

}  // namespace et::app
