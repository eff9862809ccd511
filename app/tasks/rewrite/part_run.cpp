#include "app/tasks/rewrite/part_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/base/suggestion.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/rewrite/number_list.h"
#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_record.h"
#include "etrecord/record.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/program_range.h"
#include "inspector/session/record_check.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::InstructionRange;

/// Selects instructions; exactly one of the first members is set.
struct InstructionChoice {
    std::string instructions;  ///< "40..55", "7", "3,5..9"
    std::string module;        ///< "layers.3", including nested modules; needs the record
    std::string node;          ///< name of an Edge node; needs the record
    std::optional<std::size_t> delegate;
    std::filesystem::path record;  ///< ETRecord; may be empty
};

Result<InstructionRange> delegateCall(const program::Method& method, std::size_t delegate) {
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto* const call = std::get_if<program::DelegateCall>(&instructions[i]);
        if (call != nullptr && call->delegate.value == delegate) {
            return InstructionRange{.first = i, .last = i};
        }
    }
    return fail(ErrorCode::NotFound, fmt::format("no instruction calls delegate {}; the method has {}",
                                                 delegate, method.delegates.size()));
}

/// Name to search for in the nodes of instructions.
struct Wanted {
    std::string_view kind;  ///< "module"
    const std::string& name;
    /// Returns the names of that kind for a node.
    std::function<std::vector<std::string>(const etrecord::Node&)> namesOf;
};

/// " (did you mean 'layers.3'?)", or the known names if none is close.
std::string hint(const Wanted& wanted, const std::vector<std::string>& known) {
    constexpr std::size_t most = 5;
    std::string near = didYouMean(wanted.name, known);
    if (!near.empty() || known.empty()) {
        return core::printable(near);
    }
    return core::printable(
        fmt::format("; it has {}{}", fmt::join(known | std::views::take(most), ", "),
                    known.size() > most ? fmt::format(" and {} more", known.size() - most) : ""));
}

/// Range from the first to the last instruction with a node of that name.
Result<InstructionRange> ofNodes(const program::Method& method, const std::filesystem::path& path,
                                 const Wanted& wanted) {
    if (path.empty()) {
        return fail(ErrorCode::InvalidArgument, "--module and --node need --etrecord");
    }
    ET_ASSIGN(const auto record, openRecord(path));
    if (auto wrong = inspector::contradiction(*record, method)) {
        return fail(ErrorCode::InvalidArgument, *std::move(wrong), {.file = path.string()});
    }
    const inspector::InstructionNodes nodes(record.get(), method.name);
    std::vector<std::string> known;
    std::optional<InstructionRange> range;
    for (std::size_t i = 0; i < method.chains.front().instructions.size(); ++i) {
        const auto found = nodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(i)));
        for (const etrecord::Node* const node : found) {
            for (std::string& name : wanted.namesOf(*node)) {
                if (name == wanted.name) {
                    range = InstructionRange{.first = range ? range->first : i, .last = i};
                } else if (!std::ranges::contains(known, name)) {
                    known.push_back(std::move(name));
                }
            }
        }
    }
    if (!range) {
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction belongs to {} {}{}", wanted.kind,
                                core::printable(wanted.name), hint(wanted, known)),
                    {.file = path.string()});
    }
    return *range;
}

std::vector<std::size_t> allOf(const InstructionRange& range) {
    std::vector<std::size_t> all(range.last - range.first + 1);
    std::iota(all.begin(), all.end(), range.first);
    return all;
}

/// Modules that contain the node, outermost first.
std::vector<std::string> modulesOf(const etrecord::Node& node) {
    std::vector<std::string> names;
    for (const etrecord::ModuleFrame& frame : node.moduleStack) {
        if (!frame.fqn.empty()) {
            names.push_back(frame.fqn);
        }
    }
    return names;
}

Result<std::vector<std::size_t>> chooseInstructions(const program::Method& method,
                                                    const InstructionChoice& choice) {
    const int given = (choice.instructions.empty() ? 0 : 1) + (choice.module.empty() ? 0 : 1) +
                      (choice.node.empty() ? 0 : 1) + (choice.delegate ? 1 : 0);
    if (given != 1) {
        return fail(ErrorCode::InvalidArgument,
                    "select what to extract with --instructions, --module, --node or --delegate");
    }
    if (method.chains.empty()) {
        return fail(ErrorCode::Unsupported, "the method has no instructions");
    }
    if (!choice.instructions.empty()) {
        return parseNumberList(choice.instructions, "--instructions");
    }
    if (choice.delegate) {
        return delegateCall(method, *choice.delegate).transform(allOf);
    }
    const Wanted node{.kind = "node", .name = choice.node, .namesOf = [](const etrecord::Node& each) {
                          return std::vector<std::string>{each.name};
                      }};
    const Wanted module{.kind = "module", .name = choice.module, .namesOf = modulesOf};
    return ofNodes(method, choice.record, choice.node.empty() ? module : node).transform(allOf);
}

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
    return withNumberProducers(whole, std::move(choice));
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
        ET_ASSIGN(const auto record, openRecord(settings.options.record));
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
