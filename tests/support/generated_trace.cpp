#include "tests/support/generated_trace.h"

#include "etdump/writer.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

namespace et::test {
namespace {

constexpr std::array<std::string_view, 7> kernels{"native_call_add.out",         "native_call_mul.out",
                                                  "native_call_convolution.out", "native_call_addmm.out",
                                                  "native_call_relu.out",        "native_call__softmax.out",
                                                  "native_call_permute_copy.out"};
constexpr std::array<std::string_view, 4> delegated{"Transpose (ND, X32) #1",
                                                    "Convolution (NHWC, F32) IGEMM #1", "Clamp (NC, F32) #1",
                                                    "Fully Connected (NC, F32) GEMM #1"};
constexpr std::int32_t instructionsPerDelegate = 8;  ///< every eighth instruction is a delegate call

/// Writes the events of one run, up to a maximum number.
class RunWriter {
  public:
    RunWriter(etdump::TraceWriter& traceWriter, std::size_t events, std::uint64_t startTicks,
              std::uint32_t seed)
        : writer(&traceWriter), left(events), begin(startTicks), clock(startTicks), random(seed) {}

    /// Returns the clock value at the end.
    std::uint64_t write() {
        for (std::int32_t instruction = 0; left > 1; ++instruction) {
            const bool delegate = instruction % instructionsPerDelegate == instructionsPerDelegate - 1;
            delegate ? writeDelegate(instruction) : writeKernel(instruction);
        }
        event("Method::execute", {.instruction = 0, .chain = -1}, begin);
        return clock;
    }

  private:
    void writeKernel(std::int32_t instruction) {
        const std::uint64_t start = clock;
        const auto kernel = kernels[static_cast<std::size_t>(instruction) % kernels.size()];
        inner(kernel, {.instruction = instruction, .chain = 0});
        inner("OPERATOR_CALL", {.instruction = instruction, .chain = 0}, start);
    }
    void writeDelegate(std::int32_t instruction) {
        const std::uint64_t start = clock;
        for (const std::string_view id : delegated) {
            inner("", {.instruction = instruction, .chain = 0, .delegateString = id});
        }
        inner("DELEGATE_CALL", {.instruction = instruction, .chain = 0}, start);
    }
    /// Writes an event before the last one of the run if the maximum allows it.
    void inner(std::string_view name, etdump::EventIds ids) { inner(name, ids, clock); }
    void inner(std::string_view name, etdump::EventIds ids, std::uint64_t start) {
        if (left > 1) {
            event(name, ids, start);
        }
    }
    void event(std::string_view name, etdump::EventIds ids, std::uint64_t start) {
        constexpr std::uint32_t longestTicks = 50'000;
        clock += 1 + random() % longestTicks;
        writer->profile(name, ids, start, clock);
        --left;
    }

    etdump::TraceWriter* writer;
    std::size_t left;
    std::uint64_t begin;
    std::uint64_t clock;
    std::mt19937 random;
};

}  // namespace

std::vector<std::byte> makeTrace(std::size_t runs, std::size_t eventsPerRun, std::uint32_t seed) {
    etdump::TraceWriter writer(etdump::SharedStrings::No);
    std::uint64_t clock = 1'000'000;
    for (std::size_t run = 0; run < runs; ++run) {
        writer.beginRun("Execute");
        clock = RunWriter(writer, eventsPerRun, clock, seed + static_cast<std::uint32_t>(run)).write();
    }
    return writer.finish().value_or(std::vector<std::byte>());
}

GeneratedTraceFile::GeneratedTraceFile(std::size_t runs, std::size_t eventsPerRun)
    : location(std::filesystem::temp_directory_path() /
               ("et_generated_" + std::to_string(::getpid()) + "_" + std::to_string(runs) + "x" +
                std::to_string(eventsPerRun) + ".etdp")) {
    const std::vector<std::byte> bytes = makeTrace(runs, eventsPerRun);
    std::ofstream stream(location, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

GeneratedTraceFile::~GeneratedTraceFile() {
    std::error_code ignored;
    std::filesystem::remove(location, ignored);
}

}  // namespace et::test
