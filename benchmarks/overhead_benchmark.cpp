// Not of Google Benchmark: what a run takes beside the kernels themselves, for every program of a folder,
// with one thread. Of programs without delegates that is what lies between their kernels. Of others it is
// what is left of a run without the runtime's kernels, and without XNNPACK's own run of each delegate's
// graph, on memory of its own: dispatch, checks, conversions, copies, and whatever our delegate does
// otherwise than the library; it is less than nothing where our operators inside of delegates are faster.
// Both sides take turns, and the fastest of each counts. Programs with dynamic shapes, control flow or
// delegates that the library cannot run are left out.
#include "app/tasks/run/model.h"
#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/library_runtime.h"
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
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace xnnpack = et::backends::xnnpack;
using et::app::Model;

class ProgramData final : public et::executor::NamedDataSource {
  public:
    explicit ProgramData(const et::program::Program& from) : program(from) {}
    [[nodiscard]] std::optional<et::core::Bytes> find(std::string_view name) const override {
        const auto* const found = program.findNamedData(name);
        return found == nullptr ? std::nullopt : std::optional(found->data);
    }

  private:
    const et::program::Program& program;
};

/// A delegate's graph, run by the library alone.
class LibraryAlone {
  public:
    static std::unique_ptr<LibraryAlone> make(const et::program::Program& program, et::core::Bytes bytes,
                                              const et::kernels::ThreadPool& threads) {
        constexpr std::uint64_t most = std::uint64_t{1} << 32U;
        auto payload = xnnpack::Payload::read(bytes);
        if (!payload) {
            return nullptr;
        }
        std::unique_ptr<LibraryAlone> made(new LibraryAlone(*std::move(payload)));
        auto constants = xnnpack::ConstantData::find(made->payload, ProgramData(program));
        auto shared = xnnpack::SharedMemory::make();
        xnnpack::Shapes shapes = xnnpack::exportedShapes(made->payload);
        if (!constants || !shared || !xnnpack::followShapes(made->payload, shapes, most)) {
            return nullptr;
        }
        made->constants.emplace(*std::move(constants));
        made->constants->widen(made->payload, false);
        auto runtime = xnnpack::LibraryRuntime::make(made->payload, *made->constants, shapes, *shared,
                                                     threads, {}, most);
        if (!runtime || !runtime->reshape(made->payload, shapes)) {
            return nullptr;
        }
        made->runtime.emplace(*std::move(runtime));
        for (const xnnpack::ValueIndex external : made->payload.externals) {
            std::size_t bytesOf = sizeof(double);  // more than any element
            for (const std::size_t size : shapes[external]) {
                bytesOf *= size;
            }
            constexpr std::size_t readBehind = 256;
            made->memory.emplace_back(bytesOf + readBehind);
            made->addresses.push_back(made->memory.back().data());
        }
        return made;
    }

    /// Nanoseconds.
    std::uint64_t run() {
        const std::uint64_t start = et::core::EventTracer::now();
        const bool done = runtime->run(addresses).has_value();
        return done ? et::core::EventTracer::now() - start : 0;
    }

  private:
    explicit LibraryAlone(xnnpack::Payload of) : payload(std::move(of)) {}

    xnnpack::Payload payload;
    std::optional<xnnpack::ConstantData> constants;
    std::optional<xnnpack::LibraryRuntime> runtime;
    std::vector<std::vector<std::byte>> memory;
    std::vector<void*> addresses;
};

/// The fastest time of each kernel call, and of what lies between two of them: sums of many times are longer
/// than the times where others work on the machine, too.
class KernelClock final : public et::core::EventTracer {
  public:
    [[nodiscard]] et::core::TraceName name(std::string_view text) override {
        return et::core::TraceName{text.starts_with(et::core::event_name::kernelPrefix) ? 1U : 0U};
    }
    void beginRun(std::string_view) override {
        at = 0;
        lastEnd = 0;
    }
    void endRun() override {}
    void profile(et::core::TraceName event, const et::core::TraceIds&, std::uint64_t start, std::uint64_t end,
                 et::core::Bytes) override {
        if (event.value != 1) {
            return;
        }
        if (at == calls.size()) {
            calls.push_back({});
        }
        calls[at].inside = std::min(calls[at].inside, end - start);
        if (lastEnd != 0) {
            calls[at].before = std::min(calls[at].before, start - lastEnd);
        }
        lastEnd = end;
        ++at;
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

    /// Nanoseconds in kernels; `clock`: what a look at it adds.
    [[nodiscard]] double inside(double clock) const {
        double sum = 0;
        for (const Call& call : calls) {
            sum += std::max(static_cast<double>(call.inside) - clock, 0.0);
        }
        return sum;
    }
    /// Nanoseconds between them, without what this takes; of one call, nothing lies between.
    [[nodiscard]] double between(double own) const {
        double sum = 0;
        for (std::size_t i = 1; i < calls.size(); ++i) {
            sum += std::max(static_cast<double>(calls[i].before) - own, 0.0);
        }
        return sum;
    }
    /// What two events of an instruction and the next look at the clock take, here.
    [[nodiscard]] static double ownCost() {
        KernelClock tried;
        EventTracer& tracer = tried;  // as the executor calls it
        const std::array names{tracer.name(et::core::event_name::kernelPrefix), tracer.name("")};
        std::uint64_t least = UINT64_MAX;
        for (int i = 0; i < 20'000; ++i) {
            tracer.beginRun({});
            const std::uint64_t end = now();
            tracer.profile(names[0], {}, end, end, {});
            tracer.profile(names[1], {}, end, end, {});
            least = std::min(least, now() - end);
        }
        return static_cast<double>(least);
    }

  private:
    struct Call {
        std::uint64_t inside = UINT64_MAX;
        std::uint64_t before = UINT64_MAX;
    };
    std::vector<Call> calls;
    std::size_t at = 0;
    std::uint64_t lastEnd = 0;
};

/// What reading the clock adds to a time between two readings.
double clockCost() {
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t start = et::core::EventTracer::now();
        least = std::min(least, et::core::EventTracer::now() - start);
    }
    return static_cast<double>(least);
}

/// Microseconds of a program.
struct Overhead {
    std::string name;
    std::size_t instructions = 0;
    double whole = 0;
    double kernels = 0;
    double library = 0;
    double between = 0;  ///< kernels

    /// Of programs without delegates, what lies between kernels.
    [[nodiscard]] double ours() const { return library == 0 ? between : whole - kernels - library; }
    /// Over the kernels themselves.
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
    for (const auto& instruction : method.chains.front().instructions) {
        const auto* const call = std::get_if<et::program::DelegateCall>(&instruction);
        if (call == nullptr) {
            continue;
        }
        const et::program::Delegate& delegate = method.delegates[call->delegate.value];
        auto alone = delegate.backend == "XnnpackBackend"
                         ? LibraryAlone::make(*model.program, delegate.payload, model.threads)
                         : nullptr;
        if (alone == nullptr) {
            return std::nullopt;
        }
        out.push_back(std::move(alone));
    }
    return out;
}

/// Turns until a program had its seconds.
std::optional<Overhead> measure(const fs::path& path, double seconds, double clock) {
    auto opened = Model::open(path, {}, nullptr);
    if (!opened || !isStatic((*opened)->method->description())) {
        return std::nullopt;
    }
    Model& model = **opened;
    const auto inputs = model.inputs({}, [](std::string_view) {});
    auto alone = delegatesOf(model, model.method->description());
    if (!inputs || !alone) {
        return std::nullopt;
    }
    std::uint64_t whole = UINT64_MAX;
    std::vector<std::uint64_t> library(alone->size(), UINT64_MAX);
    constexpr int turn = 4;
    const std::uint64_t end = et::core::EventTracer::now() + static_cast<std::uint64_t>(seconds * 1e9);
    do {
        for (int i = 0; i < turn; ++i) {
            const auto time = model.execute(*inputs);
            if (!time) {
                return std::nullopt;
            }
            whole = std::min(whole, *time);
        }
        // One after the other, as the program has them: each finds in the caches what it would find there.
        for (int i = 0; i < turn; ++i) {
            for (std::size_t j = 0; j < alone->size(); ++j) {
                library[j] = std::min(library[j], (*alone)[j]->run());
            }
        }
    } while (et::core::EventTracer::now() < end);
    KernelClock kernels;
    model.method->setTracer(&kernels);
    const std::uint64_t tracedEnd = et::core::EventTracer::now() + static_cast<std::uint64_t>(seconds * 1e9);
    do {
        if (!model.execute(*inputs)) {
            return std::nullopt;
        }
    } while (et::core::EventTracer::now() < tracedEnd);
    Overhead out{.name = (path.parent_path().filename() / path.stem()).string(),
                 .instructions = model.method->description().chains.front().instructions.size(),
                 .whole = (static_cast<double>(whole) - clock) / 1e3,
                 .kernels = kernels.inside(clock) / 1e3,
                 .between = kernels.between(KernelClock::ownCost()) / 1e3};
    for (const std::uint64_t time : library) {
        out.library += (static_cast<double>(time) - clock) / 1e3;
    }
    return out;
}

/// The same in a process of its own: the library ends its process where it is asked for what it cannot do.
std::optional<Overhead> measureApart(const fs::path& path, double seconds, double clock) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        return std::nullopt;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        const auto measured = measure(path, seconds, clock);
        if (measured) {
            const std::array numbers{measured->whole, measured->kernels, measured->library, measured->between,
                                     static_cast<double>(measured->instructions)};
            (void)!::write(ends[1], numbers.data(), sizeof numbers);
        }
        ::_exit(EXIT_SUCCESS);
    }
    (void)::close(ends[1]);
    if (child < 0) {
        (void)::close(ends[0]);
        return std::nullopt;
    }
    std::array<double, 5> numbers{};
    const bool isWhole = ::read(ends[0], numbers.data(), sizeof numbers) == sizeof numbers;
    (void)::close(ends[0]);
    int status = 0;
    (void)::waitpid(child, &status, 0);
    return isWhole ? std::optional(Overhead{.name = (path.parent_path().filename() / path.stem()).string(),
                                            .instructions = static_cast<std::size_t>(numbers[4]),
                                            .whole = numbers[0],
                                            .kernels = numbers[1],
                                            .library = numbers[2],
                                            .between = numbers[3]})
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
        "| program | instructions | run, µs | kernels, µs | library, µs | ours, µs | ours, % |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const Overhead& each : all) {
        fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n", each.name, each.instructions,
                   each.whole, each.kernels, each.library, each.ours(), each.share());
    }
    fmt::print("{} programs, {} left out; a look at the clock adds {:.0f} ns\n", all.size(), leftOut, clock);
    return all.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
