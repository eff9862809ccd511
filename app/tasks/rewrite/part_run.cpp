#include "app/tasks/rewrite/part_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/rewrite/instruction_choice.h"
#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_record.h"
#include "inspector/session/record_check.h"

#include <utility>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::size_t mostPartCases = 64;

std::vector<PartValue> describeAll(const program::Method& method, const std::vector<program::ValueId>& ids) {
    std::vector<PartValue> values;
    for (const program::ValueId id : ids) {
        values.push_back({.value = id.value, .type = describe(method.value(id))});
    }
    return values;
}

Result<PartChoice> choiceOf(const PartSettings& settings, const program::Method& whole) {
    auto instructions = chooseInstructions(whole, {.instructions = settings.instructions,
                                                   .module = settings.module,
                                                   .node = settings.node,
                                                   .delegate = settings.delegate,
                                                   .record = settings.options.record});
    if (!instructions) {
        return std::unexpected(std::move(instructions).error().in(settings.model.string()));
    }
    PartChoice choice{.instructions = *std::move(instructions)};
    if (!settings.nodes.empty()) {
        ET_ASSIGN(choice.nodes, parseNodeChoice(settings.nodes, choice.instructions, "--nodes"));
    }
    return choice;
}

}  // namespace

Result<PartResult> takePart(const PartSettings& settings) {
    ET_ASSIGN(const auto maker, PartMaker::open(settings.model, settings.options, mostPartCases));
    ET_ASSIGN(const PartChoice choice, choiceOf(settings, maker->whole()));
    ET_TRY(maker->cut(choice));
    ET_TRY(maker->makeInputs());
    ET_TRY(maker->makeExpected());
    ET_TRY(maker->check());
    ET_TRY(refuseToReplace(settings.output, Model::files(settings.model, settings.options)));
    const bool bundled = settings.output.extension() == ".bpte";
    ET_ASSIGN(const ByteVector bytes, bundled ? maker->bundle() : maker->content());
    ET_TRY(writeFile(settings.output, producerOf(textOf(bytes))));
    const inspector::MethodPart& part = maker->part();
    PartResult result{.method = std::string(maker->whole().name),
                      .taken = choice.instructions,
                      .nodes = choice.nodes,
                      .instructions = maker->whole().chains.front().instructions.size(),
                      .inputs = describeAll(part.method, part.inputs),
                      .outputs = describeAll(part.method, part.outputs),
                      .cases = bundled ? maker->cases().cases.size() : 0,
                      .bytesBefore = maker->base().program->bytes.size(),
                      .bytes = maker->content().size()};
    if (!settings.options.record.empty()) {
        ET_ASSIGN(const auto record, etrecord::Record::open(settings.options.record));
        const auto wrong = inspector::contradiction(*record, maker->whole());
        const Result<> written = wrong ? core::fail(core::ErrorCode::InvalidArgument, *wrong)
                                       : writePartRecord(*maker, choice, *record, settings.output,
                                                         Model::files(settings.model, settings.options));
        result.record = written ? partRecordFile(settings.output) : std::filesystem::path();
        result.recordProblem = written ? std::string() : written.error().toString();
    }
    return result;
}

}  // namespace et::tasks
