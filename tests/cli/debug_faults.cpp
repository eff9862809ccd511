#include "tests/cli/debug_faults.h"

#include "app/samples/net_program.h"
#include "app/samples/nets/nets.h"
#include "app/samples/sample_set.h"
#include "runtime/builder/program_draft.h"
#include "runtime/core/mapped_file.h"
#include "runtime/program/program.h"
#include "tests/cli/debug_fault_programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace et::test {
namespace {

using program::KernelCall;
using program::TensorInfo;
using program::ValueId;
using Bytes = std::vector<std::byte>;

/// A program that is changed in place.
class Edit {
  public:
    explicit Edit(Bytes bytes)
        : draft(program::Program::parse(core::MappedFile::fromMemory(std::move(bytes), "sample")).value()) {}

    [[nodiscard]] program::Method& method() { return draft.content().methods.front(); }
    /// The `nth` call of an operator ("aten::add") as index of its instruction.
    [[nodiscard]] std::int64_t find(std::string_view op, std::size_t nth = 0) {
        const auto& instructions = method().chains.front().instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const auto* const call = std::get_if<KernelCall>(&instructions[i]);
            if (call != nullptr && method().op(call->op).name == op && nth-- == 0) {
                return static_cast<std::int64_t>(i);
            }
        }
        ADD_FAILURE() << "no call of " << op;
        return 0;
    }
    [[nodiscard]] KernelCall& call(std::int64_t instruction) {
        return std::get<KernelCall>(
            method().chains.front().instructions[static_cast<std::size_t>(instruction)]);
    }
    [[nodiscard]] KernelCall& call(std::string_view op, std::size_t nth = 0) { return call(find(op, nth)); }
    [[nodiscard]] TensorInfo& tensor(ValueId id) { return *method().values[id.value].as<TensorInfo>(); }
    /// The result of a call with one result.
    [[nodiscard]] TensorInfo& result(std::int64_t instruction) {
        return tensor(call(instruction).args.back());
    }
    /// A writable copy of a constant.
    [[nodiscard]] std::span<float> numbers(ValueId id) {
        TensorInfo& info = tensor(id);
        Bytes& copy = kept.emplace_back(info.data.begin(), info.data.end());
        info.data = copy;
        return {reinterpret_cast<float*>(copy.data()), copy.size() / sizeof(float)};
    }
    [[nodiscard]] ValueId add(program::Value value) {
        method().values.push_back(std::move(value));
        return ValueId(static_cast<std::uint32_t>(method().values.size() - 1));
    }
    /// A tensor like another, in memory of its own at the end of the arena.
    [[nodiscard]] ValueId addCopy(ValueId id) {
        TensorInfo copy = tensor(id);
        program::Arena& arena = method().arenas[copy.allocation->arena.value];
        constexpr std::uint64_t alignment = 64;
        copy.initialData = program::InitialData::None;
        copy.data = {};
        copy.allocation->offset = (arena.bytes + alignment - 1) / alignment * alignment;
        arena.bytes = copy.allocation->offset + static_cast<std::uint64_t>(*copy.byteSize);
        return add(core::Boxed<TensorInfo>(std::move(copy)));
    }
    [[nodiscard]] Bytes write() { return draft.write().value(); }

  private:
    std::deque<Bytes> kept;
    builder::ProgramDraft draft;
};

/// The program and the ETRecord of a sample.
struct Sample {
    Bytes program;
    Bytes record;
};
const Sample& sample(const std::string& name) {
    static std::map<std::string, Sample> known;
    Sample& made = known[name];
    if (made.program.empty()) {
        auto files = samples::makeSampleSet(name).value();
        for (samples::SampleFile& file : files) {
            if (file.name == name + ".pte") {
                made.program = std::move(file.bytes);
            } else if (file.name == name + ".etrecord") {
                made.record = std::move(file.bytes);
            }
        }
    }
    return made;
}

constexpr const char* token = "--input 1 --input 0";

/// A fault in a sample, found by one watchpoint.
template <class Change>
PlantedFault watched(const std::string& name, const std::string& watch, const Change& change,
                     const std::string& arguments = "--input ones") {
    Edit edit(sample(name).program);
    const std::int64_t instruction = change(edit);
    return {.correct = sample(name).program,
            .faulty = edit.write(),
            .record = sample(name).record,
            .script = fmt::format("watch {}\nrun\n", watch),
            .instruction = instruction,
            .arguments = arguments};
}

/// A fault in a constant argument of the `nth` call of an operator, found there by a watchpoint.
template <class Change>
PlantedFault constant(const std::string& name, const std::string& watch, std::string_view op, std::size_t nth,
                      std::size_t argument, const Change& change,
                      const std::string& arguments = "--input ones") {
    return watched(
        name, watch,
        [&](Edit& edit) {
            change(edit.numbers(edit.call(op, nth).args[argument]));
            return edit.find(op, nth);
        },
        arguments);
}

constexpr std::string_view convolution = "aten::convolution";
constexpr std::string_view batchNorm = "aten::_native_batch_norm_legit_no_training";
constexpr std::string_view attention = "llama::custom_sdpa";
constexpr std::string_view updateCache = "llama::update_cache";

// Memory plans.

PlantedFault sharedMemory() {
    return watched(
        "add_mul", "overwritten",
        [](Edit& edit) {
            edit.result(1).allocation = edit.result(0).allocation;
            return 2;
        },
        "");
}

PlantedFault wrongPlanOffset() {
    return watched(
        "llama", "overwritten",
        [](Edit& edit) {
            const std::int64_t sigmoid = edit.find("aten::sigmoid");
            edit.result(sigmoid).allocation = edit.tensor(edit.call(sigmoid).args[0]).allocation;
            return sigmoid + 1;
        },
        token);
}

PlantedFault inputUnderIntermediate() {
    return watched(
        "add_mul", "overwritten",
        [](Edit& edit) {
            edit.tensor(edit.method().inputs[2]).allocation = edit.result(0).allocation;
            return 1;
        },
        "");
}

PlantedFault stateUnderIntermediate() {
    PlantedFault fault = watched(
        "llama", "overwritten",
        [](Edit& edit) {
            const std::int64_t square = edit.find("aten::mul");
            edit.result(square).allocation = edit.tensor(edit.call(updateCache).args[1]).allocation;
            return square;
        },
        token);
    Edit edit(fault.faulty);
    const TensorInfo& cache = edit.tensor(edit.call(updateCache).args[1]);
    const std::uint64_t begin = cache.allocation->offset;
    fault.script = fmt::format("watch arena {}:{}-{} write if op == \"aten.mul.out\"\nrun\n",
                               cache.allocation->arena.value, begin,
                               begin + static_cast<std::uint64_t>(*cache.byteSize));
    return fault;
}

PlantedFault uninitialisedMemory() {
    return watched(
        "add_mul", "snr < 60",
        [](Edit& edit) {
            KernelCall& call = edit.call(1);
            const ValueId copy = edit.addCopy(call.args.back());
            std::ranges::replace(call.args, ValueId(call.args.back()), copy);
            return 2;
        },
        "--seed 3");
}

// Constants.

PlantedFault nanInConstant() {
    return constant("conv_net", "nan", convolution, 0, 1,
                    [](auto numbers) { numbers[7] = std::numeric_limits<float>::quiet_NaN(); });
}

PlantedFault infinityInConstant() {
    return constant("conv_net", "inf", "aten::addmm", 0, 0,
                    [](auto numbers) { numbers[3] = std::numeric_limits<float>::infinity(); });
}

PlantedFault denormals() {
    PlantedFault fault = constant("conv_net", "denormal", batchNorm, 0, 1,
                                  [](auto numbers) { std::ranges::fill(numbers, 1e-39F); });
    Edit edit(fault.faulty);
    std::ranges::fill(edit.numbers(edit.call(batchNorm).args[2]), 0.0F);
    fault.faulty = edit.write();
    return fault;
}

PlantedFault negativeVariance() {
    return constant("conv_net", "nan", batchNorm, 1, 4, [](auto numbers) { numbers[5] = -1; });
}

PlantedFault weightsWithoutScale() {
    return constant("conv_net", "out not in -1000..1000", convolution, 1, 1, [](auto numbers) {
        for (float& each : numbers) {
            each *= 1e6F;
        }
    });
}

PlantedFault deadActivation() {
    return watched("conv_net", "zero", [](Edit& edit) {
        std::ranges::fill(edit.numbers(edit.call(batchNorm).args[2]), -1e3F);
        return edit.find("aten::relu");
    });
}

PlantedFault wipedWeights() {
    return constant("conv_net", "zero", convolution, 1, 1,
                    [](auto numbers) { std::ranges::fill(numbers, 0.0F); });
}

PlantedFault transposedWeights() {
    return constant("conv_net", "own_error", "aten::permute_copy", 0, 0,
                    [](auto numbers) { std::ranges::reverse(numbers); });
}

PlantedFault signOfWeights() {
    return constant("conv_net", "own_error", convolution, 0, 1,
                    [](auto numbers) { numbers[0] = -numbers[0]; });
}

PlantedFault rotaryTable() {
    return watched(
        "llama", "own_error",
        [](Edit& edit) {
            std::swap(edit.call("aten::index", 0).args[0], edit.call("aten::index", 1).args[0]);
            return edit.find("aten::index");
        },
        "--input 1 --input 3");
}

PlantedFault missingEpsilon() {
    return watched(
        "llama", "inf",
        [](Edit& edit) {
            std::ranges::fill(edit.numbers(edit.call("aten::embedding").args[0]), 0.0F);
            std::ranges::fill(edit.numbers(edit.call("aten::add").args[1]), 0.0F);
            return edit.find("aten::rsqrt");
        },
        token);
}

// Arguments and operators.

PlantedFault swappedInputs() {
    return watched(
        "add_mul", "own_error",
        [](Edit& edit) {
            std::swap(edit.call(0).args[0], edit.call(0).args[1]);
            return 0;
        },
        "--seed 3");
}

PlantedFault wrongOperator() {
    return watched(
        "add_mul", "own_error",
        [](Edit& edit) {
            edit.method().operators[edit.call(2).op.value].name = "aten::sub";
            return 2;
        },
        "--seed 3");
}

PlantedFault wrongFactor() {
    return watched(
        "add_mul", "own_error",
        [](Edit& edit) {
            edit.call(2).args[2] = edit.add(std::int64_t{2});
            return 2;
        },
        "--seed 3");
}

PlantedFault wrongBound() {
    return watched("conv_net", "own_error", [](Edit& edit) {
        const std::int64_t clamp = edit.find("aten::hardtanh");
        edit.call(clamp).args[2] = edit.add(0.125);
        return clamp;
    });
}

PlantedFault wrongAxis() {
    PlantedFault fault = watched("conv_net", "own_error", [](Edit& edit) {
        const std::int64_t softmax = edit.find("aten::_softmax");
        edit.call(softmax).args[1] = edit.add(std::int64_t{0});
        return softmax;
    });
    fault.script = "break *softmax* if sum(out) > 1.5\nrun\n";
    fault.reason = "breakpoint";
    return fault;
}

PlantedFault missingTranspose() {
    const Bytes attentionProgram = samples::makeProgram(samples::attentionNet()).value();
    Edit edit(attentionProgram);
    const std::int64_t permute = edit.find("aten::permute_copy");
    auto* const dims = edit.method().values[edit.call(permute).args[1].value].as<program::IntList>();
    std::ranges::reverse(dims->items);
    PlantedFault fault{.correct = attentionProgram,
                       .faulty = edit.write(),
                       .script = "watch own_error\nrun\n",
                       .instruction = permute,
                       .arguments = "--seed 3"};
    auto files = samples::makeSampleSet("faults").value();
    for (samples::SampleFile& file : files) {
        if (file.name == "nan_mask.etrecord") {
            fault.record = std::move(file.bytes);
        }
    }
    return fault;
}

PlantedFault swappedKeysAndValues() {
    return watched(
        "llama", "own_error",
        [](Edit& edit) {
            std::swap(edit.call(attention).args[1], edit.call(attention).args[2]);
            return edit.find(attention);
        },
        token);
}

/// The mask of the sample hides every token from the first one.
PlantedFault maskOfNothing() {
    const Bytes wrong = samples::makeProgram(samples::attentionNet()).value();
    Edit edit(wrong);
    const std::span<float> keep = edit.numbers(edit.call("aten::log").args[0]);
    constexpr std::size_t tokens = 4;
    for (std::size_t row = 0; row < tokens; ++row) {
        keep[(row * tokens) + row] = 1;
    }
    return {.correct = edit.write(),
            .faulty = wrong,
            .script = "watch nan\nrun\n",
            .instruction = edit.find("aten::_softmax"),
            .arguments = "--seed 3"};
}

// State.

PlantedFault staleCachePosition() {
    PlantedFault fault = watched(
        "llama", "nan",
        [](Edit& edit) {
            edit.call(updateCache, 2).args[2] = edit.add(std::int64_t{0});
            return edit.find(updateCache, 2);
        },
        token);
    fault.script = "break *update_cache* if start_pos != execution\nrun 1 0\nrun 1 1\n";
    fault.reason = "breakpoint";
    return fault;
}

PlantedFault cacheThatIsNotUpdated() {
    PlantedFault fault = watched(
        "llama", "nan",
        [](Edit& edit) {
            ValueId& cache = edit.call(updateCache, 2).args[1];
            cache = edit.addCopy(cache);
            return edit.find(attention, 1);
        },
        token);
    fault.script = "break *custom_sdpa* if max(abs(key)) == 0\nrun\n";
    fault.reason = "breakpoint";
    return fault;
}

PlantedFault stateThatIsNotReset() {
    return {.correct = accumulator(true),
            .faulty = accumulator(false),
            .script = "break aten.add.out if max(abs(self)) > 0\nrun ones\nrun ones\n",
            .reason = "breakpoint",
            .instruction = 1};
}

// Sizes and plugins.

PlantedFault wrongSliceEnd() {
    return {.correct = sliced(4), .faulty = sliced(3), .script = "watch shape\nrun\n", .instruction = 0};
}

PlantedFault saturatingScale() {
    return {.correct = quantized(0.1),
            .faulty = quantized(0.001),
            .script = "watch saturated 50%\nrun\n",
            .instruction = 0,
            .arguments = "--input ones"};
}

PlantedFault wrongPaddingConstant() {
    return {.correct = padded(0),
            .faulty = padded(-1e30),
            .script = "watch out not in -100..100\nrun\n",
            .instruction = 0,
            .arguments = "--input ones"};
}

PlantedFault pluginBeyondItsOutput() {
    return {.correct = besidePlugin("aten::neg.out"),
            .faulty = besidePlugin("my::beyond.out"),
            .script = "watch %1 ignore 1\nrun\n",
            .instruction = 1,
            .arguments = "--plugin " ET_FAULTS_PLUGIN " --input 1"};
}

}  // namespace

std::vector<DebugFault> debugFaults() {
    return {
        {"shared_memory", sharedMemory},
        {"wrong_plan_offset", wrongPlanOffset},
        {"input_under_intermediate", inputUnderIntermediate},
        {"state_under_intermediate", stateUnderIntermediate},
        {"uninitialised_memory", uninitialisedMemory},
        {"nan_in_constant", nanInConstant},
        {"infinity_in_constant", infinityInConstant},
        {"denormals", denormals},
        {"negative_variance", negativeVariance},
        {"weights_without_scale", weightsWithoutScale},
        {"dead_activation", deadActivation},
        {"wiped_weights", wipedWeights},
        {"transposed_weights", transposedWeights},
        {"sign_of_weights", signOfWeights},
        {"rotary_table", rotaryTable},
        {"missing_epsilon", missingEpsilon},
        {"swapped_inputs", swappedInputs},
        {"wrong_operator", wrongOperator},
        {"wrong_factor", wrongFactor},
        {"wrong_bound", wrongBound},
        {"wrong_axis", wrongAxis},
        {"missing_transpose", missingTranspose},
        {"swapped_keys_and_values", swappedKeysAndValues},
        {"mask_of_nothing", maskOfNothing},
        {"stale_cache_position", staleCachePosition},
        {"cache_not_updated", cacheThatIsNotUpdated},
        {"state_not_reset", stateThatIsNotReset},
        {"wrong_slice_end", wrongSliceEnd},
        {"saturating_scale", saturatingScale},
        {"wrong_padding_constant", wrongPaddingConstant},
        {"plugin_beyond_its_output", pluginBeyondItsOutput},
    };
}

}  // namespace et::test
