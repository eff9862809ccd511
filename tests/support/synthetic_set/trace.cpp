#include "tests/support/synthetic_set/trace.h"

#include "etdump/writer.h"
#include "tests/support/synthetic_set/operators.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>

namespace et::test::synthetic {
namespace {

constexpr int executions = 10;
constexpr std::int8_t float32Code = 6;
constexpr std::int32_t onlyChain = 0;

/// Collects the bytes of logged tensors.
class DebugBuffer {
  public:
    etdump::DebugTensor append(const Tensor& tensor) {
        constexpr std::size_t alignment = 64;
        const std::size_t offset = (bytes.size() + alignment - 1) / alignment * alignment;
        const auto content = std::as_bytes(std::span(tensor.elements));
        bytes.resize(offset + content.size());
        std::ranges::copy(content, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        return {.scalarType = float32Code,
                .sizes = tensor.sizes,
                .strides = denseStrides(tensor.sizes),
                .offset = static_cast<std::int64_t>(offset)};
    }
    std::vector<std::byte> take() && { return std::move(bytes); }

  private:
    std::vector<std::byte> bytes;
};

/// A simulated clock: a fixed time per elementary operation, some noise and occasional interruptions. The
/// first execution has cold caches.
class ModelledClock {
  public:
    std::uint64_t now() const { return ticks; }
    void warmUp(bool done) { warmth = done ? 1.0 : 2.5; }
    void work(double nanoseconds) {
        constexpr double noise = 0.08;
        constexpr std::uint32_t interruptedEvery = 40;
        const double unit = static_cast<double>(random()) / 4294967296.0;
        const double interrupted = random() % interruptedEvery == 0 ? 1.6 : 1.0;
        ticks +=
            static_cast<std::uint64_t>(std::llround(nanoseconds * warmth * interrupted * (1 + noise * unit)));
    }

  private:
    static constexpr std::uint32_t seed = 10;
    std::mt19937 random{seed};
    std::uint64_t ticks = 1'000'000;
    double warmth = 1;
};

/// Costs of the model in nanoseconds.
namespace cost {
constexpr double perOperation = 0.8;
constexpr double dispatch = 120;  ///< overhead per instruction, without its kernel
constexpr double kernel = 400;
constexpr double delegateCall = 1'500;
constexpr double delegatedOperator = 250;
constexpr double load = 40'000;
constexpr double initialisation = 25'000;
constexpr double pause = 60'000;  ///< between executions
}  // namespace cost

class Recorder {
  public:
    explicit Recorder(const Values& netValues) : values(&netValues) {}

    core::Result<TraceFiles> record() {
        writeLoading();
        for (int i = 0; i < executions; ++i) {
            clock.warmUp(i > 0);
            clock.work(cost::pause);
            writeExecution();
        }
        ET_ASSIGN(std::vector<std::byte> trace, writer.finish());
        return TraceFiles{.trace = std::move(trace), .debugBuffer = std::move(buffer).take()};
    }

  private:
    void writeLoading() {
        constexpr etdump::EventIds ids{.instruction = 0};
        writer.beginRun("Default");
        writer.profile(syntheticNote, {}, clock.now(), clock.now());
        const std::uint64_t start = clock.now();
        clock.work(cost::load);
        const std::uint64_t initialised = clock.now();
        clock.work(cost::initialisation);
        writer.profile("Method::init", ids, initialised, clock.now());
        clock.work(cost::dispatch);
        writer.profile("Program::load_method", ids, start, clock.now());
    }

    void writeExecution() {
        writer.beginRun("Execute");
        const std::uint64_t start = clock.now();
        for (const Operator& op : operators()) {
            if (!op.kernel.empty()) {
                writeKernel(op);
            } else if (!op.delegateId.empty() && &op == &delegated().front()) {
                writeDelegateCall();
            }
        }
        writer.profile("Method::execute", {.instruction = 0}, start, clock.now());
        log(operators().back().node, {.instruction = 0}, true);
    }

    void writeKernel(const Operator& op) {
        const etdump::EventIds ids{.instruction = op.instruction, .chain = onlyChain};
        const std::uint64_t start = clock.now();
        clock.work(cost::dispatch);
        const std::uint64_t kernelStart = clock.now();
        clock.work(cost::kernel + cost::perOperation * op.elementaryOperations);
        log(op.node, ids);
        writer.profile(op.kernel, ids, kernelStart, clock.now());
        clock.work(cost::dispatch);
        writer.profile("OPERATOR_CALL", ids, start, clock.now());
    }

    void writeDelegateCall() {
        constexpr etdump::EventIds ids{.instruction = delegateInstruction, .chain = onlyChain};
        const std::uint64_t start = clock.now();
        clock.work(cost::delegateCall);
        for (const Operator& op : delegated()) {
            writeDelegated(op);
        }
        log("aten_relu_default", ids);  // arguments of the call: inputs and outputs
        log("aten_mul_tensor", ids);
        clock.work(cost::dispatch);
        writer.profile("DELEGATE_CALL", ids, start, clock.now());
    }

    void writeDelegated(const Operator& op) {
        const etdump::EventIds ids{
            .instruction = delegateInstruction, .chain = onlyChain, .delegateString = op.delegateId};
        const std::uint64_t start = clock.now();
        clock.work(cost::delegatedOperator + cost::perOperation * op.elementaryOperations);
        const std::string metadata = "operations=" + std::to_string(op.elementaryOperations);
        writer.profile("", ids, start, clock.now(), std::as_bytes(std::span(metadata)));
        log(op.node, ids);
    }

    void log(std::string_view value, etdump::EventIds ids, bool programOutput = false) {
        writer.debug("", ids,
                     {.value = buffer.append(values->find(value)->second), .programOutput = programOutput});
    }

    /// The operators absorbed by the delegate, which are adjacent in the table.
    static std::span<const Operator> delegated() {
        const auto isDelegated = [](const Operator& op) { return !op.delegateId.empty(); };
        const auto all = operators();
        const auto first = std::ranges::find_if(all, isDelegated);
        return {first, std::ranges::find_if_not(first, all.end(), isDelegated)};
    }

    const Values* values;
    etdump::TraceWriter writer;
    DebugBuffer buffer;
    ModelledClock clock;
};

}  // namespace

core::Result<TraceFiles> makeTrace(const Values& values) {
    return Recorder(values).record();
}

}  // namespace et::test::synthetic
