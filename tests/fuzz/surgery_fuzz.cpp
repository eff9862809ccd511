// Fuzzes rewriting of programs: parts of a method (extract, reduce), operators removed from a delegate,
// smaller memory plans and other changes (replan). For any file, the output must be readable, and a plan must
// not grow.
#include "backends/delegate_part.h"
#include "inspector/memory/program_range.h"
#include "inspector/memory/replan.h"
#include "runtime/builder/program_draft.h"
#include "runtime/builder/tensor_data_writer.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/mutate_program.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using et::core::Bytes;
using et::core::Result;
using et::fuzz::require;
using et::program::Method;
using et::program::Program;
using Shared = std::shared_ptr<const Program>;

constexpr std::size_t partsOfMethod = 6;

Shared parseProgram(std::vector<std::byte> bytes) {
    const auto read = Program::parse(et::core::MappedFile::fromMemory(std::move(bytes)));
    return read ? *read : nullptr;
}

/// The same bytes always get the same choices.
std::uint64_t seedOf(Bytes bytes) {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::byte byte : bytes) {
        hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211U;
    }
    return hash;
}

std::vector<std::size_t> someBelow(std::size_t count, std::mt19937_64& random) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % 2 == 0) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

std::vector<std::size_t> range(std::size_t first, std::size_t count) {
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), first);
    return chosen;
}

et::inspector::ReplanOptions quickPlan() {
    et::inspector::ReplanOptions options;
    options.effort.rounds = 20;
    return options;
}

/// Writes a part as extract and reduce do.
void writePart(const Shared& program, const et::inspector::MethodPart& part) {
    et::builder::ProgramDraft draft(program);
    draft.setOnlyMethod(part.method);
    draft.dropUnused();
    draft.dropUnusedTables();
    if (!et::inspector::replan(draft.content().methods, quickPlan())) {
        return;
    }
    if (auto written = draft.write()) {
        const Shared read = parseProgram(*std::move(written));
        require(read != nullptr && read->methods.size() == 1);
        require(read->methods[0].inputs.size() == part.inputs.size());
        require(read->methods[0].outputs.size() == part.outputs.size());
    }
}

void takeParts(const Shared& program, const Method& original, std::mt19937_64& random) {
    Method method = original;
    if (!et::inspector::spreadPlan(method) || method.chains.size() != 1) {
        return;
    }
    const std::size_t count = method.chains.front().instructions.size();
    for (std::size_t i = 0; i < partsOfMethod && count > 0 && count <= 64; ++i) {
        const std::size_t first = random() % count;
        const auto chosen =
            i % 2 == 0 ? range(first, 1 + random() % (count - first)) : someBelow(count, random);
        if (const auto part = et::inspector::cutInstructions(method, chosen)) {
            writePart(program, *part);
        }
    }
}

void takeNodes(const Method& method, std::mt19937_64& random) {
    for (const et::program::Delegate& delegate : method.delegates) {
        const auto nodes = et::backends::nodesIn(delegate);
        if (!nodes) {
            continue;
        }
        const auto chosen = someBelow(nodes->size(), random);
        if (auto part = et::backends::takeNodes(delegate, chosen)) {
            et::program::Delegate made = delegate;
            made.payload = part->payload;
            const auto again = et::backends::nodesIn(made);
            require(again && again->size() >= chosen.size());
        }
    }
}

/// Rewrites a program as replan does.
void writeAnew(const Shared& program, std::mt19937_64& random) {
    et::builder::ProgramDraft draft(program);
    const auto planned = et::inspector::replan(draft.content().methods, quickPlan());
    if (!planned) {
        return;
    }
    for (const auto& method : *planned) {
        require(method.after() <= method.before());
    }
    if (random() % 2 == 0) {
        draft.dropNames();
        draft.dropUnused();
    }
    const bool isMoved = random() % 2 == 0;
    const auto entries = isMoved ? draft.externalize() : std::vector<et::program::TensorDataEntry>();
    auto written = draft.write();
    if (!written) {
        return;
    }
    const Shared read = parseProgram(*std::move(written));
    require(read != nullptr && read->methods.size() == program->methods.size());
    auto weights = isMoved ? et::builder::writeTensorData(entries) : Result<std::vector<std::byte>>();
    if (!isMoved || !weights) {
        return;
    }
    const auto data = et::program::TensorData::parse(et::core::MappedFile::fromMemory(*std::move(weights)));
    require(data.has_value());
    et::builder::ProgramDraft back(read);
    const std::shared_ptr<const et::program::TensorData> files[] = {*data};
    if (back.takeIn(files)) {
        auto whole = back.write();
        require(whole && parseProgram(*std::move(whole)) != nullptr);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const Shared program = parseProgram({bytes.begin(), bytes.end()});
    if (program == nullptr) {
        return 0;
    }
    std::mt19937_64 random(seedOf(bytes));
    for (const Method& method : program->methods) {
        takeParts(program, method, random);
        takeNodes(method, random);
    }
    writeAnew(program, random);
    return 0;
}

#ifdef ET_LIBFUZZER
namespace {
std::string mutatedProgram(std::string_view text, std::mt19937_64& random) {
    const Bytes bytes = std::as_bytes(std::span(text));
    const Shared program = parseProgram({bytes.begin(), bytes.end()});
    const auto made =
        program == nullptr ? std::vector<std::byte>() : et::fuzz::mutateProgram(*program, random);
    return {reinterpret_cast<const char*>(made.data()), made.size()};
}
}  // namespace
#define ET_FUZZ_MUTATE mutatedProgram
#endif
#include "tests/fuzz/support/structure_mutator.h"
