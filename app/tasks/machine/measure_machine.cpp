#include "app/tasks/machine/measure_machine.h"

#include "app/tasks/machine/burst.h"
#include "app/tasks/machine/cache_sizes.h"
#include "app/tasks/machine/machine_kernel.h"
#include "runtime/core/memory_pages.h"

#include <fmt/chrono.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace et::tasks {
namespace {

using inspector::Arithmetic;
using inspector::BandwidthRate;
using inspector::MachineProfile;

/// Properties of the clock used for traces, in nanoseconds.
struct TimerInfo {
    double resolution = 0;  ///< smallest difference between two readings
    double cost = 0;        ///< average time of one reading
};

using Clock = std::chrono::steady_clock;
constexpr int looks = 10'000;

std::int64_t nanoseconds(Clock::duration time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

TimerInfo measureTimer() {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const Clock::time_point start = Clock::now();
    Clock::time_point last = start;
    for (int i = 0; i < looks; ++i) {
        const Clock::time_point now = Clock::now();
        if (now > last) {
            least = std::min(least, nanoseconds(now - last));
        }
        last = now;
    }
    return {.resolution = static_cast<double>(least),
            .cost = static_cast<double>(nanoseconds(last - start)) / looks};
}

constexpr double secondsOfTurn = 0.012;
constexpr std::size_t leastRounds = 20;
constexpr std::size_t fewestRounds = 4;    ///< regardless of their time
constexpr double secondsOfMeasuring = 26;  ///< on a busy machine: time limit for rounds after the fewest
constexpr double agreeing = 0.01;
constexpr double giga = 1e9;

std::vector<machine::detail::KernelList> allKernels() {
    std::vector<machine::detail::KernelList> all{machine::detail::portableKernels()};
#if defined(__x86_64__)
    all.insert(all.end(), {machine::detail::avx2Kernels(), machine::detail::avxVnniKernels(),
                           machine::detail::avx512Kernels(), machine::detail::avx512VnniKernels(),
                           machine::detail::avx512Fp16Kernels(), machine::detail::amxKernels()});
#elif defined(__aarch64__)
    all.insert(all.end(), {machine::detail::neonDotKernels(), machine::detail::neonMatrixKernels(),
                           machine::detail::neonFp16Kernels()});
#endif
    return all;
}

/// Bytes that have been written to. Uses whole huge pages if available: the small pages that an array happens
/// to get decide how well it fits a cache, so each process would measure a different value.
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
    /// At least the size that preferHugePages() accepts.
    static std::size_t wholePages(std::size_t count) {
        return std::max(2 * hugePage, (count + hugePage - 1) / hugePage * hugePage);
    }
    static char* allocated(std::size_t count) { return static_cast<char*>(::operator new(count, alignment)); }
    struct Free {
        void operator()(char* at) const { ::operator delete(at, alignment); }
    };
    std::unique_ptr<char, Free> bytes;
};

/// Work and its measured rates.
struct Measured {
    BurstWork work;
    std::size_t threads = 1;
    double unitsPerPass = 1;
    RepeatedRate rate{};

    void takeTurn() {
        const Burst fastest = fastestBurst(work, threads, secondsOfTurn);
        rate.add(unitsPerPass / fastest.secondsOfPass, fastest.clock);
    }
};

/// Measurements of one memory level with a number of threads.
struct MeasuredLevel {
    BandwidthRate rate;
    /// Per place and thread: memory for three arrays.
    std::vector<std::vector<AlignedBytes>> places;
    std::size_t place = 0;          ///< index used in this round
    std::array<Measured, 3> kinds;  ///< read, copy, add

    /// Bytes of an array of `bytes` bytes that one pass covers, limited by the length of a burst. The pieces
    /// of large arrays follow each other, so that none is still cached when it is used again.
    [[nodiscard]] static std::size_t piece(std::size_t bytes) {
        constexpr std::size_t most = std::size_t{4} << 20U;
        constexpr std::size_t large = std::size_t{32} << 20U;
        return bytes <= large ? bytes : most;
    }
    /// Calls run(start, offset, passes) for each piece until `passes` passes are done.
    template <class Run>
    void goThrough(std::size_t thread, std::size_t bytes, std::size_t passes, const Run& run) {
        char* const start = places[place][thread].data();
        if (piece(bytes) == bytes) {
            run(start, std::size_t{0}, passes);
            return;
        }
        for (std::size_t pass = 0; pass < passes; ++pass) {
            const std::size_t offset = next[thread] + piece(bytes) <= bytes ? next[thread] : 0;
            run(start, offset, std::size_t{1});
            next[thread] = offset + piece(bytes);
        }
    }
    std::vector<std::size_t> next;  ///< offset of each thread's next piece
};

/// Number of threads that this process may run at once.
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
        noise.emplace(peaks.front().work);
    }

    core::Result<MachineProfile> run(const std::function<void(double)>& progress,
                                     const std::function<bool()>& cancelled) {
        const double start = steadySeconds();
        double passed = 0;
        const auto isEnough = [&](std::size_t rounds) {
            return (rounds >= fewestRounds && passed >= secondsOfMeasuring) ||
                   (rounds >= leastRounds && agrees());
        };
        for (std::size_t round = 0; !isEnough(round); ++round) {
            for (const auto& level : levels) {
                level->place = round % level->places.size();
            }
            for (Measured* each : all()) {
                if (cancelled && cancelled()) {
                    return core::fail(core::ErrorCode::Cancelled, "interrupted while measuring the machine");
                }
                each->takeTurn();
            }
            takeSmallTurns();
            passed = steadySeconds() - start;
            if (progress) {
                progress(std::min(1.0, passed / secondsOfMeasuring));
            }
        }
        finish();
        return std::move(profile);
    }

  private:
    void addThreads(std::size_t threads) {
        for (const machine::detail::KernelList& list : allKernels()) {
            for (std::size_t i = 0; i < list.arithmeticCount; ++i) {
                const machine::detail::ArithmeticKernel& kernel = list.arithmetic[i];
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

    /// Half of a private cache. Others may use most of a shared one (guests of a virtual machine each see all
    /// of its hundreds of megabytes), so its best rate is measured with a size that just exceeds the caches
    /// below it.
    static std::uint64_t measuredBytes(bool shared, std::uint64_t capacity, std::uint64_t below) {
        const std::uint64_t half = capacity / 2;
        return std::max(shared && below > 0 ? std::min(half, 4 * below) : half, below);
    }

    void addPeak(const machine::detail::ArithmeticKernel& kernel, std::size_t threads) {
        profile.peaks.push_back({.arithmetic = static_cast<Arithmetic>(kernel.arithmetic),
                                 .how = kernel.how,
                                 .threads = threads});
        peaks.push_back(
            {.work = [run = kernel.run](std::size_t /*thread*/, std::size_t passes) { run(passes); },
             .threads = threads,
             .unitsPerPass = kernel.operationsPerPass * static_cast<double>(threads)});
    }

    /// The arrays of all threads together have `bytes` bytes: three arrays for additions, two for copies. How
    /// well an array fits a cache depends on its memory, so levels that are caches get several allocations.
    void addLevel(std::string name, std::uint64_t capacity, std::uint64_t bytes, std::size_t threads) {
        constexpr std::size_t step = 1024;
        constexpr std::uint64_t mostBytesOfPlaces = std::uint64_t{32} << 20U;
        constexpr std::size_t places = 4;
        auto at = std::make_unique<MeasuredLevel>();
        at->rate = {.level = std::move(name), .capacity = capacity, .threads = threads};
        const auto whole = static_cast<std::size_t>(bytes / threads);
        const std::size_t each = std::max(step, whole / 3 / step * step);
        const std::size_t readBytes = std::max(step, whole / step * step);
        at->places.resize(bytes <= mostBytesOfPlaces ? places : 1);
        for (std::vector<AlignedBytes>& arrays : at->places) {
            for (std::size_t i = 0; i < threads; ++i) {
                arrays.emplace_back(std::max(readBytes, 3 * each));
            }
        }
        at->next.resize(threads);
        addKinds(*at, readBytes, each);
        levels.push_back(std::move(at));
    }

    /// `readBytes`: bytes of the array that is read; `each`: bytes of each other array.
    static void addKinds(MeasuredLevel& level, std::size_t readBytes, std::size_t each) {
        const machine::detail::StreamKernel& kernel = *bestStream();
        const std::size_t threads = level.rate.threads;
        const std::size_t readPiece = MeasuredLevel::piece(readBytes);
        const std::size_t piece = MeasuredLevel::piece(each);
        const auto measured = [&](BurstWork work, std::size_t bytesPerPass) {
            return Measured{.work = std::move(work),
                            .threads = threads,
                            .unitsPerPass = static_cast<double>(bytesPerPass * threads)};
        };
        level.kinds[0] = measured(
            [&kernel, &level, readBytes, readPiece](std::size_t thread, std::size_t passes) {
                level.goThrough(thread, readBytes, passes,
                                [&](char* start, std::size_t offset, std::size_t of) {
                                    kernel.read(start + offset, readPiece, of);
                                });
            },
            readPiece);
        level.kinds[1] = measured(
            [&kernel, &level, each, piece](std::size_t thread, std::size_t passes) {
                level.goThrough(thread, each, passes, [&](char* start, std::size_t offset, std::size_t of) {
                    char* const at = start + offset;
                    kernel.copy(at, at + each, piece, of);
                });
            },
            2 * piece);
        level.kinds[2] = measured(
            [&kernel, &level, each, piece](std::size_t thread, std::size_t passes) {
                level.goThrough(thread, each, passes, [&](char* start, std::size_t offset, std::size_t of) {
                    char* const at = start + offset;
                    kernel.add(at, at + each, at + 2 * each, piece, of);
                });
            },
            3 * piece);
    }

    /// The widest kernel that this processor supports.
    static const machine::detail::StreamKernel* bestStream() {
        static const std::vector<machine::detail::KernelList> kernels = allKernels();
        const machine::detail::StreamKernel* best = nullptr;
        for (const machine::detail::KernelList& list : kernels) {
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

    /// Measures the timer and the noise once more.
    void takeSmallTurns() {
        const TimerInfo now = measureTimer();
        timer.resolution = std::min(timer.resolution, now.resolution);
        timer.cost = std::min(timer.cost, now.cost);
        noise->takeTries();
    }

    bool agrees() {
        return std::ranges::all_of(all(),
                                   [](const Measured* each) { return each->rate.spread() <= agreeing; });
    }

    void finish() {
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            profile.peaks[i].gigaops = peaks[i].rate.rate() / giga;
            profile.peaks[i].spread = peaks[i].rate.spread();
            profile.peaks[i].clock = peaks[i].rate.clock();
        }
        for (const auto& level : levels) {
            level->rate.read = level->kinds[0].rate.rate() / giga;
            level->rate.copy = level->kinds[1].rate.rate() / giga;
            level->rate.add = level->kinds[2].rate.rate() / giga;
            for (const Measured& kind : level->kinds) {
                level->rate.spread = std::max(level->rate.spread, kind.rate.spread());
                level->rate.clock = std::max(level->rate.clock, kind.rate.clock());
            }
            profile.bandwidths.push_back(std::move(level->rate));
        }
        profile.timerResolution = timer.resolution;
        profile.timerCost = timer.cost;
        profile.noise = noise->noise();
    }

    MachineProfile profile;
    std::vector<Measured> peaks;  ///< as profile.peaks
    std::vector<std::unique_ptr<MeasuredLevel>> levels;
    TimerInfo timer{.resolution = std::numeric_limits<double>::infinity(),
                    .cost = std::numeric_limits<double>::infinity()};
    std::optional<NoiseMeter> noise;
};

}  // namespace

core::Result<MachineProfile> measureMachine(const std::function<void(double)>& progress,
                                            const std::function<bool()>& cancelled) {
    return Measuring().run(progress, cancelled);
}

}  // namespace et::tasks
