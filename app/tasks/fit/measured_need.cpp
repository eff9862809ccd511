#include "app/tasks/fit/measured_need.h"

#include "app/tasks/model/inputs.h"
#include "backends/builtin.h"
#include "runtime/kernels/builtin.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::size_t stackBytes = std::size_t{8} << 20U;
constexpr std::byte paint{0xa5};

/// Memory for a stack, filled with a pattern to detect its use.
class PaintedStack {
  public:
    PaintedStack() {
        void* const mapped = ::mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        start = mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
        if (start != nullptr) {
            std::fill_n(start, stackBytes, paint);
        }
    }
    ~PaintedStack() {
        if (start != nullptr) {
            ::munmap(start, stackBytes);
        }
    }
    PaintedStack(const PaintedStack&) = delete;
    PaintedStack& operator=(const PaintedStack&) = delete;

    [[nodiscard]] std::byte* data() const { return start; }
    /// Number of bytes below `top` that were written. Stacks grow downwards.
    [[nodiscard]] std::uint64_t usedBelow(const std::byte* top) const {
        const std::byte* const deepest =
            std::find_if(start, start + stackBytes, [](std::byte each) { return each != paint; });
        return deepest < top ? static_cast<std::uint64_t>(top - deepest) : 0;
    }

  private:
    std::byte* start = nullptr;
};

/// A function, with the stack pointer at its start.
struct Call {
    const std::function<void()>& work;
    const std::byte* top = nullptr;
};

void* runCall(void* given) {
    auto& call = *static_cast<Call*>(given);
    call.top = static_cast<const std::byte*>(__builtin_frame_address(0));
    call.work();
    return nullptr;
}

Result<InputSet> inputsFor(const ProgramFile& file, const program::Method& method) {
    if (file.bundle != nullptr) {
        if (auto bundled = bundledInputs(*file.bundle, method.name, 0)) {
            return bundled;
        }
    }
    constexpr std::uint64_t mostBytes = std::uint64_t{2} << 30U;
    return randomInputs(method, 0, mostBytes);
}

/// Loads the method and runs it once.
Result<executor::MemoryReport> runOnce(executor::Module& module, std::string_view method,
                                       const InputSet& inputs) {
    ET_ASSIGN(executor::Method* const loaded, module.load(method));
    ET_TRY(inputs.give(*loaded));
    ET_TRY(loaded->execute());
    return loaded->memory();
}

}  // namespace

Result<std::uint64_t> stackOf(const std::function<void()>& work) {
    const PaintedStack stack;
    pthread_attr_t attributes;
    if (stack.data() == nullptr || ::pthread_attr_init(&attributes) != 0) {
        return core::fail(core::ErrorCode::Limit, "out of memory for a stack");
    }
    pthread_t thread{};
    Call call{.work = work};
    const bool started = ::pthread_attr_setstack(&attributes, stack.data(), stackBytes) == 0 &&
                         ::pthread_create(&thread, &attributes, runCall, &call) == 0;
    ::pthread_attr_destroy(&attributes);
    if (!started) {
        return core::fail(core::ErrorCode::Limit, "cannot start a thread");
    }
    ::pthread_join(thread, nullptr);
    return stack.usedBelow(call.top);
}

Result<MeasuredNeed> measureNeed(const ProgramFile& file, std::string_view method,
                                 std::span<const std::shared_ptr<const program::TensorData>> tensorData) {
    const program::Method* const described = file.program->findMethod(method);
    if (described == nullptr) {
        return core::fail(core::ErrorCode::NotFound, "no such method");
    }
    ET_ASSIGN(const InputSet inputs, inputsFor(file, *described));
    const kernels::ThreadPool threads(1);
    executor::Module module(file.program, {.kernels = kernels::builtin(),
                                           .backends = backends::builtin(),
                                           .tensorData = tensorData,
                                           .threads = threads});
    Result<executor::MemoryReport> memory = executor::MemoryReport();
    ET_ASSIGN(const std::uint64_t stack, stackOf([&] { memory = runOnce(module, method, inputs); }));
    if (!memory) {
        return std::unexpected(std::move(memory).error());
    }
    return MeasuredNeed{.memory = std::move(*memory), .stack = stack};
}

}  // namespace et::tasks
