// Measures how long a fresh process takes to load and run a program. `load_process PROGRAM [RUNS]` loads it
// once and prints nanoseconds of wall time and page faults; with RUNS also those of the first execution, and
// the median of that many more executions. Run two builds in alternation to compare them. Process-wide
// initialization is done before the measurement. Inputs are the first case of a bundled program, else zeros.
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using et::core::Result;
using Clock = std::chrono::steady_clock;

/// Time and page faults since construction.
class Used {
  public:
    [[nodiscard]] std::int64_t nanoseconds() const {
        return std::chrono::nanoseconds(Clock::now() - start).count();
    }
    [[nodiscard]] std::int64_t faults() const { return faultsNow() - faultsBefore; }

  private:
    static std::int64_t faultsNow() {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return usage.ru_minflt;
    }
    std::int64_t faultsBefore = faultsNow();
    Clock::time_point start = Clock::now();
};

struct Opened {
    std::shared_ptr<const et::bundled_program::Bundle> bundle;  ///< null for a plain program
    std::shared_ptr<const et::program::Program> program;
};

Result<Opened> open(const std::filesystem::path& path, bool isBundle) {
    Opened opened;
    if (!isBundle) {
        ET_ASSIGN(opened.program, et::program::Program::open(path));
        return opened;
    }
    ET_ASSIGN(opened.bundle, et::bundled_program::Bundle::open(path));
    ET_ASSIGN(opened.program, et::program::Program::parse(opened.bundle->file, opened.bundle->program));
    return opened;
}

/// Input values and code to set them.
class Inputs {
  public:
    Inputs(const Opened& from, const et::program::Method& method) {
        if (from.bundle != nullptr) {
            testCase = &from.bundle->suites.front().cases.front();
            return;
        }
        for (const et::program::ValueId id : method.inputs) {
            const auto* const tensor = method.value(id).as<et::program::TensorInfo>();
            const std::size_t bytes =
                tensor == nullptr ? 0 : static_cast<std::size_t>(tensor->byteSize.value_or(0));
            zeros.resize(std::max(zeros.size(), bytes));
            tensors.push_back(tensor);
        }
    }

    [[nodiscard]] Result<> give(et::executor::Method& method) const {
        if (testCase != nullptr) {
            return et::bundled_program::setInputs(method, *testCase);
        }
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (const et::program::TensorInfo* const tensor = tensors[i]; tensor != nullptr) {
                ET_TRY(method.setInput(i, et::executor::TensorInput{
                                              .dtype = static_cast<et::core::ScalarType>(tensor->scalarType),
                                              .sizes = tensor->sizes,
                                              .dimOrder = tensor->dimOrder,
                                              .data = et::core::Bytes(zeros).first(
                                                  static_cast<std::size_t>(tensor->byteSize.value_or(0)))}));
            }
        }
        return {};
    }

  private:
    const et::bundled_program::TestCase* testCase = nullptr;
    std::vector<const et::program::TensorInfo*> tensors;
    std::vector<std::byte> zeros;
};

Result<> run(et::executor::Method& method, const Inputs& inputs, std::size_t runs) {
    ET_TRY(inputs.give(method));
    const Used first;
    ET_TRY(method.execute());
    fmt::print(" {} {}", first.nanoseconds(), first.faults());
    std::vector<std::int64_t> times;
    while (times.size() < runs) {
        ET_TRY(inputs.give(method));
        const Used used;
        ET_TRY(method.execute());
        times.push_back(used.nanoseconds());
    }
    std::ranges::sort(times);
    fmt::print(" {}", times.empty() ? 0 : times[times.size() / 2]);
    return {};
}

/// Without `runs`, only loads the program.
Result<> loadAndRun(const char* path, std::optional<std::size_t> runs, std::size_t threadCount) {
    const et::kernels::ThreadPool threads(threadCount);
    const auto& kernels = et::kernels::builtin();
    for (const et::executor::Backend* const backend : et::backends::builtin()) {
        backend->prepareProcess();
    }
    const std::filesystem::path file(path);
    const bool isBundle = file.extension() == ".bpte";
    const Used used;
    ET_ASSIGN(const Opened opened, open(file, isBundle));
    et::executor::Module module(
        opened.program, {.kernels = kernels, .backends = et::backends::builtin(), .threads = threads});
    ET_ASSIGN(et::executor::Method * method, module.load(opened.program->methods.front().name));
    fmt::print("{} {}", used.nanoseconds(), used.faults());
    return runs ? run(*method, Inputs(opened, method->description()), *runs) : Result<>();
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int most = 4;
    if (argc < 2 || argc > most) {
        fmt::print(stderr, "usage: load_process PROGRAM [RUNS [THREADS]]\n");
        return 2;
    }
    const auto number = [&](int index) { return std::strtoul(argv[index], nullptr, 10); };
    const auto runs = argc > 2 ? std::optional<std::size_t>(number(2)) : std::nullopt;
    const auto done = loadAndRun(argv[1], runs, argc == most ? number(most - 1) : 1);
    fmt::print("\n");
    if (!done) {
        fmt::print(stderr, "{}\n", done.error().toString());
        return 1;
    }
    return 0;
}
