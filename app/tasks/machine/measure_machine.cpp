#include "app/tasks/machine/measure_machine.h"

#include "app/tasks/machine/burst.h"
#include "app/tasks/machine/cache_sizes.h"
#include "app/tasks/machine/machine_kernel.h"
#include "app/tasks/machine/timer.h"
#include "runtime/core/huge_pages.h"

#include <fmt/chrono.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>
#include <vector>

namespace et::app {

using inspector::Arithmetic;
using inspector::BandwidthRate;
using inspector::MachineProfile;

namespace {

constexpr double secondsOfTurn = 0.012;
constexpr std::size_t leastRounds = 6;
constexpr std::size_t mostRounds = 30;
constexpr double agreeing = 0.01;
constexpr double giga = 1e9;

std::vector<detail::KernelList> allKernels() {
    std::vector<detail::KernelList> all{detail::portableKernels()};
#if defined(__x86_64__)
    all.insert(all.end(), {detail::avx2Kernels(), detail::avxVnniKernels(), detail::avx512Kernels(),
                           detail::avx512VnniKernels(), detail::avx512Fp16Kernels(), detail::amxKernels()});
#elif defined(__aarch64__)
    all.insert(all.end(), {detail::neonDotKernels(), detail::neonMatrixKernels(), detail::neonFp16Kernels()});
#endif
    return all;
}

/// Bytes that have been written to. Whole huge pages where the system has them: which small pages an array
/// gets decides how well it fits a cache, so that each process would measure something else.
class AlignedBytes {
  public:
    explicit AlignedBytes(std::size_t count) : bytes(allocated(wholePages(count))) {
        core::preferHugePages(bytes.get(), wholePages(count));
        std::memset(bytes.get(), 1, count);
    }
    [[nodiscard]] char* data() const { return bytes.get(); }

  private:
    static constexpr std::size_t hugePage = std::size_t{2} << 20U;
    static constexpr std::align_val_t alignment{hugePage};
    /// No less than preferHugePages() heeds.
    static std::size_t wholePages(std::size_t count) {
        return std::max(2 * hugePage, (count + hugePage - 1) / hugePage * hugePage);
    }
    static char* allocated(std::size_t count) { return static_cast<char*>(::operator new(count, alignment)); }
    struct Free {
        void operator()(char* at) const { ::operator delete(at, alignment); }
    };
    std::unique_ptr<char, Free> bytes;
};

/// Rate of something: the best of even and of odd rounds.
struct Measured {
    BurstWork work;
    std::size_t threads = 1;
    double unitsPerPass = 1;
    std::array<double, 2> best{};

    void takeTurn(std::size_t round) {
        double& half = best[round % 2];
        half = std::max(half, unitsPerPass / shortestPass(work, threads, secondsOfTurn));
    }
    [[nodiscard]] double rate() const { return std::max(best[0], best[1]); }
    [[nodiscard]] double spread() const {
        return rate() > 0 ? (rate() - std::min(best[0], best[1])) / rate() : 0;
    }
};

/// Measurements of one level of memory with so many threads.
struct MeasuredLevel {
    BandwidthRate rate;
    std::vector<AlignedBytes> arrays;  ///< three for each thread
    std::array<Measured, 3> kinds;     ///< read, copy, add
};

/// Threads that this process may run at once.
std::size_t coresOfProcess() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const bool known = ::sched_getaffinity(0, sizeof(allowed), &allowed) == 0;
    return known ? std::max(CPU_COUNT(&allowed), 1) : 1;
}

class Measuring {
  public:
    Measuring() {
        profile.machine = inspector::thisMachine();
        profile.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
        const std::size_t cores = coresOfProcess();
        addThreads(1);
        if (cores > 1) {
            addThreads(cores);
        }
    }

    core::Result<MachineProfile> run(const std::function<void(double)>& progress,
                                     const std::function<bool()>& cancelled) {
        for (std::size_t round = 0; round < mostRounds && !(round >= leastRounds && agrees()); ++round) {
            for (Measured* each : all()) {
                if (cancelled && cancelled()) {
                    return core::fail(core::ErrorCode::Cancelled, "interrupted while measuring the machine");
                }
                each->takeTurn(round);
            }
            if (progress) {
                progress(std::min(1.0, static_cast<double>(round + 1) / mostRounds));
            }
        }
        finish();
        return std::move(profile);
    }

  private:
    void addThreads(std::size_t threads) {
        for (const detail::KernelList& list : allKernels()) {
            for (std::size_t i = 0; i < list.arithmeticCount; ++i) {
                const detail::ArithmeticKernel& kernel = list.arithmetic[i];
                if (kernel.available()) {
                    addPeak(kernel, threads);
                }
            }
        }
        std::uint64_t below = 0;
        for (const DataCache& cache : dataCaches()) {
            const std::uint64_t capacity = cache.shared ? cache.bytes : cache.bytes * threads;
            addLevel(cache.level, capacity, measuredBytes(cache.shared, capacity, below), threads);
            below = capacity;
        }
        constexpr std::uint64_t least = std::uint64_t{64} << 20;
        constexpr std::uint64_t most = std::uint64_t{512} << 20;
        addLevel("memory", 0, std::clamp(4 * below, least, most), threads);
    }

    /// Half of a cache that is ours alone. Of one that others use, too, most may be theirs (other guests of a
    /// virtual machine see all of its hundreds of megabytes as well): the best that it gives is what just
    /// does not fit the caches below it.
    static std::uint64_t measuredBytes(bool shared, std::uint64_t capacity, std::uint64_t below) {
        const std::uint64_t half = capacity / 2;
        return std::max(shared && below > 0 ? std::min(half, 4 * below) : half, below);
    }

    void addPeak(const detail::ArithmeticKernel& kernel, std::size_t threads) {
        profile.peaks.push_back({.arithmetic = static_cast<Arithmetic>(kernel.arithmetic),
                                 .how = kernel.how,
                                 .threads = threads});
        peaks.push_back(
            {.work = [run = kernel.run](std::size_t /*thread*/, std::size_t passes) { run(passes); },
             .threads = threads,
             .unitsPerPass = kernel.operationsPerPass * static_cast<double>(threads)});
    }

    /// The arrays of all threads together have `bytes` bytes; the three of them for additions, two for
    /// copies.
    void addLevel(std::string level, std::uint64_t capacity, std::uint64_t bytes, std::size_t threads) {
        constexpr std::size_t step = 512;
        auto at = std::make_unique<MeasuredLevel>();
        at->rate = {.level = std::move(level), .capacity = capacity, .threads = threads};
        const auto whole = static_cast<std::size_t>(bytes / threads);
        const std::size_t each = std::max(step, whole / 3 / step * step);
        const std::size_t readBytes = std::max(step, whole / step * step);
        for (std::size_t i = 0; i < threads; ++i) {
            at->arrays.emplace_back(std::max(readBytes, 3 * each));
        }
        const detail::StreamKernel& kernel = *bestStream();
        const auto* arrays = &at->arrays;
        at->kinds[0] = {.work =
                            [&kernel, arrays, readBytes](std::size_t thread, std::size_t passes) {
                                kernel.read((*arrays)[thread].data(), readBytes, passes);
                            },
                        .threads = threads,
                        .unitsPerPass = static_cast<double>(readBytes * threads)};
        at->kinds[1] = {.work =
                            [&kernel, arrays, each](std::size_t thread, std::size_t passes) {
                                char* const start = (*arrays)[thread].data();
                                kernel.copy(start, start + each, each, passes);
                            },
                        .threads = threads,
                        .unitsPerPass = static_cast<double>(2 * each * threads)};
        at->kinds[2] = {.work =
                            [&kernel, arrays, each](std::size_t thread, std::size_t passes) {
                                char* const start = (*arrays)[thread].data();
                                kernel.add(start, start + each, start + 2 * each, each, passes);
                            },
                        .threads = threads,
                        .unitsPerPass = static_cast<double>(3 * each * threads)};
        levels.push_back(std::move(at));
    }

    /// The widest that this processor has.
    static const detail::StreamKernel* bestStream() {
        static const std::vector<detail::KernelList> kernels = allKernels();
        const detail::StreamKernel* best = nullptr;
        for (const detail::KernelList& list : kernels) {
            best = list.stream != nullptr && list.stream->available() ? list.stream : best;
        }
        return best;
    }

    std::vector<Measured*> all() {
        std::vector<Measured*> each;
        for (Measured& peak : peaks) {
            each.push_back(&peak);
        }
        for (const auto& level : levels) {
            for (Measured& kind : level->kinds) {
                each.push_back(&kind);
            }
        }
        return each;
    }

    bool agrees() {
        return std::ranges::all_of(all(), [](const Measured* each) { return each->spread() <= agreeing; });
    }

    void finish() {
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            profile.peaks[i].gigaops = peaks[i].rate() / giga;
            profile.peaks[i].spread = peaks[i].spread();
        }
        for (const auto& level : levels) {
            level->rate.read = level->kinds[0].rate() / giga;
            level->rate.copy = level->kinds[1].rate() / giga;
            level->rate.add = level->kinds[2].rate() / giga;
            for (const Measured& kind : level->kinds) {
                level->rate.spread = std::max(level->rate.spread, kind.spread());
            }
            profile.bandwidths.push_back(std::move(level->rate));
        }
        const TimerTraits timer = measureTimer();
        profile.timerResolution = timer.resolution;
        profile.timerCost = timer.cost;
        profile.noise = measureNoise(peaks.front().work);
    }

    MachineProfile profile;
    std::vector<Measured> peaks;  ///< as profile.peaks
    std::vector<std::unique_ptr<MeasuredLevel>> levels;
};

}  // namespace

core::Result<MachineProfile> measureMachine(const std::function<void(double)>& progress,
                                            const std::function<bool()>& cancelled) {
    return Measuring().run(progress, cancelled);
}

}  // namespace et::app
