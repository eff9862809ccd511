// Measures run-time overhead outside kernels for every program of a folder, with one thread. Does not use
// Google Benchmark. Two overheads are reported: time between instructions, and the time of delegate calls
// beyond XNNPACK's own runs of the same graphs on the same memory (checks, conversions, copies, and other
// differences from the library; negative where our operators inside delegates are faster). Calls and library
// runs alternate, each as one turn over all calls of a program, and the fastest turn counts: a sum of the
// fastest calls would be shorter than any real run. Kernel times are slightly too long, because reading the
// clock prevents kernels from overlapping. Programs with dynamic shapes, control flow or delegates that the
// library cannot run are skipped.
#include "app/tasks/model/model.h"
#include "backends/xnnpack/delegate/delegate.h"
#include "benchmarks/delegate_calls.h"
#include "runtime/core/event_names.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace fs = std::filesystem;
using et::benchmarks::LibraryAlone;
using et::tasks::Model;

/// Nanoseconds of reading the clock.
double clockCost() {
    constexpr int looks = 100'000;
    double least = 1e9;
    for (int turn = 0; turn < 20; ++turn) {
        const std::uint64_t start = et::core::EventTracer::now();
        std::uint64_t end = start;
        for (int i = 0; i < looks; ++i) {
            end = et::core::EventTracer::now();
        }
        least = std::min(least, static_cast<double>(end - start) / looks);
    }
    return least;
}

/// Measures the time in kernels and between instructions; reports the minimum over runs.
class KernelClock final : public et::core::EventTracer {
  public:
    explicit KernelClock(double clock) : clockNanoseconds(clock) {}

    [[nodiscard]] et::core::TraceName name(std::string_view text) override {
        return text.starts_with(et::core::event_name::kernelPrefix) ? kernel
               : text == et::core::event_name::delegateCall         ? delegateCall
                                                                    : et::core::TraceName{};
    }
    void beginRun(std::string_view) override {
        run = {};
        lastEnd = 0;
    }
    void endRun() override {
        shortest.inside = std::min(shortest.inside, run.inside);
        shortest.between = std::min(shortest.between, run.between);
    }
    void profile(et::core::TraceName event, const et::core::TraceIds&, std::uint64_t start, std::uint64_t end,
                 et::core::Bytes) override {
        if (event == et::core::TraceName{}) {
            return;
        }
        run.inside += event == kernel ? static_cast<double>(end - start) - clockNanoseconds : 0;
        if (lastEnd != 0) {
            run.between += static_cast<double>(start - lastEnd) - ownNanoseconds;
        }
        lastEnd = end;
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

    /// Nanoseconds in kernels.
    [[nodiscard]] double inside() const { return std::max(shortest.inside, 0.0); }
    /// Nanoseconds between instructions, without this tracer's own time; 0 for a single instruction.
    [[nodiscard]] double between() const { return std::max(shortest.between, 0.0); }

    /// Measures this tracer's own time per instruction: two events and the next clock read.
    void measureItself() {
        EventTracer& tracer = *this;  // calls through the base class, as the executor does
        const std::array names{tracer.name(et::core::event_name::kernelPrefix), tracer.name("")};
        constexpr int events = 10'000;
        double least = 1e9;
        for (int turn = 0; turn < 20; ++turn) {
            tracer.beginRun({});
            const std::uint64_t start = now();
            std::uint64_t end = start;
            for (int i = 0; i < events; ++i) {
                tracer.profile(names[0], {}, end, end, {});
                tracer.profile(names[1], {}, end, end, {});
                end = now();
            }
            least = std::min(least, static_cast<double>(end - start) / events);
        }
        ownNanoseconds = least;
    }

  private:
    struct Times {
        double inside = 0;
        double between = 0;
    };
    static constexpr et::core::TraceName kernel{1};
    static constexpr et::core::TraceName delegateCall{2};
    double clockNanoseconds;
    double ownNanoseconds = 0;
    Times run;
    Times shortest{.inside = 1e18, .between = 1e18};
    std::uint64_t lastEnd = 0;
};

/// Overhead of a program in microseconds.
struct Overhead {
    std::string name;
    std::size_t instructions = 0;
    double whole = 0;
    double kernels = 0;
    double library = 0;
    double calls = 0;    ///< of delegates
    double between = 0;  ///< instructions

    [[nodiscard]] double ours() const { return between + calls - library; }
    /// Percentage relative to the kernels' own time.
    [[nodiscard]] double share() const { return 100 * ours() / (kernels + library); }
};

bool isStatic(const et::program::Method& method) {
    const bool isStraight = method.chains.size() == 1 &&
                            std::ranges::none_of(method.chains.front().instructions, [](const auto& each) {
                                return std::holds_alternative<et::program::JumpFalseCall>(each);
                            });
    return isStraight && std::ranges::none_of(method.values, [](const et::program::Value& value) {
               const auto* const tensor = value.as<et::program::TensorInfo>();
               return tensor != nullptr && tensor->dynamism != et::program::ShapeDynamism::Static;
           });
}

std::optional<std::vector<std::unique_ptr<LibraryAlone>>> delegatesOf(const Model& model,
                                                                      const et::program::Method& method) {
    std::vector<std::unique_ptr<LibraryAlone>> out;
    const auto shared = et::backends::xnnpack::SharedMemory::make();
    if (!shared) {
        return std::nullopt;
    }
    for (const auto& instruction : method.chains.front().instructions) {
        const auto* const call = std::get_if<et::program::DelegateCall>(&instruction);
        if (call == nullptr) {
            continue;
        }
        const et::program::Delegate& delegate = method.delegates[call->delegate.value];
        auto alone = delegate.backend == "XnnpackBackend"
                         ? LibraryAlone::make(*model.program, delegate.payload, model.threads, *shared)
                         : nullptr;
        if (alone == nullptr) {
            return std::nullopt;
        }
        out.push_back(std::move(alone));
    }
    return out;
}

/// Opens the model with XNNPACK delegates called through `backend`; null if a delegate has dynamic shapes or
/// another backend.
std::unique_ptr<Model> openWith(const fs::path& path, const et::benchmarks::RecordingBackend& backend) {
    auto model = Model::prepare(path, {});
    if (!model) {
        return nullptr;
    }
    const auto method = et::tasks::chooseMethod(*(*model)->program, {});
    if (!method || !isStatic(**method)) {
        return nullptr;
    }
    (*model)->backends = {&backend};
    (*model)->module.emplace((*model)->newModule(nullptr));
    const auto loaded = (*model)->module->load((*method)->name);
    if (!loaded) {
        return nullptr;
    }
    (*model)->method = *loaded;
    return *std::move(model);
}

/// Alternates `steps`, which return whether they succeeded, until the given seconds are used. Returns the
/// fastest time of each in nanoseconds.
template <class... Steps>
std::optional<std::array<double, sizeof...(Steps)>> fastest(double seconds, double clock, Steps... steps) {
    std::array<double, sizeof...(Steps)> best;
    best.fill(1e18);
    bool isGood = true;
    const auto time = [&](auto& step, double& least) {
        constexpr int turn = 4;
        for (int i = 0; i < turn && isGood; ++i) {
            const std::uint64_t start = et::core::EventTracer::now();
            isGood = step();
            least = std::min(least, static_cast<double>(et::core::EventTracer::now() - start) - clock);
        }
    };
    const std::uint64_t end = et::core::EventTracer::now() + static_cast<std::uint64_t>(seconds * 1e9);
    do {
        std::size_t at = 0;
        (time(steps, best[at++]), ...);
    } while (isGood && et::core::EventTracer::now() < end);
    return isGood ? std::optional(best) : std::nullopt;
}

std::optional<Overhead> measure(const fs::path& path, double seconds, double clock) {
    const et::benchmarks::RecordingBackend backend(et::backends::xnnpack::backend());
    const auto model = openWith(path, backend);
    const auto inputs = model ? model->inputs({}, [](std::string_view) {})
                              : et::core::fail(et::core::ErrorCode::Unsupported, "");
    const auto alone = inputs ? delegatesOf(*model, model->method->description()) : std::nullopt;
    if (!alone) {
        return std::nullopt;
    }
    const auto run = [&] {
        backend.forget();
        return model->execute(*inputs).has_value();
    };
    const auto whole = fastest(seconds, clock, run);
    for (std::size_t i = 0; i < alone->size() && whole; ++i) {
        (*alone)[i]->readAndWrite(backend.arguments(i));
    }
    const auto delegates = fastest(
        seconds, clock, [&] { return backend.callAll(); },
        [&] { return std::ranges::all_of(*alone, [](const auto& each) { return each->run(); }); });
    KernelClock kernels(clock);
    kernels.measureItself();
    model->method->setTracer(&kernels);
    if (!whole || !delegates || !fastest(seconds, clock, run)) {
        return std::nullopt;
    }
    constexpr double perMicrosecond = 1e3;
    return Overhead{.name = (path.parent_path().filename() / path.stem()).string(),
                    .instructions = model->method->description().chains.front().instructions.size(),
                    .whole = (*whole)[0] / perMicrosecond,
                    .kernels = kernels.inside() / perMicrosecond,
                    .library = alone->empty() ? 0 : (*delegates)[1] / perMicrosecond,
                    .calls = alone->empty() ? 0 : (*delegates)[0] / perMicrosecond,
                    .between = kernels.between() / perMicrosecond};
}

/// Measures in a child process, because the library terminates its process on unsupported requests.
std::optional<Overhead> measureApart(const fs::path& path, double seconds, double clock) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        return std::nullopt;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        const auto measured = measure(path, seconds, clock);
        if (measured) {
            const std::array numbers{measured->whole,   measured->kernels,
                                     measured->library, measured->calls,
                                     measured->between, static_cast<double>(measured->instructions)};
            (void)!::write(ends[1], numbers.data(), sizeof numbers);
        }
        ::_exit(EXIT_SUCCESS);
    }
    (void)::close(ends[1]);
    if (child < 0) {
        (void)::close(ends[0]);
        return std::nullopt;
    }
    std::array<double, 6> numbers{};
    const bool isWhole = ::read(ends[0], numbers.data(), sizeof numbers) == sizeof numbers;
    (void)::close(ends[0]);
    int status = 0;
    (void)::waitpid(child, &status, 0);
    return isWhole ? std::optional(Overhead{.name = (path.parent_path().filename() / path.stem()).string(),
                                            .instructions = static_cast<std::size_t>(numbers[5]),
                                            .whole = numbers[0],
                                            .kernels = numbers[1],
                                            .library = numbers[2],
                                            .calls = numbers[3],
                                            .between = numbers[4]})
                   : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "overhead_benchmark FOLDER [SECONDS-A-PROGRAM]\n");
        return EXIT_FAILURE;
    }
    const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 0.5;
    const double clock = clockCost();
    std::vector<Overhead> all;
    std::size_t leftOut = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argv[1])) {
        if (entry.path().extension() == ".bpte" || entry.path().extension() == ".pte") {
            auto measured = measureApart(entry.path(), seconds, clock);
            measured ? all.push_back(*std::move(measured)) : static_cast<void>(++leftOut);
        }
    }
    std::ranges::sort(all, std::greater{}, &Overhead::whole);
    fmt::print(
        "| program | instructions | run, µs | kernels, µs | library, µs | between, µs | in delegates, µs | "
        "ours, % |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (const Overhead& each : all) {
        fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {:.1f} |\n", each.name,
                   each.instructions, each.whole, each.kernels, each.library, each.between,
                   each.calls - each.library, each.share());
    }
    fmt::print("{} programs, {} left out; a look at the clock adds {:.0f} ns\n", all.size(), leftOut, clock);
    return all.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
