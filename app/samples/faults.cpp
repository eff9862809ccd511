#include "app/samples/faults.h"

#include "app/samples/llama.h"
#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"
#include "app/samples/nets/nets.h"
#include "runtime/builder/program_draft.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace et::samples {
namespace {

using core::Result;
using program::KernelCall;
using program::Method;
using program::TensorInfo;

/// Changes the first method of a program.
template <class Change>
Result<std::vector<std::byte>> changed(std::vector<std::byte> bytes, const Change& change) {
    ET_ASSIGN(auto original,
              program::Program::parse(core::MappedFile::fromMemory(std::move(bytes), "sample")));
    builder::ProgramDraft draft(std::move(original));
    change(draft.content().methods.front());
    return draft.write();
}

void add(std::vector<SampleFile>& files, std::string_view name, std::vector<std::byte> bytes,
         std::vector<std::byte> record) {
    files.push_back({.name = std::string(name) + ".pte", .bytes = std::move(bytes)});
    files.push_back({.name = std::string(name) + ".etrecord", .bytes = std::move(record)});
}

/// Plans the results of the first two instructions at the same address.
void shareMemory(Method& method) {
    const auto result = [&](std::size_t instruction) -> TensorInfo& {
        const auto& call = std::get<KernelCall>(method.chains.front().instructions[instruction]);
        return *method.values[call.args.back().value].as<TensorInfo>();
    };
    result(1).allocation = result(0).allocation;
}

/// Redirects the second layer's first update_cache to a copy that nothing reads.
void writeToCopy(Method& method) {
    constexpr std::size_t perLayer = 2;
    std::size_t updates = 0;
    for (program::Instruction& instruction : method.chains.front().instructions) {
        auto* const call = std::get_if<KernelCall>(&instruction);
        if (call == nullptr || method.op(call->op).name != "llama::update_cache" || updates++ != perLayer) {
            continue;
        }
        TensorInfo copy = *method.value(call->args[1]).as<TensorInfo>();
        program::Arena& arena = method.arenas[copy.allocation->arena.value];
        copy.initialData = program::InitialData::None;
        copy.data = {};
        constexpr std::uint64_t alignment = 64;
        copy.allocation->offset = (arena.bytes + alignment - 1) / alignment * alignment;
        arena.bytes = copy.allocation->offset + static_cast<std::uint64_t>(copy.byteSize.value_or(0));
        call->args[1] = program::ValueId(static_cast<std::uint32_t>(method.values.size()));
        method.values.emplace_back(core::Boxed<TensorInfo>(std::move(copy)));
        return;
    }
}

/// Adds the program of a net after a change, and the ETRecord of the net.
template <class Change>
Result<> addNet(std::vector<SampleFile>& files, std::string_view name, const Net& net, const Change& change) {
    constexpr RunOptions oneCase{.cases = 1, .executions = 1, .debugLevel = core::DebugLevel::None};
    ET_ASSIGN(std::vector<std::byte> program, makeProgram(net));
    ET_ASSIGN(const NetRun run, runNet(net, program, oneCase));
    ET_ASSIGN(std::vector<std::byte> record, makeRecord(net, run.cases));
    ET_ASSIGN(program, changed(std::move(program), change));
    add(files, name, std::move(program), std::move(record));
    return {};
}

}  // namespace

Result<std::vector<SampleFile>> makeFaults() {
    std::vector<SampleFile> files;
    ET_TRY(addNet(files, "nan_mask", attentionNet(), [](Method&) {}));
    ET_TRY(addNet(files, "shared_memory", addMulNet(), shareMemory));
    ET_ASSIGN(std::vector<SampleFile> llama, makeLlama());
    ET_ASSIGN(std::vector<std::byte> cached, changed(std::move(llama[0].bytes), writeToCopy));
    add(files, "stale_cache", std::move(cached), std::move(llama[1].bytes));
    return files;
}

}  // namespace et::samples
