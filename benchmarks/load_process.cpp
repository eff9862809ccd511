// How long a fresh process takes to load a program: `load_process PROGRAM` opens it once and prints
// nanoseconds by the clock, nanoseconds of the processor, and page faults. What a process does once is in
// them.
#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string_view>

namespace {

struct Used {
    std::int64_t nanoseconds = 0;  ///< of the processor
    std::int64_t faults = 0;
};

Used usedNow() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    constexpr std::int64_t billion = 1'000'000'000;
    return {.nanoseconds = time.tv_sec * billion + time.tv_nsec, .faults = usage.ru_minflt};
}

et::core::Result<std::shared_ptr<const et::program::Program>> programIn(const std::filesystem::path& path) {
    if (path.extension() != ".bpte") {
        return et::program::Program::open(path);
    }
    ET_ASSIGN(const auto bundle, et::bundled_program::Bundle::open(path));
    return et::program::Program::parse(bundle->file, bundle->program);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: load_process PROGRAM\n");
        return 2;
    }
    const Used before = usedNow();
    const auto start = std::chrono::steady_clock::now();
    const et::kernels::ThreadPool threads(1);
    const auto program = programIn(argv[1]);
    if (!program) {
        fmt::print(stderr, "{}\n", program.error().toString());
        return 1;
    }
    et::executor::Module module(
        *program,
        {.kernels = et::kernels::builtin(), .backends = et::backends::builtin(), .threads = threads});
    const auto method = module.load((*program)->methods.front().name);
    const auto took = std::chrono::steady_clock::now() - start;
    const Used after = usedNow();
    if (!method) {
        fmt::print(stderr, "{}\n", method.error().toString());
        return 1;
    }
    fmt::print("{} {} {}\n", std::chrono::nanoseconds(took).count(), after.nanoseconds - before.nanoseconds,
               after.faults - before.faults);
    return 0;
}
