#include "app/tasks/rewrite/shadow_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/rewrite/memory_poison.h"
#include "backends/interpreted/runnable.h"
#include "inspector/format/checksum.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/core/value.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using core::Tensor;
using core::Value;

std::string bitsOf(Value& value) {
    std::string bits(value.kindName());
    if (const auto* const tensor = value.as<Tensor>()) {
        bits +=
            fmt::format(" {} {} ", core::scalarTypeName(tensor->dtype()), core::sizesText(tensor->sizes()));
        bits.append(reinterpret_cast<const char*>(tensor->raw()), tensor->bytes());
    } else if (const auto scalar = value.scalar()) {
        const auto append = [&bits](auto number) {
            bits.append(reinterpret_cast<const char*>(&number), sizeof(number));
        };
        if (const auto* const whole = value.as<std::int64_t>()) {
            append(*whole);
        } else if (const auto* const real = value.as<double>()) {
            append(*real);
        } else if (const auto* const truth = value.as<bool>()) {
            append(*truth);
        }
    } else if (const auto tensors = value.tensors(false)) {
        for (const Tensor* const each : *tensors) {
            bits.append(reinterpret_cast<const char*>(each->raw()), each->bytes());
        }
    }
    return bits;
}

/// State must be equal too, which only a second execution shows.
constexpr std::size_t executions = 2;
constexpr std::uint64_t mostInputBytes = std::uint64_t{2} << 30U;

/// Of each output of all executions: its content, or the digest of a large one.
using Outputs = std::vector<std::string>;

std::string digested(std::string bits) {
    constexpr std::size_t maxKept = std::size_t{1} << 16U;
    return bits.size() <= maxKept
               ? std::move(bits)
               : inspector::format::sha256(std::as_bytes(std::span(bits.data(), bits.size())));
}

/// One of the two programs, with its method loaded.
class ShadowRun {
  public:
    ShadowRun(const RunnableProgram& what, bool poisoned)
        : threads(1),
          module(what.program, {.kernels = kernels::builtin(),
                                .backends = backends::runnable(),
                                .tensorData = what.tensorData,
                                .threads = threads,
                                .tracer = poisoned ? &poison : nullptr,
                                .cancel = &InterruptionGuard::requested()}),
          poisons(poisoned) {}

    Result<> load(std::string_view name) {
        ET_ASSIGN(method, module.load(name));
        return poisons ? poison.watch(*method) : Result<>();
    }

    Result<Outputs> run(const InputSet& inputs) {
        Outputs outputs;
        for (std::size_t i = 0; i < executions; ++i) {
            if (poisons) {
                poison.beforeInputs();
            }
            ET_TRY(inputs.give(*method));
            ET_TRY(method->execute());
            std::ranges::transform(outputBits(*method), std::back_inserter(outputs),
                                   [](std::string& bits) { return digested(std::move(bits)); });
        }
        return outputs;
    }

  private:
    kernels::ThreadPool threads;
    MemoryPoison poison;
    executor::Module module;
    executor::Method* method = nullptr;
    bool poisons;
};

/// Inputs of all cases; one random set if there are none.
Result<std::deque<InputSet>> inputsOf(const program::Method& method, const bundled_program::Bundle* bundle) {
    ET_ASSIGN(auto sets, caseInputs(bundle, method.name, std::numeric_limits<std::size_t>::max()));
    if (sets.empty()) {
        ET_ASSIGN(InputSet set, randomInputs(method, 0, mostInputBytes));
        sets.push_back(std::move(set));
    }
    return sets;
}

/// Compares the outputs; empty: equal.
std::string compare(const Outputs& left, const Outputs& right, std::size_t set) {
    const auto [one, other] = std::ranges::mismatch(left, right);
    if (one == left.end() && other == right.end()) {
        return {};
    }
    const auto at = static_cast<std::size_t>(one - left.begin());
    const std::size_t outputs = std::max<std::size_t>(left.size() / executions, 1);
    return fmt::format("output {} of input set {} differs in execution {}", at % outputs, set,
                       at / outputs + 1);
}

/// Runs the original on the input sets until it fails.
std::vector<Outputs> runOriginal(const RunnableProgram& original, const std::deque<InputSet>& sets,
                                 ShadowRunResult& out) {
    std::vector<Outputs> all;
    ShadowRun run(original, false);
    if (const auto loaded = run.load(out.method); !loaded) {
        out.notRun = loaded.error().message;
        return all;
    }
    for (const InputSet& set : sets) {
        auto outputs = run.run(set);
        if (!outputs) {
            out.notRun = all.empty() ? outputs.error().message : std::string();
            break;
        }
        all.push_back(*std::move(outputs));
    }
    return all;
}

/// Runs the twin on the input sets that the original runs on.
void runTwin(const RunnableProgram& twin, const std::deque<InputSet>& sets,
             std::span<const Outputs> originals, ShadowRunResult& out) {
    ShadowRun run(twin, true);
    if (const auto loaded = run.load(out.method); !loaded) {
        out.difference = fmt::format("only the original loads: {}", loaded.error().message);
        return;
    }
    for (std::size_t i = 0; i < originals.size() && out.difference.empty(); ++i) {
        const auto got = run.run(sets[i]);
        out.difference = got ? compare(originals[i], *got, i)
                             : fmt::format("only the original runs: {}", got.error().message);
        out.cases += out.difference.empty() ? 1 : 0;
    }
}

void releasePages(const RunnableProgram& program) {
    program.program->file->release(0, program.program->file->bytes().size());
    for (const auto& data : program.tensorData) {
        data->file->release(0, data->file->bytes().size());
    }
}

/// One after the other, so that only one of them has its weights in memory.
Result<ShadowRunResult> runMethod(const RunnableProgram& original, const RunnableProgram& rewritten,
                                  const program::Method& method, const bundled_program::Bundle* bundle) {
    ShadowRunResult out{.method = std::string(method.name)};
    const auto sets = inputsOf(method, bundle);
    if (!sets) {
        out.notRun = sets.error().message;
        return out;
    }
    const std::vector<Outputs> outputs = runOriginal(original, *sets, out);
    ET_TRY(InterruptionGuard::check());
    releasePages(original);
    if (out.notRun.empty()) {
        runTwin(rewritten, *sets, outputs, out);
        releasePages(rewritten);
    }
    return out;
}

}  // namespace

std::vector<std::string> outputBits(executor::Method& method) {
    std::vector<std::string> bits;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        bits.push_back(bitsOf(method.output(i)));
    }
    return bits;
}

Result<std::vector<ShadowRunResult>> runTwins(const RunnableProgram& original, const RunnableProgram& twin,
                                              const bundled_program::Bundle* bundle,
                                              ProgressReporter* progress) {
    std::vector<ShadowRunResult> runs;
    if (progress != nullptr) {
        progress->begin("check", twin.program->methods.size());
    }
    for (const program::Method& method : twin.program->methods) {
        ET_ASSIGN(ShadowRunResult run, runMethod(original, twin, method, bundle));
        // An interrupted run is neither "not run here" nor a difference.
        ET_TRY(InterruptionGuard::check());
        runs.push_back(std::move(run));
        if (progress != nullptr) {
            progress->step();
        }
    }
    return runs;
}

}  // namespace et::tasks
