// Fuzzes execution: programs unchanged, and with structured changes that byte flips would not reach.

#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"
#include "tests/fuzz/support/mutate_program.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using et::core::Bytes;

/// Small, so that no single operator runs for more than a few seconds.
constexpr et::executor::Limits limits{.memoryBytes = 1 << 18, .temporaryBytes = 1 << 20, .instructions = 500};
constexpr int mutants = 3;

volatile unsigned sink = 0;

void touch(et::core::Value& value) {
    if (const auto* tensor = value.as<et::core::Tensor>()) {
        for (const std::byte element : tensor->rawBytes()) {
            sink = sink + std::to_integer<unsigned>(element);
        }
    }
}

/// Returns bytes that are ordinary values for most dtypes, some of them special.
std::vector<std::byte> inputBytes(const et::program::TensorInfo& info, std::mt19937_64& random) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(info.byteSize.value_or(0)));
    const bool isFloat = info.scalarType == 6;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        const float number = random() % 32 == 0 ? -1.0F / 0.0F : static_cast<float>(random() % 64) / 8 - 4;
        const auto small = static_cast<std::uint32_t>(random() % 3);
        std::memcpy(bytes.data() + i, isFloat ? static_cast<const void*>(&number) : &small, 4);
    }
    return bytes;
}

void setInput(et::executor::Method& method, std::size_t index, std::mt19937_64& random) {
    const auto& description = method.description();
    const auto& declared = description.value(description.inputs[index]);
    if (const auto* info = declared.as<et::program::TensorInfo>()) {
        const auto bytes = inputBytes(*info, random);
        (void)method.setInput(
            index, et::executor::TensorInput{.dtype = static_cast<et::core::ScalarType>(info->scalarType),
                                             .sizes = info->sizes,
                                             .dimOrder = info->dimOrder,
                                             .data = bytes});
    } else if (const auto* number = declared.as<std::int64_t>()) {
        (void)method.setInput(index, *number);
    } else {
        (void)method.setInput(index, static_cast<std::int64_t>(random() % 5));
    }
}

void run(std::shared_ptr<const et::program::Program> program, const et::bundled_program::Bundle* bundle) {
    const et::kernels::ThreadPool threads(1);
    et::executor::Module module(program,
                                {.kernels = et::kernels::builtin(), .threads = threads, .limits = limits});
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < std::min<std::size_t>(program->methods.size(), 4); ++i) {
        const auto loaded = module.load(program->methods[i].name);
        if (!loaded) {
            sink = sink + static_cast<unsigned>(loaded.error().toString().size());
            continue;
        }
        et::executor::Method& method = **loaded;
        for (int execution = 0; execution < 2; ++execution) {
            const auto* suite = bundle == nullptr ? nullptr : bundle->findSuite(program->methods[i].name);
            const bool given = suite != nullptr && !suite->cases.empty() &&
                               et::bundled_program::setInputs(method, suite->cases[0]);
            for (std::size_t input = 0; !given && input < method.inputCount(); ++input) {
                setInput(method, input, random);
            }
            if (const auto done = method.execute(); !done) {
                sink = sink + static_cast<unsigned>(done.error().toString().size());
                continue;
            }
            for (std::size_t output = 0; output < method.outputCount(); ++output) {
                touch(method.output(output));
            }
        }
    }
}

struct ProgramInput {
    std::shared_ptr<const et::bundled_program::Bundle> bundle;  ///< null for a bare program
    std::shared_ptr<const et::program::Program> program;        ///< null: neither
};

ProgramInput read(Bytes bytes) {
    ProgramInput input;
    const auto file = et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()});
    if (const auto bundle = et::bundled_program::Bundle::parse(file)) {
        input.bundle = *bundle;
    }
    const auto program = input.bundle ? et::program::Program::parse(file, input.bundle->program)
                                      : et::program::Program::parse(file);
    input.program = program ? *program : nullptr;
    return input;
}

Bytes asBytes(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const std::byte*>(data), size};
}

/// The same bytes always get the same mutations.
std::uint64_t seedOf(Bytes bytes) {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::byte byte : bytes) {
        hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211U;
    }
    return hash;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ProgramInput input = read(asBytes(data, size));
    if (!input.program) {
        return 0;
    }
    run(input.program, input.bundle.get());
    std::mt19937_64 random(seedOf(asBytes(data, size)));
    for (int i = 0; i < mutants; ++i) {
        const ProgramInput mutant = read(et::fuzz::mutateProgram(*input.program, random));
        if (mutant.program) {
            run(mutant.program, nullptr);
        }
    }
    return 0;
}

#ifdef ET_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    const ProgramInput input = random() % 4 == 0 ? ProgramInput{} : read(asBytes(data, size));
    if (input.program) {
        const auto mutant = et::fuzz::mutateProgram(*input.program, random);
        if (!mutant.empty() && mutant.size() <= maxSize) {
            std::memcpy(data, mutant.data(), mutant.size());
            return mutant.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
#endif
