#include "app/tasks/rewrite/part_maker.h"

#include "bundled_program/writer.h"
#include "inspector/memory/replan.h"
#include "runtime/builder/program_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::ErrorCode;
using core::Result;

bool sameBits(const std::vector<BundledValue>& left, const std::vector<BundledValue>& right) {
    return std::ranges::equal(left, right, [](const BundledValue& one, const BundledValue& other) {
        const auto* const tensor = std::get_if<BundledTensor>(&one);
        const auto* const second = std::get_if<BundledTensor>(&other);
        if (tensor == nullptr || second == nullptr) {
            return one.index() == other.index();
        }
        return tensor->scalarType == second->scalarType && tensor->sizes == second->sizes &&
               std::ranges::equal(tensor->data, second->data);
    });
}

/// Converts a case's values to inputs of a method. Borrows them.
InputSet inputsOf(const std::vector<BundledValue>& values) {
    InputSet set;
    for (std::size_t i = 0; i < values.size(); ++i) {
        set.sources.push_back(fmt::format("value {} of the part", i));
        set.values.push_back(std::visit(
            []<class T>(const T& content) -> executor::InputValue {
                if constexpr (std::is_same_v<T, BundledTensor>) {
                    return executor::TensorInput{.dtype = static_cast<core::ScalarType>(content.scalarType),
                                                 .sizes = content.sizes,
                                                 .dimOrder = content.dimOrder,
                                                 .data = content.data};
                } else {
                    return content;
                }
            },
            values[i]));
    }
    return set;
}

/// Inputs of a method: those of a case, all cases of a bundled program, given or random ones.
Result<std::deque<InputSet>> findInputs(const Model& model, const program::Method& method,
                                        const ModelOptions& options, std::size_t most) {
    std::deque<InputSet> sets;
    if (options.inputs.empty() && options.testCase && model.bundle != nullptr) {
        ET_ASSIGN(InputSet set, bundledInputs(*model.bundle, method.name, *options.testCase));
        sets.push_back(std::move(set));
    } else if (options.inputs.empty()) {
        ET_ASSIGN(sets, caseInputs(model.bundle.get(), method.name, most));
    } else {
        ET_ASSIGN(InputSet set, model.givenInputs(method, options));
        sets.push_back(std::move(set));
    }
    if (sets.empty()) {
        ET_ASSIGN(InputSet set, randomInputs(method, options.seed, model.limits.memoryBytes));
        sets.push_back(std::move(set));
    }
    return sets;
}

}  // namespace

Result<PartChoice> withNumberProducers(const program::Method& whole, PartChoice choice) {
    ET_ASSIGN(const auto producers, inspector::numberProducers(whole, choice.instructions));
    std::vector<std::size_t>& all = choice.instructions;
    all.insert(all.end(), producers.begin(), producers.end());
    std::ranges::sort(all);
    return choice;
}

Result<std::unique_ptr<PartMaker>> PartMaker::open(const std::filesystem::path& path,
                                                   const ModelOptions& options, std::size_t inputs) {
    ET_ASSIGN(auto opened, core::MappedFile::open(path));
    return open(std::move(opened), options, inputs);
}

Result<std::unique_ptr<PartMaker>> PartMaker::open(std::shared_ptr<const core::MappedFile> opened,
                                                   const ModelOptions& options, std::size_t inputs) {
    auto maker = std::make_unique<PartMaker>();
    maker->file = opened->name();
    ET_ASSIGN(maker->model, Model::prepare(std::move(opened), options));
    ET_ASSIGN(maker->original, chooseMethod(*maker->model->program, options.method));
    if (maker->original->chains.size() != 1) {
        return core::fail(
            ErrorCode::Unsupported,
            fmt::format("expected a method of one chain, got {} chains", maker->original->chains.size()),
            {.file = maker->file});
    }
    maker->method = *maker->original;
    ET_TRY(inspector::spreadPlan(maker->method));
    ET_ASSIGN(maker->sets, findInputs(*maker->model, maker->method, options, inputs));
    return maker;
}

Result<> PartMaker::cut(const PartChoice& choice) {
    const auto take = [&]() -> Result<inspector::MethodPart> {
        if (choice.nodes.empty()) {
            return inspector::cutInstructions(method, choice.instructions);
        }
        ET_ASSIGN(opened, ExpandedDelegates::make(method, choice.nodes));
        return opened->take(choice.instructions);
    };
    opened.reset();
    changes.reset();
    suite = {.method = method.name};
    makers.clear();
    blocks.clear();
    auto part = take();
    if (!part) {
        return std::unexpected(std::move(part).error().in(file));
    }
    taken = *std::move(part);
    end = choice.instructions.back() + 1;
    ET_ASSIGN(written, write(taken->method));
    return {};
}

/// Builds a program with only this method and the data that it needs, including data from external files.
Result<ByteVector> PartMaker::write(const program::Method& made) const {
    builder::ProgramDraft draft(model->program);
    draft.setOnlyMethod(made);
    draft.dropUnused();
    draft.dropUnusedTables();
    ET_TRY(draft.takeIn(model->tensorData));
    if (const auto used = namedDataInUse(draft.content())) {
        draft.dropNamedData([&](std::string_view key) { return used->contains(key); });
    }
    inspector::ReplanOptions plan;
    ET_TRY(inspector::replan(draft.content().methods, plan));
    return draft.write();
}

Result<ProgramPiece> PartMaker::load(const ByteVector& bytes, core::EventTracer* tracer) const {
    ET_ASSIGN(auto program, program::Program::parse(core::MappedFile::fromMemory(bytes, file)));
    return ProgramPiece::load(*model, std::move(program), method.name, tracer);
}

InputSet PartMaker::inputsOfCase(std::size_t index) const {
    return inputsOf(suite.cases[index].inputs);
}

/// Builds a program of the instructions up to `last`, with outputs `wanted`.
Result<ByteVector> PartMaker::prefix(std::size_t last, const std::vector<program::ValueId>& wanted) {
    if (opened) {
        ET_ASSIGN(const program::Method before, opened->prefix(last, wanted));
        return write(before);
    }
    ET_ASSIGN(const program::Method before, inspector::cutPrefix(method, last, wanted));
    return write(before);
}

/// Runs a program and stores its outputs in the tensors of `values`.
Result<> PartMaker::runInto(CaseMaker& values, const ByteVector& program, const InputSet& inputs) const {
    ET_ASSIGN(const ProgramPiece piece, load(program, nullptr));
    ET_TRY(piece.execute(inputs));
    return values.setExpected(*piece.method);
}

Result<> PartMaker::makeInputs() {
    ET_ASSIGN(const ByteVector before, prefix(taken->inputsAt, taken->inputs));
    for (const InputSet& set : sets) {
        CaseMaker& in = makers.emplace_back(taken->method);
        ET_TRY(runInto(in, before, set));
        suite.cases.push_back({.inputs = in.made().expectedOutputs, .expectedOutputs = {}});
    }
    return {};
}

Result<> PartMaker::makeExpected() {
    ET_ASSIGN(const ByteVector through, prefix(end, taken->outputs));
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
        CaseMaker& expected = makers.emplace_back(taken->method);
        ET_TRY(runInto(expected, through, sets[i]));
        suite.cases[i].expectedOutputs = expected.made().expectedOutputs;
    }
    return {};
}

Result<> PartMaker::expectFromPart() {
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
        ET_ASSIGN(const ProgramPiece piece, load(written, nullptr));
        ET_TRY(piece.execute(inputsOfCase(i)));
        CaseMaker& expected = makers.emplace_back(taken->method);
        ET_TRY(expected.setExpected(*piece.method));
        suite.cases[i].expectedOutputs = expected.made().expectedOutputs;
    }
    return {};
}

Result<> PartMaker::check() const {
    for (std::size_t i = 0; i < suite.cases.size(); ++i) {
        ET_ASSIGN(const ProgramPiece piece, load(written, nullptr));
        ET_TRY(piece.execute(inputsOfCase(i)));
        CaseMaker got(taken->method);
        ET_TRY(got.setExpected(*piece.method));
        if (!sameBits(got.made().expectedOutputs, suite.cases[i].expectedOutputs)) {
            return core::fail(ErrorCode::Mismatch,
                              fmt::format("nothing was written: the extracted part computes different values "
                                          "than in the whole program for input set {}",
                                          i),
                              {.file = file, .field = std::string(method.name)});
        }
    }
    return {};
}

Result<ByteVector> PartMaker::bundle() const {
    return bundled_program::writeBundle(written, std::span(&suite, 1));
}

}  // namespace et::tasks
